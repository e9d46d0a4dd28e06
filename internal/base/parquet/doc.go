// Package parquet reads and writes flat columns of Parquet files: integers, real numbers and text.
//
// Reading:
//
//	footer   the schema and where the column chunks of each row group lie (Open)
//	chunk    the pages of one column of one row group, decompressed one after another (Reader)
//	values   the values of a page: plain, dictionary, delta and byte-stream-split encodings
//	hybrid   the run-length and bit-packed integers of levels and dictionary indices
//	delta    the delta-packed integers of values and lengths
//	thrift   the compact protocol of footer and page headers
//
// Row groups and columns can be read by different goroutines at the same time. A Reader
// holds one page and one dictionary. Sizes in a file are claims: memory is taken for bytes
// that are there, and for at most trustedBytes more. A fault is an error that names
// row group, column and page; nothing panics.
//
// Writing: rows are gathered into row groups of groupRows rows. Integers are delta-packed,
// text has a dictionary while that is small, and pages are packed by Zstandard.
package parquet

// Physical types of Parquet.
const (
	typeInt32     = 1
	typeInt64     = 2
	typeFloat     = 4
	typeDouble    = 5
	typeByteArray = 6
)

// Encodings of values.
const (
	plain           = 0
	plainDictionary = 2
	runLength       = 3
	deltaBinary     = 5
	deltaLength     = 6
	deltaStrings    = 7
	dictionary      = 8
	streamSplit     = 9
)

// Codecs of pages.
const (
	codecNone   = 0
	codecSnappy = 1
	codecGzip   = 2
	codecZstd   = 6
)

// Types of pages.
const (
	pageData       = 0
	pageDictionary = 2
	pageDataV2     = 3
)

const (
	magic        = "PAR1"
	repeatedKind = 2  // of repetition_type: a list
	utf8Kind     = 0  // of converted_type
	decimalKind  = 5  // of converted_type
	firstUint    = 11 // converted types of unsigned integers
	lastUint     = 14
)
