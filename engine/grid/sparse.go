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
	offsets []uint32   // of the full rows, and the end, without their multiples of the lap
	laps    []uint32   // the full rows that begin where the next lap has begun, ascending
	lap     int64
	entries []uint32
}

// wholeLap is what an offset can say. The offsets are most of what a larger grid takes
// more than a small one, and few blocks have more entries than that.
const wholeLap = 1 << 32

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
	return s.lengthAt(s.index(v>>6, v&63))
}

// lengthAt is the number of entries of the full row with that index.
func (s *sparseRows) lengthAt(k uint32) int64 { return s.offset(k+1) - s.offset(k) }

// rowAt is the full row with that index.
func (s *sparseRows) rowAt(k uint32) []uint32 { return s.entries[s.offset(k):s.offset(k+1)] }

// offset is that of the full row with that index, or the end.
func (s *sparseRows) offset(k uint32) int64 {
	at := int64(s.offsets[k])
	for _, first := range s.laps {
		if k >= first {
			at += s.lap
		}
	}
	return at
}

// count is the number of full rows.
func (s *sparseRows) count() int { return len(s.offsets) - 1 }

// index is the number of a full row among the full rows.
func (s *sparseRows) index(word, bit uint32) uint32 {
	return s.before[word] + uint32(bits.OnesCount64(s.full[word]&(1<<bit-1)))
}

// newSparseRows makes rows with the given numbers of entries, which are still to be
// filled in.
func newSparseRows(counts []uint32, lap int64, mem *arena.Arena) (s sparseRows, err error) {
	s.lap = lap
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
	if s.offsets, err = arena.Make[uint32](mem, rows+1); err != nil {
		return s, err
	}
	k, at := 0, int64(0)
	for v, n := range counts {
		if v%64 == 0 {
			s.before[v/64] = uint32(k)
		}
		if n > 0 {
			s.begin(uint32(k), at)
			at += int64(n)
			k++
		}
	}
	s.begin(uint32(k), at)
	s.entries, err = arena.Make[uint32](mem, int(at))
	return s, err
}

// begin says where the full row with that index begins, after those before it.
func (s *sparseRows) begin(k uint32, at int64) {
	for int64(len(s.laps)) < at/s.lap {
		s.laps = append(s.laps, k)
	}
	s.offsets[k] = uint32(at % s.lap)
}

func (s *sparseRows) free(mem *arena.Arena) {
	arena.Free(mem, s.full)
	arena.Free(mem, s.before)
	arena.Free(mem, s.offsets)
	arena.Free(mem, s.entries)
}
