// Package format reads graphs from the files that people have.
//
// Load finds out what a file holds, reads it with several threads, and returns a
// finished graph. Open stops before the graph is built: it also says what the file was
// taken for, and lists the edges with vertices numbered from 0. docs/guide/my-file.md says what each format may
// contain; this is how the package is made.
//
//	file     the bytes, decompressed: gzip, zstd, bzip2, xz and zip are known by their content
//	detect   the format: by content where that is certain, else by name
//	parser   what the formats have in common, one file for each format
//	blocks   runs of whole lines, handed out to the workers
//	document formats that one goroutine reads from front to back: GraphML, GML, DOT, JSON, …
//	list     the edges, outside the Go heap, in the order of the file
//	renumber names become vertices: numbers by bitmap or hash, text by interning
//	load     a finished graph of the list
//	parquet  columns of Parquet files, row group by row group
//
// A plain file is read in pieces of equal size by all workers at once; the lines
// that start in a piece belong to it. What comes through a pipe or out of a
// compressed file is decompressed and cut into runs of lines by one goroutine and parsed
// by the others. Nobody ever holds the text: memory is 8 bytes an edge, 16 if
// names exceed 32 bits, and 4 more for a weight.
//
// The list is the same for any number of workers and any size of blocks, in
// order; so are the numbers of the vertices.
//
// # Errors
//
// A fault of a file is an *Error, "FILE:LINE: what", or "FILE: offset N: what" if
// the file is binary. It is always the first in the file, whichever worker
// finds something first: blocks are handed out in order, a worker that finds a
// fault reports its block, and the lowest block wins after all before it are
// done. Lines are counted by block, so no worker needs to know where it is.
//
// These are decided for all text formats: CR LF ends a line as LF does, the last
// line may lack its end, a byte-order mark of UTF-8 is skipped and UTF-16 is
// refused, a line has at most 2³⁰ bytes. A name is a number from 0 to 2⁶⁴-1, in
// decimal digits and nothing else, unless names are text: then it is any bytes
// but control characters. A weight is a finite decimal number that float32 can
// hold, and is rounded to one. A column more or less than the format has, on any
// line, is an error; so is a count in a header that differs from what follows.
package format
