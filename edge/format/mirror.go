package format

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/gohops/hops/internal/base/par"
)

// Formats made of rows have every edge twice, once in the row of each end. A
// mirror finds out, without sorting and in one pass, whether that is so: it adds
// up a random function of all edges found from one side and of those found from
// the other. The sums differ if the sets do, but for one chance in 2⁵⁴.
//
// There are many sums, by hash of the edge. If two differ, only the edges that
// went into them need to be looked at again to find one without a partner.

const mirrorSums = 1 << 10

// sums is what one worker, or all together, have added up.
type sums [mirrorSums]uint64

type mirror struct {
	seed  uint64
	parts []sums // of the workers
}

func newMirror(workers int) *mirror {
	return &mirror{seed: rand.Uint64(), parts: make([]sums, workers)}
}

// withWeights keeps weights until it is known that both ends have the same.
func (o *Options) withWeights() *Options {
	kept := *o
	kept.DropWeights = false
	return &kept
}

// A rowEntry is a weighted edge, seen from one of its ends. Vertices of formats
// made of rows fit in 32 bits.
type rowEntry struct {
	u, v   uint32
	weight float32
}

// hash expects both directions of an edge with the ends in the same order.
func (m *mirror) hash(e rowEntry) uint64 {
	h := spread(uint64(e.u)<<32 | uint64(e.v) ^ m.seed)
	if e.weight != 0 {
		h = spread(h + uint64(math.Float32bits(e.weight)))
	}
	return h
}

// add counts an edge that was found from one side, and subtract one that was
// found from the other.
func (s *sums) add(hash uint64)      { s[hash%mirrorSums] += hash }
func (s *sums) subtract(hash uint64) { s[hash%mirrorSums] -= hash }

// total returns the sums of all workers, and whether all are zero, as they are
// if both sides have the same edges.
func (m *mirror) total() (total sums, equal bool) {
	equal = true
	for i := range total {
		for w := range m.parts {
			total[i] += m.parts[w][i]
		}
		equal = equal && total[i] == 0
	}
	return total, equal
}

// tally adds up the edges of a list of rows. Before those of a segment, prepare
// is called for it, on the same worker, which then has it in its cache.
func (l *list) tally(team *par.Team, prepare func(seg int)) *mirror {
	m := newMirror(team.Size())
	team.For(int64(len(l.segments)), 1, func(worker int, k, _ int64) {
		prepare(int(k))
		s, sums := &l.segments[k], &m.parts[worker]
		for i := range s.edges() {
			m.count(sums, s.row(i))
		}
	})
	return m
}

// fold checks that every edge of an undirected graph, given as rows that have
// been added up, is in the rows of both ends, and keeps that from the smaller
// end. If not, it returns the first edge without a partner: its segment and its
// number in it.
func (l *list) fold(team *par.Team, m *mirror) (seg, edge int, ok bool) {
	if odd, equal := m.total(); !equal {
		return l.unpaired(m, odd)
	}
	l.each(team, (*segment).keepUpper)
	l.seal()
	return 0, 0, true
}

// count adds an edge up, by which end is in whose row. Nobody can predict which,
// so there is no branch that depends on it.
func (m *mirror) count(sums *sums, e rowEntry) {
	if e.u == e.v {
		return
	}
	h := m.hash(rowEntry{min(e.u, e.v), max(e.u, e.v), e.weight})
	minus := -e.descends() // all ones, or zero
	sums[h%mirrorSums] += (h ^ minus) - minus
}

// descends is 1 if an edge leads from a larger vertex to a smaller one, else 0.
func (e rowEntry) descends() uint64 { return (uint64(e.v) - uint64(e.u)) >> 63 }

func (e rowEntry) turned() rowEntry { return rowEntry{e.v, e.u, e.weight} }

// row returns edge i as it is in its row.
func (s *segment) row(i int) rowEntry {
	e := rowEntry{u: s.narrow[2*i], v: s.narrow[2*i+1]}
	if s.weights != nil {
		e.weight = s.weights[i]
	}
	return e
}

// entry returns edge i with its ends in order, and from which side it was found:
// 0 for a loop.
func (s *segment) entry(i int) (e rowEntry, sign int) {
	switch e = s.row(i); {
	case e.u < e.v:
		return e, 1
	case e.u > e.v:
		return e.turned(), -1
	}
	return e, 0
}

// unpaired finds the first edge that went into an odd sum and has no partner.
func (l *list) unpaired(m *mirror, odd sums) (seg, edge int, ok bool) {
	balance := map[rowEntry]int{}
	each := func(use func(seg, edge int, e rowEntry, sign int) bool) {
		for k := range l.segments {
			for i := range l.segments[k].edges() {
				e, sign := l.segments[k].entry(i)
				if sign != 0 && odd[m.hash(e)%mirrorSums] != 0 && use(k, i, e, sign) {
					return
				}
			}
		}
	}
	each(func(_, _ int, e rowEntry, sign int) bool {
		balance[e] += sign
		return false
	})
	each(func(k, i int, e rowEntry, sign int) bool {
		seg, edge = k, i
		return balance[e]*sign > 0
	})
	return seg, edge, false
}

// keepUpper drops the edges that lead from a larger vertex to a smaller one. Like
// count, it does not branch on which do.
func (s *segment) keepUpper() {
	kept := 0
	for i := range s.edges() {
		e := s.row(i)
		s.narrow[2*kept], s.narrow[2*kept+1] = e.u, e.v
		if s.weights != nil {
			s.weights[kept] = e.weight
		}
		kept += 1 - int(e.descends())
	}
	s.narrow = s.narrow[:2*kept]
	if s.weights != nil {
		s.weights = s.weights[:kept]
	}
}

// oneSided says what is wrong with an edge without a partner, in names that
// count from first on.
func (l *list) oneSided(seg, edge int, first uint64) string {
	s := &l.segments[seg]
	u, v := s.at(edge)
	text := fmt.Sprintf("row %d has %d as often as row %d has %d", u+first, v+first, v+first, u+first)
	if s.weights != nil {
		text += fmt.Sprintf(", with weight %v", s.weights[edge])
	}
	return "it is not so that " + text
}
