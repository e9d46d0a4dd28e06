// Package intake reads edges from a source that may break its promises. A source is any program's
// code: it may fail, end early, give too much, or give other edges when it is asked again.
package intake

import (
	"fmt"
	"io"
	"math"

	"github.com/gohops/hops"
)

// Count returns the number of edges of a source, or an error if there are fewer than none.
func Count(src hops.Source) (int64, error) {
	m := src.NumEdges()
	if m < 0 {
		return 0, fmt.Errorf("the source (%T) says that it has %d edges", src, m)
	}
	return m, nil
}

// Fill fills edges with the edges from off on, and weights with their weights unless it is nil. It
// fails if they are not all there, or if the source fails, even after the last of them.
func Fill(src hops.Source, edges []hops.Edge, weights []float32, off int64) (err error) {
	n := 0
	if weights == nil {
		n, err = src.EdgesAt(edges, off)
	} else {
		n, err = hops.TuplesAt(src.(hops.WeightedSource), edges, weights, off)
	}
	switch {
	case n > len(edges):
		return fmt.Errorf("the source (%T) gave %d edges where it was asked for %d", src, n, len(edges))
	case n < len(edges) && (err == nil || err == io.EOF): // an error that wraps io.EOF is the source's own
		err = io.ErrUnexpectedEOF
	case err == nil || err == io.EOF:
		return nil
	}
	return fmt.Errorf("edge %d of %d: %w", off+int64(max(n, 0)), src.NumEdges(), err)
}

// Checked is Fill for a list of so many vertices. It refuses an edge whose end is no vertex, and a
// weight that is negative or not finite.
func Checked(src hops.Source, vertices hops.Vertex, edges []hops.Edge, weights []float32, off int64) error {
	if err := Fill(src, edges, weights, off); err != nil {
		return err
	}
	if err := Labels(edges, vertices, off); err != nil {
		return err
	}
	return Weights(edges, weights, off)
}

// Labels refuses edges of which one has an end that is no vertex.
func Labels(edges []hops.Edge, vertices hops.Vertex, off int64) error {
	for i, e := range edges {
		if e.U >= vertices || e.V >= vertices {
			return fmt.Errorf("edge %d joins %d and %d, but there are only %d vertices", off+int64(i), e.U, e.V, vertices)
		}
	}
	return nil
}

// Weights refuses weights that have no place in an order of lengths, and takes the sign of -0 away,
// which would spoil the order of bits.
func Weights(edges []hops.Edge, weights []float32, off int64) error {
	for i, w := range weights {
		if !(w >= 0 && w <= math.MaxFloat32) {
			return fmt.Errorf("edge %d, from %d to %d, has weight %v: a weight is finite and not negative",
				off+int64(i), edges[i].U, edges[i].V, w)
		}
		if w == 0 {
			weights[i] = 0
		}
	}
	return nil
}

// Digest is the same for the same edges in any order, and most likely another for others.
func Digest(edges []hops.Edge) (sum uint64) {
	for _, x := range edges {
		h := uint64(x.U)*0x9e3779b97f4a7c15 + uint64(x.V) // constants of splitmix64
		sum += (h ^ h>>29) * 0xbf58476d1ce4e5b9
	}
	return sum
}
