package enginetest

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/gohops/hops"
)

// directed searches graphs whose edges lead one way, or sees that they are
// refused.
func (s *suite) directed(t *testing.T) {
	if !s.Directed {
		s.refuseDirected(t)
		return
	}
	for _, g := range directedGraphs() {
		t.Run(g.name, func(t *testing.T) {
			p := s.probe(t, hops.Directed(g.source()))
			for root := range g.n {
				if root < 3 || root%(g.n/8+1) == 0 || root == g.n-1 {
					p.search(t, root)
				}
			}
		})
	}
	for scale := 10; scale <= min(s.MaxScale, 13); scale++ {
		t.Run(fmt.Sprint(scale), func(t *testing.T) { s.directedKronecker(t, scale) })
	}
}

func (s *suite) refuseDirected(t *testing.T) {
	x, err := s.Build(context.Background(), hops.Directed(pathGraph(100).source()))
	if err == nil {
		_ = x.Close()
		t.Error("a directed graph was accepted: refuse it, or set Directed and search it")
	}
}

// directedGraphs are the named graphs, and shapes that tell rows out of a vertex
// from rows into it.
func directedGraphs() []graph {
	return append(namedGraphs(),
		reversed(star(5000)), reversed(pathGraph(129)), reversed(tree(1000)), reversed(dandelion(400, 700)),
		graph{name: "intoTheRoot", n: 5, edges: pairs(1, 0, 2, 0, 3, 1, 4, 2)},
		graph{name: "twoWays", n: 6, edges: pairs(0, 1, 1, 2, 2, 5, 0, 3, 3, 4, 4, 5, 5, 0, 3, 2)},
	)
}

// reversed turns all edges round.
func reversed(g graph) graph {
	back := graph{name: g.name + "Reversed", n: g.n, edges: slices.Clone(g.edges)}
	for i, e := range back.edges {
		back.edges[i] = hops.Edge{U: e.V, V: e.U}
	}
	return back
}

// directedKronecker searches from vertices that edges lead out of, and from any.
func (s *suite) directedKronecker(t *testing.T, scale int) {
	src := hops.Directed(kronecker(t, scale))
	p := s.probe(t, src)
	edges := edgesOf(t, src)
	r := rand.New(rand.NewPCG(uint64(scale), 2))
	for range s.Roots {
		p.search(t, edges[r.IntN(len(edges))].U)
		p.search(t, hops.Vertex(r.Uint64N(uint64(src.NumVertices()))))
	}
}
