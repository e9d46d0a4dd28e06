package grid

import (
	"math/bits"

	"github.com/gohops/hops/internal/arena"
	"github.com/gohops/hops/internal/bitset"
)

// sparseRows are the rows, or the columns, of a part of the adjacency matrix. Most of
// them may be empty, the more the larger the grid, and an empty row takes one bit: a
// row is found by counting the rows before it that are not empty.
type sparseRows struct {
	full    bitset.Set // rows that are not empty
	before  []uint32   // number of full rows before each word
	offsets []int64    // of the full rows, and the end
	entries []uint32
	numbers []uint32 // of the full rows, where they are listed
}

// row returns the entries of row v.
func (s *sparseRows) row(v uint32) []uint32 {
	if !s.full.Has(uint64(v)) {
		return nil
	}
	return s.rowAt(s.index(v>>6, v&63))
}

// length is the number of entries of row v.
func (s *sparseRows) length(v uint32) int64 {
	if !s.full.Has(uint64(v)) {
		return 0
	}
	k := s.index(v>>6, v&63)
	return s.offsets[k+1] - s.offsets[k]
}

// rowAt is the full row with that index.
func (s *sparseRows) rowAt(k uint32) []uint32 { return s.entries[s.offsets[k]:s.offsets[k+1]] }

// index is the number of a full row among the full rows.
func (s *sparseRows) index(word, bit uint32) uint32 {
	return s.before[word] + uint32(bits.OnesCount64(s.full[word]&(1<<bit-1)))
}

// newSparseRows makes rows with the given numbers of entries, which are still to be
// filled in.
func newSparseRows(counts []uint32, mem *arena.Arena) (s sparseRows, err error) {
	if s.full, err = arena.Make[uint64](mem, bitset.Words(int64(len(counts)))); err != nil {
		return s, err
	}
	rows := 0
	for v, n := range counts {
		if n > 0 {
			s.full.Add(uint64(v))
			rows++
		}
	}
	if s.before, err = arena.Make[uint32](mem, len(s.full)); err != nil {
		return s, err
	}
	if s.offsets, err = arena.Make[int64](mem, rows+1); err != nil {
		return s, err
	}
	k, at := 0, int64(0)
	for v, n := range counts {
		if v%64 == 0 {
			s.before[v/64] = uint32(k)
		}
		if n > 0 {
			s.offsets[k] = at
			at += int64(n)
			k++
		}
	}
	s.offsets[k] = at
	s.entries, err = arena.Make[uint32](mem, int(at))
	return s, err
}

func (s *sparseRows) free(mem *arena.Arena) {
	arena.Free(mem, s.full)
	arena.Free(mem, s.before)
	arena.Free(mem, s.offsets)
	arena.Free(mem, s.entries)
}
