package csr

import (
	"cmp"
	"slices"

	"github.com/gohops/hops/internal/base/bitset"
	"github.com/gohops/hops/internal/base/par"
)

// orderByDegree orders the neighbours of every row by falling degree.
func (b *builder) orderByDegree() {
	b.assignRanks()
	b.chooseHubs()
}

// keepLabels orders them by label.
func (b *builder) keepLabels() {
	for v := range b.byRank {
		b.setRank(uint32(v), uint32(v))
	}
}

// setRank gives a vertex its rank.
func (b *builder) setRank(v, rank uint32) {
	b.byRank[rank] = v
	if b.rank != nil {
		b.rank[v] = rank
	}
}

// lightDegree bounds the counts that vertices are sorted by in one counting sort, 16 KiB of
// counters for each worker. There is at most one vertex above for so many entries.
const lightDegree = 1 << 12

// A ranker is one worker's share of the vertices while they get their ranks.
type ranker struct {
	lo, hi int64
	next   [lightDegree]uint32 // vertices of each count, then the rank of the next one
	large  []uint32            // vertices of a larger count
}

// assignRanks numbers the vertices by falling count, equal ones by label.
func (b *builder) assignRanks() {
	rankers := make([]ranker, b.team.Size())
	b.team.Run(func(worker int) {
		r := &rankers[worker]
		r.lo, r.hi = par.Split(int64(b.n), 64, worker, len(rankers))
		r.countCounts(b)
	})
	var large []uint32
	for i := range rankers {
		large = append(large, rankers[i].large...)
	}
	slices.SortStableFunc(large, func(u, v uint32) int { return cmp.Compare(b.count[v], b.count[u]) })
	for r, v := range large {
		b.setRank(v, uint32(r))
	}
	rank := uint32(len(large))
	for c := lightDegree - 1; c >= 0; c-- {
		for i := range rankers {
			next := &rankers[i].next[c]
			*next, rank = rank, rank+*next
		}
	}
	b.team.Run(func(worker int) { rankers[worker].assign(b) })
}

// countCounts counts the vertices of every count, and lists those with too many entries.
func (r *ranker) countCounts(b *builder) {
	for v, c := range b.count[r.lo:r.hi] {
		if c < lightDegree {
			r.next[c]++
		} else {
			r.large = append(r.large, uint32(r.lo)+uint32(v))
		}
	}
}

// assign gives all others their ranks.
func (r *ranker) assign(b *builder) {
	for v := r.lo; v < r.hi; v++ {
		if c := b.count[v]; c < lightDegree {
			b.setRank(uint32(v), r.next[c])
			r.next[c]++
		}
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
