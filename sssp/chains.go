package sssp

import (
	"math"

	"github.com/gohops/hops/graph"
)

// Most vertices of a road map are bends: they have two neighbours and lie on a chain between two
// crossings. A search of the crossings alone, with one entry for every chain, finds the distances
// of all: a bend is reached from the end of its chain that is nearer to the root by way of the bends between.
//
//  1. Crossings have slots and quads. The weight of an entry is the sum along its chain.
//  2. The queues search the crossings.
//  3. The bends get their distances chain by chain (bends.go).
//
// Sums are then added up in another order than along the path. So the weights must be integers and
// distances small enough to be exact, or the graph is searched again without chains. No weight is
// zero, so that two vertices are never each other's parents.

// A chain is a path of bends between two crossings, or from a crossing back to it.
type chain struct {
	ends  [2]uint32 // slots
	first uint32    // index of the first bend; the next chain begins behind the last
	sum   uint32    // of the weights, from end to end
}

// chains are the bends of a graph.
type chains struct {
	list []chain // behind the last is one that has only its first
	// Of every bend, in the order of the chains: its label, the sum of the weights from the first end
	// of the chain on, and its place behind those of the crossings.
	bends   []uint32
	before  []uint32
	place   []uint32
	bendAt  []uint32 // which bend has a place
	longest uint32   // sum of a chain
	// via has for every entry of a quad the label of the neighbour that it leads to first.
	via [][4]uint32
}

// exactSums is the bound up to which float32 has every integer.
const exactSums = 1 << 24

// chainsPay tells whether most vertices of a graph are bends, and sums of weights the same in any order.
func chainsPay(g *graph.Graph) bool {
	if g.Directed {
		return false
	}
	for _, w := range g.Out.Weights {
		if !(w >= 1 && w < exactSums) || w != float32(math.Floor(float64(w))) {
			return false
		}
	}
	bends, others := 0, 0
	for v := range uint32(g.NumVertices()) {
		if isBend(g, v) {
			bends++
		} else if g.Out.Degree(v) > 0 {
			others++
		}
	}
	return bends > others
}

// isBend tells whether a vertex has two neighbours.
func isBend(g *graph.Graph, v uint32) bool {
	row := g.Out.Row(v)
	return len(row) == 2 && row[0] != row[1] && row[0] != v && row[1] != v
}
