package view

import (
	"math/bits"

	"github.com/gohops/hops/graph"
)

const (
	// blockNames is the number of names that are looked at together or not at all.
	blockNames = 64
	// gramRows is the number of rows of a filter, 2 to the power of 32 - gramShift. A block of 64
	// names of 22 letters is in a quarter of 4096 rows at most. More rows would rule out more
	// blocks, and take more than the 8 bytes for every name.
	gramRows, gramShift = 4096, 20
	// gramLength is the number of bytes in a gram.
	gramLength = 3
)

// A gramFilter tells which blocks of names may have some text in them: a bit for every block and
// every hash of three bytes that follow each other in a name, capitals of ASCII taken as small
// letters. A block whose names have the text has all of its grams.
type gramFilter struct {
	rows  []uint64 // gramRows bitmaps
	words int      // the length of each
}

func newGramFilter(names graph.NameSections) *gramFilter {
	f := &gramFilter{words: (blocks(names) + 63) / 64}
	f.rows = make([]uint64, gramRows*f.words)
	for v := range names.Ends {
		block := v / blockNames
		name := textOf(names, uint32(v))
		for i := gramLength; i <= len(name); i++ {
			f.row(name[i-gramLength:])[block/64] |= 1 << (block % 64)
		}
	}
	return f
}

func blocks(names graph.NameSections) int { return (len(names.Ends) + blockNames - 1) / blockNames }

// row is the bitmap of the first gram of a text.
func (f *gramFilter) row(text []byte) []uint64 {
	gram := uint32(small(text[0])) | uint32(small(text[1]))<<8 | uint32(small(text[2]))<<16
	at := int(gram*0x9E3779B1>>gramShift) * f.words
	return f.rows[at : at+f.words]
}

func small(c byte) byte {
	if 'A' <= c && c <= 'Z' {
		return c + 'a' - 'A'
	}
	return c
}

// passing calls look with the blocks that may have a text, until it returns false. Without a
// filter, and for less than a gram, these are all.
func (f *gramFilter) passing(text []byte, all int, look func(block int) bool) {
	if f == nil || len(text) < gramLength {
		for block := range all {
			if !look(block) {
				return
			}
		}
		return
	}
	for word := range f.words {
		left := ^uint64(0)
		for i := 0; i+gramLength <= len(text) && left != 0; i++ {
			left &= f.row(text[i:])[word]
		}
		for ; left != 0; left &= left - 1 {
			if !look(64*word + bits.TrailingZeros64(left)) {
				return
			}
		}
	}
}
