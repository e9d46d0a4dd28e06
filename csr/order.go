package csr

import "github.com/gohops/hops/internal/bitset"

// orderByDegree orders the neighbours of every row by falling degree.
func (b *builder) orderByDegree() {
	b.assignRanks()
	b.chooseHubs()
}

// keepLabels orders them by label.
func (b *builder) keepLabels() {
	for v := range b.byRank {
		b.byRank[v], b.rank[v] = uint32(v), uint32(v)
	}
}

// assignRanks numbers the vertices by falling count, equal ones by label, with
// one stable radix sort. The count of an entry is capped at 32 bits by the
// number of edges that fit in memory.
func (b *builder) assignRanks() {
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
}

// hubShare is the share of all entries that the hubs have. On
// Kronecker graphs 40 % belong to about one connected vertex in 600, and most
// others have at least one of these as a neighbour.
const hubShare = 0.4

// chooseHubs marks the vertices of highest degree.
func (b *builder) chooseHubs() {
	total, sum := b.total(), int64(0)
	for _, v := range b.byRank {
		if float64(sum) >= hubShare*float64(total) {
			break
		}
		sum += int64(b.count[v])
		bitset.Set(b.Parents.Hub).Add(uint64(v))
		b.hubs++
	}
}

// total is the number of all entries.
func (b *builder) total() (sum int64) {
	for _, c := range b.count {
		sum += int64(c)
	}
	return sum
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
