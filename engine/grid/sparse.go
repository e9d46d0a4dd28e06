package grid

import (
	"fmt"
	"math"
	"math/bits"

	"github.com/gohops/hops/internal/base/arena"
	"github.com/gohops/hops/internal/base/bitset"
)

// sparseRows are the rows, or the columns, of a part of the adjacency matrix. Most of
// them may be empty, the more the larger the grid, and an empty row takes one bit: a
// row is found by counting the rows before it that are not empty.
//
// All ranks of a column of blocks have the same columns, so that what a column takes is
// multiplied by the number of these ranks. Numbers are therefore as narrow as can be: rows
// are counted from a group of 4,096 rows on, its entries from there and from a word of 64
// rows on, and within a word 16 bits say where a row ends, except in blocks with so many
// entries that the ends do not matter.
type sparseRows struct {
	full    bitset.Set // rows that are not empty
	groups  []rowGroup
	before  []uint16 // full rows of the group before each word
	first   []uint32 // entry of each word, counted from the first one of the group
	narrow  []uint16 // ends of the full rows within their word; nil: wide has them
	wide    []uint32
	entries []uint32
}

// A rowGroup is groupWords words of rows.
type rowGroup struct {
	first  int64  // entry
	before uint32 // full rows before the group
}

const groupWords = 64

// mostNarrow is the most entries of a word of rows whose ends take 16 bits.
const mostNarrow = math.MaxUint16

// row returns the entries of row v.
func (s *sparseRows) row(v uint32) []uint32 {
	if !s.full.Has(uint64(v)) {
		return nil
	}
	return s.fullRow(v>>6, v&63)
}

// length is the number of entries of row v.
func (s *sparseRows) length(v uint32) int64 {
	if !s.full.Has(uint64(v)) {
		return 0
	}
	lo, hi := s.span(v>>6, v&63)
	return hi - lo
}

// fullRow is a row that is not empty, by its word and its bit in it.
func (s *sparseRows) fullRow(word, bit uint32) []uint32 {
	lo, hi := s.span(word, bit)
	return s.entries[lo:hi]
}

// span is where the entries of a full row begin and end.
func (s *sparseRows) span(word, bit uint32) (lo, hi int64) {
	inWord := uint32(bits.OnesCount64(s.full[word] & (1<<bit - 1)))
	k := s.rowsBefore(word) + inWord
	if s.narrow != nil {
		hi = int64(s.narrow[k])
		if inWord > 0 {
			lo = int64(s.narrow[k-1])
		}
	} else {
		hi = int64(s.wide[k])
		if inWord > 0 {
			lo = int64(s.wide[k-1])
		}
	}
	first := s.firstOf(word)
	return first + lo, first + hi
}

// index is the number of a full row among the full rows.
func (s *sparseRows) index(v uint32) uint32 {
	return s.rowsBefore(v>>6) + uint32(bits.OnesCount64(s.full[v>>6]&(1<<(v&63)-1)))
}

// rowsBefore is the number of full rows before a word.
func (s *sparseRows) rowsBefore(word uint32) uint32 {
	return s.groups[word/groupWords].before + uint32(s.before[word])
}

// firstOf is where the entries of a word begin.
func (s *sparseRows) firstOf(word uint32) int64 {
	return s.groups[word/groupWords].first + int64(s.first[word])
}

// count is the number of full rows.
func (s *sparseRows) count() int { return max(len(s.narrow), len(s.wide)) }

// newRows makes rows with the given numbers of entries, which are still to be filled in.
// Ends take 16 bits if no word of rows has more entries than narrow.
func newRows(counts []uint32, narrow int64, mem *arena.Arena) (sparseRows, error) {
	s, err := newWords(int64(len(counts)), mem)
	if err != nil {
		return s, err
	}
	for v, n := range counts {
		if n > 0 {
			s.full.Add(uint64(v))
			s.first[v>>6] += n
		}
	}
	if err := s.sum(narrow, mem); err != nil {
		return s, err
	}
	if s.narrow != nil {
		addCounts(&s, s.narrow, counts)
	} else {
		addCounts(&s, s.wide, counts)
	}
	return s, nil
}

// addCounts fills in where the full rows end.
func addCounts[E uint16 | uint32](s *sparseRows, ends []E, counts []uint32) {
	k := 0
	for word, full := range s.full {
		end := E(0)
		for ; full != 0; full &= full - 1 {
			end += E(counts[64*word+bits.TrailingZeros64(full)])
			ends[k] = end
			k++
		}
	}
}

// newWords makes n rows that are empty. For sum the caller marks those that are not in full,
// and counts entries by words in first.
func newWords(n int64, mem *arena.Arena) (s sparseRows, err error) {
	words := bitset.Words(n)
	s.groups = make([]rowGroup, (words+groupWords-1)/groupWords)
	if s.full, err = arena.Make[uint64](mem, words); err != nil {
		return s, err
	}
	if s.before, err = arena.Make[uint16](mem, words); err != nil {
		return s, err
	}
	s.first, err = arena.Make[uint32](mem, words)
	return s, err
}

// sum adds up what the words have, and makes the ends, which are all 0, and the entries.
func (s *sparseRows) sum(narrow int64, mem *arena.Arena) (err error) {
	rows, at, most := 0, int64(0), int64(0)
	for word, full := range s.full {
		g := &s.groups[word/groupWords]
		if word%groupWords == 0 {
			*g = rowGroup{at, uint32(rows)}
		}
		n := int64(s.first[word])
		if at-g.first > math.MaxUint32 {
			return fmt.Errorf("grid: %d rows of a block have %d entries or more; there is room for %d", 64*groupWords, at-g.first, uint32(math.MaxUint32))
		}
		s.before[word], s.first[word] = uint16(uint32(rows)-g.before), uint32(at-g.first)
		rows += bits.OnesCount64(full)
		at += n
		most = max(most, n)
	}
	if most <= narrow {
		s.narrow, err = arena.Make[uint16](mem, rows)
	} else {
		s.wide, err = arena.Make[uint32](mem, rows)
	}
	if err == nil {
		s.entries, err = arena.Make[uint32](mem, int(at))
	}
	return err
}

func (s *sparseRows) free(mem *arena.Arena) {
	arena.Free(mem, s.full)
	arena.Free(mem, s.before)
	arena.Free(mem, s.first)
	arena.Free(mem, s.narrow)
	arena.Free(mem, s.wide)
	arena.Free(mem, s.entries)
}
