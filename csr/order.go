package csr

import (
	"slices"

	"github.com/gohops/hops/internal/arena"
	"github.com/gohops/hops/internal/bitset"
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

// heavyShare is the share of all entries that the heavy vertices have. On
// Kronecker graphs 40 % belong to about one connected vertex in 600, and most
// others have at least one of these as a neighbour.
const heavyShare = 0.4

// chooseHeavy marks the heaviest vertices.
func (b *builder) chooseHeavy() error {
	total := int64(0)
	for _, c := range b.count {
		total += int64(c)
	}
	sum := int64(0)
	for _, v := range b.byRank {
		if float64(sum) >= heavyShare*float64(total) {
			break
		}
		sum += int64(b.count[v])
		bitset.Set(b.Heavy).Add(uint64(v))
		b.light++
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

// A rowSorter sorts rows of numbers below a bound. It keeps its scratch space.
type rowSorter struct {
	scratch []uint32
	next    [digits]uint32
	cursor  []int64
}

// starts returns the positions at which rows of these lengths start when they
// stand behind each other.
func (s *rowSorter) starts(lengths []uint32) []int64 {
	s.cursor = s.cursor[:0]
	sum := int64(0)
	for _, n := range lengths {
		s.cursor = append(s.cursor, sum)
		sum += int64(n)
	}
	return s.cursor
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
