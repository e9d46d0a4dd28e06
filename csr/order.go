package csr

import (
	"slices"

	"github.com/gohops/hops/internal/arena"
)

const (
	digitBits = 11
	digits    = 1 << digitBits

	// radixFrom is the row length from which two or three passes over 2,048
	// counters beat a comparison sort.
	radixFrom = 512

	// radixUpTo bounds the second array that a radix sort needs, 4 MiB for each
	// worker; the few longer rows are sorted in place.
	radixUpTo = 1 << 20

	// orderGrain is how many vertices a worker takes at a time.
	orderGrain = 512
)

// assignRanks numbers the vertices by falling count, equal ones by label, with
// one stable radix sort. The count of an entry is capped at 32 bits by the
// number of edges that fit in memory.
func (b *builder) assignRanks() error {
	for v := range b.byRank {
		b.byRank[v] = uint32(v)
	}
	for shift := 0; shift < 32; shift += digitBits {
		if b.sortByCountDigit(b.byRank, b.rank, shift) { // rank is scratch so far
			b.byRank, b.rank = b.rank, b.byRank
		}
	}
	for r, v := range b.byRank {
		b.rank[v] = uint32(r)
	}
	return nil
}

// sortByCountDigit is one pass of the sort; it reports false, and moves nothing,
// if all counts agree in this digit.
func (b *builder) sortByCountDigit(from, to []uint32, shift int) bool {
	var next [digits]int
	for _, c := range b.count {
		next[^c>>shift&(digits-1)]++
	}
	sum := 0
	for d, n := range next {
		if n == len(from) {
			return false
		}
		next[d], sum = sum, sum+n
	}
	for _, v := range from {
		d := ^b.count[v] >> shift & (digits - 1)
		to[next[d]] = v
		next[d]++
	}
	return true
}

// order sorts every row by rank, drops duplicates and translates ranks to
// labels. The rows stay where they start; count becomes their new length.
func (b *builder) order() error {
	sorters := make([]rowSorter, b.team.Size())
	defer func() {
		for i := range sorters {
			arena.Free(&b.mem, sorters[i].scratch)
		}
	}()
	dropped := make([]padded, b.team.Size())
	b.team.For(int64(b.n), orderGrain, func(worker int, lo, hi int64) {
		for v := lo; v < hi; v++ {
			row := b.Neighbors[b.Offsets[v]:b.Offsets[v+1]]
			sorters[worker].sort(row, b.n, &b.mem)
			kept := slices.Compact(row)
			for i, r := range kept {
				kept[i] = b.byRank[r]
			}
			b.count[v] = uint32(len(kept))
			dropped[worker].n += int64(len(row) - len(kept))
		}
	})
	for i := range dropped {
		b.Duplicates += dropped[i].n / 2
	}
	return nil
}

// A rowSorter sorts rows of numbers below a bound. It keeps its scratch space.
type rowSorter struct {
	scratch []uint32
	next    [digits]uint32
}

func (s *rowSorter) sort(row []uint32, bound int, mem *arena.Arena) {
	if len(row) < radixFrom || len(row) > radixUpTo || !s.reserve(len(row), mem) {
		slices.Sort(row)
		return
	}
	from, to := row, s.scratch[:len(row)]
	passes := 0
	for shift := 0; (bound-1)>>shift > 0; shift += digitBits {
		s.pass(from, to, shift)
		from, to = to, from
		passes++
	}
	if passes%2 == 1 {
		copy(row, from)
	}
}

// reserve makes room for a row of n entries, if there is any to be had.
func (s *rowSorter) reserve(n int, mem *arena.Arena) bool {
	if len(s.scratch) >= n {
		return true
	}
	arena.Free(mem, s.scratch)
	var err error
	s.scratch, err = arena.Make[uint32](mem, max(n, min(2*len(s.scratch), radixUpTo)))
	return err == nil
}

func (s *rowSorter) pass(from, to []uint32, shift int) {
	clear(s.next[:])
	for _, x := range from {
		s.next[x>>shift&(digits-1)]++
	}
	sum := uint32(0)
	for d, n := range s.next {
		s.next[d], sum = sum, sum+n
	}
	for _, x := range from {
		d := x >> shift & (digits - 1)
		to[s.next[d]] = x
		s.next[d]++
	}
}

// compact closes the gaps that the duplicates left. Rows only move down, one
// after the other.
func (b *builder) compact() error {
	end := int64(0)
	for v := range b.n {
		row := b.Neighbors[b.Offsets[v]:][:b.count[v]]
		if b.Offsets[v] != end {
			copy(b.Neighbors[end:], row)
			b.Offsets[v] = end
		}
		end += int64(len(row))
	}
	b.Offsets[b.n] = end
	b.Neighbors = arena.Shrink(&b.mem, b.Neighbors, int(end))
	return nil
}
