package cluster

import (
	"math/bits"

	"github.com/gohops/hops/internal/bitset"
	"github.com/gohops/hops/internal/par"
)

// A summary of the frontier has one bit for every so many vertices: it stays in a
// nearer cache than the frontier itself, and where its bit is not set the frontier
// need not be looked at. Cui et al. found 256 vertices a bit the best. The vector
// kernels look at 16 vertices at a time and gain nothing by it, so that it is off by
// default.
type summary struct {
	*machine
	bits  bitset.Set // that ranks have in common if they have the frontier in common
	shift uint       // log₂ of the vertices of a bit
}

func newSummary(m *machine, vertices int) (*summary, error) {
	s := &summary{machine: m, shift: uint(bits.TrailingZeros(uint(vertices)))}
	var err error
	s.bits, err = m.frontier.gatherer.Bitmap(bitset.Words(int64(m.N)>>s.shift + 1))
	return s, err
}

// prepare makes the summary of the gathered frontier, each rank its share of one that
// they have in common.
func (s *summary) prepare() error {
	group, in := s.frontier.gatherer.Group(), s.frontier.in
	lo, hi := int64(0), int64(len(s.bits))
	if group != nil {
		lo, hi = par.Split(hi, 1, group.Rank(), group.Size())
	}
	s.bits[lo:hi].Clear()
	first, end := min(lo<<s.shift, int64(len(in))), min(hi<<s.shift, int64(len(in)))
	for i, word := range in[first:end] {
		if word != 0 {
			s.bits.Add(uint64(first+int64(i)) << 6 >> s.shift)
		}
	}
	if group == nil {
		return nil
	}
	return group.Barrier()
}

func (s *summary) block(_, w *worker, next bitset.Set, lo, hi int64) (examined int64) {
	for i := lo; i < hi; i++ {
		next[i] = 0
		for open := ^w.visited[i]; open != 0; open &= open - 1 {
			v := uint32(i)<<6 + uint32(bits.TrailingZeros64(open))
			for _, u := range w.in.row(v) {
				examined++
				if s.bits.Has(uint64(u>>s.shift)) && s.frontier.in.Has(uint64(u)) {
					w.parents[v] = u
					next.Add(uint64(v))
					break
				}
			}
		}
	}
	return examined
}
