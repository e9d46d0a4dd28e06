package deal

import (
	"fmt"
	"io"
	"math"
	"sync/atomic"

	"github.com/gohops/hops"
)

// A pass is one reading of the edges of this rank. A Source that yields other edges when it is
// read again would make a graph that is none of both: rows out of vertices that differ from the
// rows into them, or rows with room to spare. So every pass adds up a digest of its edges, which
// has to be that of the first one.
type pass struct {
	digest atomic.Uint64
	first  uint64 // digest of the first pass
	later  bool   // this is not the first pass
}

// digest is the same for the same edges in any order, and most likely another for others.
func digest(edges []hops.Edge) (sum uint64) {
	for _, x := range edges {
		h := uint64(x.U)*0x9e3779b97f4a7c15 + uint64(x.V) // constants of splitmix64
		sum += (h ^ h>>29) * 0xbf58476d1ce4e5b9
	}
	return sum
}

// finishPass ends a pass in which all edges of this rank were to be read.
func (e *Edges) finishPass() error {
	if err := e.failure(); err != nil {
		return err
	}
	p := &e.pass
	sum := p.digest.Swap(0)
	if !p.later {
		p.first, p.later = sum, true
	}
	if sum != p.first {
		return fmt.Errorf("%s: the source gave other edges from %d to %d when they were read again: it must yield the same list every time", e.Engine, e.first, e.end)
	}
	return nil
}

// read fills edges from the source, with their weights unless these are nil, and checks
// them.
func (e *Edges) read(edges []hops.Edge, weights []float32, off int64) (err error) {
	n := 0
	if weights == nil {
		n, err = e.src.EdgesAt(edges, off)
	} else {
		n, err = hops.TuplesAt(e.src.(hops.WeightedSource), edges, weights, off)
	}
	if err == io.EOF || err == nil { // an error that only wraps io.EOF is the source's own
		err = nil
		if n < len(edges) {
			err = io.ErrUnexpectedEOF
		}
	}
	if err != nil {
		return fmt.Errorf("%s: edge %d of %d: %w", e.Engine, off+int64(n), e.edges, err)
	}
	for i, x := range edges {
		if x.U >= e.N || x.V >= e.N {
			return fmt.Errorf("%s: edge %d joins %d and %d, but there are only %d vertices", e.Engine, off+int64(i), x.U, x.V, e.N)
		}
	}
	for i, w := range weights {
		if !(w >= 0 && w <= math.MaxFloat32) {
			return fmt.Errorf("%s: edge %d (%d, %d) has weight %v: a weight is finite and not negative", e.Engine, off+int64(i), edges[i].U, edges[i].V, w)
		}
		if w == 0 {
			weights[i] = 0 // the sign of -0 would spoil the order of bits
		}
	}
	e.pass.digest.Add(digest(edges))
	return nil
}
