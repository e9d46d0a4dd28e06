package query_test

import (
	"cmp"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/gohops/hops"
	"github.com/gohops/hops/query"
)

func TestDegrees(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := drawGraph(t)
		defer g.Close()
		kind := rapid.SampledFrom([]query.DegreeKind{query.TotalDegree, query.OutDegree, query.InDegree}).Draw(t, "kind")
		degree := make([]int64, g.NumVertices()) // by counting at the ends of edges
		for v := range g.NumVertices() {
			for u := range g.Neighbors(v) {
				if !g.Directed || kind != query.InDegree {
					degree[v]++
				}
				if g.Directed && kind != query.OutDegree {
					degree[u]++
				}
			}
		}
		vertices, last := int64(0), int64(-1)
		for _, c := range query.DegreeDistribution(g, kind) {
			want := int64(0)
			for _, d := range degree {
				if d == c.Degree {
					want++
				}
			}
			if c.Vertices != want || c.Degree <= last {
				t.Fatalf("%+v after %d, want %d vertices", c, last, want)
			}
			vertices, last = vertices+c.Vertices, c.Degree
		}
		if vertices != int64(len(degree)) {
			t.Fatalf("%d vertices of %d", vertices, len(degree))
		}
		order := make([]hops.Vertex, len(degree))
		for v := range order {
			order[v] = hops.Vertex(v)
		}
		slices.SortStableFunc(order, func(a, b hops.Vertex) int { return cmp.Compare(degree[b], degree[a]) })
		count := rapid.IntRange(0, len(order)).Draw(t, "count")
		if count > 0 {
			order = order[:count]
		}
		if got := query.Highest(g.NumVertices(), count, func(v hops.Vertex) int64 { return kind.Of(g, v) }); !slices.Equal(got, order) {
			t.Fatalf("%v, want %v", got, order)
		}
	})
}

// The first few of many: what is cut on the way is not among them.
func TestHighestOfMany(t *testing.T) {
	const n = 50_000
	got := query.Highest(n, 5, func(v hops.Vertex) uint64 { return uint64(v) * 7919 % 1000 })
	for _, v := range got {
		if uint64(v)*7919%1000 != 999 {
			t.Errorf("vertex %d is among the highest", v)
		}
	}
	if !slices.IsSorted(got) || len(got) != 5 || got[0] >= 1000 || got[4] >= 5000 {
		t.Errorf("%v are not the first ones", got)
	}
}
