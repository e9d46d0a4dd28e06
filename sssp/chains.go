package sssp

import (
	"math"

	"github.com/gohops/hops/graph"
)

// Most vertices of a road map are inner: they have two neighbours and lie on a chain between two
// crossings. The search visits crossings only, with one entry for every chain. An inner vertex then
// gets the lesser of two distances: by the one end of its chain, or by the other.
//
//  1. Crossings have slots and segments. The weight of an entry is the sum along its chain.
//  2. The queues search the crossings.
//  3. The inner vertices get their distances chain by chain (inner.go).
//
// Sums are then added up in another order than along the path. So the weights must be integers and
// distances small enough to be exact, or the graph is searched again without chains. No weight is
// zero, so that two vertices are never each other's parents.

// A chain is a path of inner vertices between two crossings, or from a crossing back to it.
type chain struct {
	ends  [2]uint32 // slots
	first uint32    // index of the first inner vertex; the next chain begins behind the last
	sum   uint32    // of the weights, from end to end
}

// chains are all chains of a graph, with their inner vertices.
type chains struct {
	list []chain // with a sentinel at the end, of which only first is set
	// Of every inner vertex, in the order of the chains: its label, the sum of the weights from the first end
	// of the chain on, and its position behind the crossings.
	inner    []uint32
	before   []uint32
	position []uint32
	innerAt  []uint32 // the inverse of position
	longest  uint32   // largest sum of a chain
	// via has for every entry of a segment the label of the neighbour that it leads to first.
	via [][4]uint32
}

// exactSums is the bound up to which float32 has every integer.
const exactSums = 1 << 24

// chainsPay tells whether most vertices of a graph are inner, and all weights are integers from 1
// on, whose sums are exact in any order.
func chainsPay(g *graph.Graph) bool {
	if g.Directed {
		return false
	}
	for _, w := range g.Out.Weights {
		if !(w >= 1 && w < exactSums) || w != float32(math.Floor(float64(w))) {
			return false
		}
	}
	inner, others := 0, 0
	for v := range uint32(g.NumVertices()) {
		if isInner(g, v) {
			inner++
		} else if g.Out.Degree(v) > 0 {
			others++
		}
	}
	return inner > others
}

// isInner tells whether a vertex has two neighbours.
func isInner(g *graph.Graph, v uint32) bool {
	row := g.Out.Row(v)
	return len(row) == 2 && row[0] != row[1] && row[0] != v && row[1] != v
}
