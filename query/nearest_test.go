package query_test

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/gohops/hops"
	"github.com/gohops/hops/edge"
	"github.com/gohops/hops/engine/cpu"
	"github.com/gohops/hops/query"
)

// A search from several roots finds each vertex as far away as the nearest of them, along
// an edge of the graph.
func TestJoinedFindsTheNearestRoot(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		n := rapid.IntRange(1, 30).Draw(rt, "vertices")
		vertex := rapid.Map(rapid.IntRange(0, n-1), func(v int) hops.Vertex { return hops.Vertex(v) })
		var all []hops.Edge
		edges := map[hops.Edge]bool{}
		directed := rapid.Bool().Draw(rt, "directed")
		for range rapid.IntRange(0, 60).Draw(rt, "edges") {
			e := hops.Edge{U: vertex.Draw(rt, "u"), V: vertex.Draw(rt, "v")}
			all = append(all, e)
			edges[e] = true
			if !directed {
				edges[hops.Edge{U: e.V, V: e.U}] = true
			}
		}
		var src hops.Source = edge.List(all, hops.Vertex(n))
		if directed {
			src = hops.Directed(src)
		}
		roots := rapid.SliceOfNDistinct(vertex, 1, n, rapid.ID).Draw(rt, "roots")
		tree := search(rt, query.Joined(src, roots), hops.Vertex(n))
		query.Disjoin(tree)
		levels, nearest := tree.Levels(nil), make([]int32, n)
		for v := range nearest {
			nearest[v] = -1
		}
		for _, root := range roots {
			for v, far := range search(rt, src, root).Levels(nil) {
				if far >= 0 && (nearest[v] < 0 || far < nearest[v]) {
					nearest[v] = far
				}
			}
		}
		for v, far := range nearest {
			p := tree.Parent(hops.Vertex(v))
			if levels[v] != far {
				rt.Errorf("vertex %d is at level %d, %d hops from the nearest of %v", v, levels[v], far, roots)
			}
			if far > 0 && !edges[hops.Edge{U: p, V: hops.Vertex(v)}] || far == 0 && p != hops.Vertex(v) {
				rt.Errorf("vertex %d has parent %d", v, p)
			}
		}
	})
}

func search(t *rapid.T, src hops.Source, root hops.Vertex) *hops.Tree {
	s, err := cpu.Build(t.Context(), src, cpu.Options{Threads: 2})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	tree := hops.NewTree(src.NumVertices())
	if _, err := s.Search(t.Context(), root, tree); err != nil {
		t.Fatal(err)
	}
	return tree
}
