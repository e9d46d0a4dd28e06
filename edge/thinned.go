package edge

import (
	"fmt"
	"math"

	"github.com/gohops/hops"
)

// A Thinned is a graph of which a share of the edges is missing. A thinned grid is like a
// map of roads: few neighbours, detours, and parts that nothing leads to.
type Thinned struct {
	derived
	edges int64
	order permutation // of the edges of src, of which the first ones are there
}

var _ hops.DirectedSource = (*Thinned)(nil)

// NewThinned returns src without a share of its edges, which the seed draws. The others come
// in a random order, and are read from src one at a time: src should be quick at that.
func NewThinned(src hops.Source, missing float64, seed uint64) (*Thinned, error) {
	if !(missing >= 0 && missing <= 1) { // refuses NaN too
		return nil, fmt.Errorf("edge: %v of the edges cannot be missing: want from 0 to 1", missing)
	}
	all := src.NumEdges()
	left := all - int64(math.Round(float64(all)*missing))
	return &Thinned{derived{src}, left, newPermutation(uint64(all), seed)}, nil
}

// NumEdges implements hops.Source.
func (t *Thinned) NumEdges() int64 { return t.edges }

// EdgesAt implements hops.Source.
func (t *Thinned) EdgesAt(dst []hops.Edge, off int64) (int, error) {
	n, end := span(len(dst), off, t.edges)
	for i := range n {
		if got, err := t.src.EdgesAt(dst[i:i+1], int64(t.order.at(uint64(off)+uint64(i)))); got < 1 {
			return i, err
		}
	}
	return n, end
}
