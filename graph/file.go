package graph

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"unsafe"

	"github.com/gohops/hops"
)

// A graph file is the finished structure as it lies in memory, so that opening
// one is mapping it. All numbers are little-endian.
//
//	header     one page: what follows and where, with a checksum of its own
//	sections   the arrays of the graph, each from a page boundary on
//	sums       a checksum for every block of the sections, and one for the sums
//
// Opening a file reads the header and the sums, which takes no time at any size:
// a file that is foreign, of another version, cut short or damaged there is
// refused at once. The sections are checked block by block: by Verify all of
// them, which every engine asks for before its first search, and otherwise the
// blocks of a row when the row is read for the first time. Either way no one gets
// to see an entry whose checksum is wrong.
//
// Rejected: one checksum for each section, which would make the first question
// about a few vertices read everything.

const (
	fileMagic   = "\x89HOPS\r\n\x1a" // the end of a line that a transfer as text would change
	fileVersion = 1

	pageSize  = 4096
	blockSize = 256 << 10 // a few tens of microseconds to check
	sumSize   = 4
)

// The flags of a header.
const (
	flagDirected = 1 << iota
	flagNames
	flagWeights
	allFlags = 1<<iota - 1
)

// The sections. The rows of an undirected graph are there once, as Out; names
// are of one kind.
const (
	outOffsets = iota
	outNeighbors
	inOffsets
	inNeighbors
	headSection
	isolatedSection
	moreSection
	hubSection
	hubPrefixSection
	nameNarrow
	nameWide
	nameText
	nameEnds
	nameTable
	numSections

	// The weights follow the checksums in the header. They are zero in files from
	// before there were weights.
	outWeights  = numSections
	inWeights   = numSections + 1
	allSections = numSections + 2
)

var sectionNames = [allSections]string{
	"rows: offsets", "rows: neighbours", "rows in: offsets", "rows in: neighbours",
	"heads", "isolated", "longer rows", "hubs", "hub prefixes",
	"names of 32 bits", "names of 64 bits", "names: text", "names: ends", "names: table",
	"rows: weights", "rows in: weights",
}

// A section is a range of bytes of the file.
type section struct{ Offset, Length uint64 }

// A fileHeader is the first page, up to its checksum in the last four bytes.
type fileHeader struct {
	Magic      [8]byte
	Version    uint32
	Flags      uint32
	Size       uint64 // of the file
	Vertices   uint64
	Tuples     int64
	Loops      int64
	Duplicates int64
	NameCount  uint64
	NameFirst  uint64
	Sections   [numSections]section
	Sums       section // of as many sums as there are blocks, and of one more
	Weights    [allSections - numSections]section
}

// section returns that of a number.
func (h *fileHeader) section(number int) *section {
	if number < numSections {
		return &h.Sections[number]
	}
	return &h.Weights[number-numSections]
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

func checksum(b []byte) uint32 { return crc32.Checksum(b, castagnoli) }

// encode returns the first page.
func (h *fileHeader) encode() ([]byte, error) {
	page := make([]byte, pageSize)
	if _, err := binary.Encode(page, binary.LittleEndian, h); err != nil {
		return nil, err
	}
	binary.LittleEndian.PutUint32(page[pageSize-sumSize:], checksum(page[:pageSize-sumSize]))
	return page, nil
}

// IsGraphFile tells whether a file that starts with these bytes, at least 8 of
// them, claims to be a graph file: one to Open.
func IsGraphFile(start []byte) bool { return bytes.HasPrefix(start, []byte(fileMagic)) }

// decode reads the first page of a file of so many bytes and says what is wrong with it.
func (h *fileHeader) decode(start []byte, size uint64) error {
	switch {
	case !IsGraphFile(start):
		return errors.New("not a graph file of hops")
	case len(start) < pageSize:
		return fmt.Errorf("cut short: %d bytes, the header alone has %d", len(start), pageSize)
	}
	page := start[:pageSize]
	if _, err := binary.Decode(page, binary.LittleEndian, h); err != nil {
		return err
	}
	switch {
	case h.Version != fileVersion:
		return fmt.Errorf("version %d of the format; this program reads version %d", h.Version, fileVersion)
	case binary.LittleEndian.Uint32(page[pageSize-sumSize:]) != checksum(page[:pageSize-sumSize]):
		return errors.New("the header is damaged: its checksum is wrong")
	case h.Size > size:
		return fmt.Errorf("cut short: %d bytes of %d", size, h.Size)
	case h.Size < size:
		return fmt.Errorf("%d bytes, %d more than were written", size, size-h.Size)
	case h.Flags&^allFlags != 0 || h.Vertices > hops.NarrowLimit:
		return errors.New("the header makes no sense")
	}
	return nil
}

// view sets to to the section of that number, without a copy.
func view[T any](h *fileHeader, file []byte, number int, to *[]T) error {
	var zero T
	s, size := *h.section(number), uint64(unsafe.Sizeof(zero))
	if s.Length == 0 {
		return nil
	}
	if s.Offset < pageSize || s.Offset%pageSize != 0 || s.Offset > h.Sums.Offset ||
		s.Length > h.Sums.Offset-s.Offset || s.Length%size != 0 {
		return fmt.Errorf("%s: %d bytes from %d on do not fit", sectionNames[number], s.Length, s.Offset)
	}
	*to = unsafe.Slice((*T)(unsafe.Pointer(&file[s.Offset])), s.Length/size)
	return nil
}
