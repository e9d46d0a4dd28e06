// Package edge is where edges come from: generators, lists and files, all of them
// a hops.Source.
//
// Generators (Kronecker, RMAT, Uniform, Grid) make each edge from its index alone, so
// any number of readers may share one, start anywhere, and see the same list.
// Thinned, Chained and Permuted change another source on the way, just so.
// Packed and List hold a list in memory, PackedFile reads one from disk.
package edge

import (
	"fmt"
	"io"

	"github.com/gohops/hops"
)

// MaxScale bounds the generators to 2⁴² vertices, the "huge" class of Graph500.
const MaxScale = 42

// span returns how many of the want elements from off on exist in a list of
// total elements, with the error that hops.Source asks for when not all do.
func span(want int, off, total int64) (int, error) {
	if off < 0 {
		return 0, fmt.Errorf("edge: negative offset %d", off)
	}
	if left := max(total-off, 0); int64(want) > left {
		return int(left), io.EOF
	}
	return want, nil
}

// checkGraph validates what all scaled generators are given and returns the
// number of edges.
func checkGraph(scale, edgeFactor int) (edges int64, err error) {
	if err := checkScale(scale); err != nil {
		return 0, err
	}
	if limit := int64(1) << (62 - scale); edgeFactor < 1 || int64(edgeFactor) > limit {
		return 0, fmt.Errorf("edge: edge factor %d is not within 1 … %d at scale %d", edgeFactor, limit, scale)
	}
	return int64(edgeFactor) << scale, nil
}

func checkScale(scale int) error {
	if scale < 1 || scale > MaxScale {
		return fmt.Errorf("edge: scale %d is not within 1 … %d", scale, MaxScale)
	}
	return nil
}

// outOfRange is the error of a list whose edge i names a vertex that it has not,
// without the name of the list.
func outOfRange(i int64, e hops.Edge, n hops.Vertex) error {
	return fmt.Errorf("edge %d (%d, %d): label out of range, there are %d vertices", i, e.U, e.V, n)
}

// readError is the error of a source that broke off before edge i.
func readError(i int64, err error) error {
	if err == nil || err == io.EOF {
		err = io.ErrUnexpectedEOF // sources promise as many edges as NumEdges says
	}
	return fmt.Errorf("edge: reading edge %d: %w", i, err)
}
