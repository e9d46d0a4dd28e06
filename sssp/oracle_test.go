package sssp

import (
	"container/heap"
	"context"
	"math"
	"testing"

	"github.com/gohops/hops"
	"github.com/gohops/hops/csr"
	"github.com/gohops/hops/edge"
	"github.com/gohops/hops/graph"
)

// dijkstra is the textbook's algorithm with sums of one width.
func dijkstra[D distance](g *graph.Graph, root hops.Vertex) []D {
	far := make([]D, g.NumVertices())
	for v := range far {
		far[v] = inf[D]()
	}
	far[root] = 0
	for q := (queue[D]{{0, uint32(root)}}); len(q) > 0; {
		top := heap.Pop(&q).(reached[D])
		if top.far > far[top.slot] {
			continue
		}
		row, weights, _ := g.OutEdges(hops.Vertex(top.slot))
		for i, u := range row {
			if sum := top.far + D(weights[i]); sum < far[u] {
				far[u] = sum
				heap.Push(&q, reached[D]{sum, u})
			}
		}
	}
	return far
}

type queue[D distance] []reached[D]

func (q queue[D]) Len() int           { return len(q) }
func (q queue[D]) Less(i, j int) bool { return q[i].far < q[j].far }
func (q queue[D]) Swap(i, j int)      { q[i], q[j] = q[j], q[i] }
func (q *queue[D]) Push(x any)        { *q = append(*q, x.(reached[D])) }
func (q *queue[D]) Pop() any {
	last := (*q)[len(*q)-1]
	*q = (*q)[:len(*q)-1]
	return last
}

// checkPaths compares distances with Dijkstra's in every bit, and parents with edges.
func checkPaths(t fataler, g *graph.Graph, root hops.Vertex, p *hops.Paths) {
	t.Helper()
	single, double := []float32(nil), []float64(nil)
	if p.Double == nil {
		single = dijkstra[float32](g, root)
	} else {
		double = dijkstra[float64](g, root)
	}
	for v := range g.NumVertices() {
		var want float64
		if single != nil {
			want = float64(single[v])
		} else {
			want = double[v]
		}
		if got := p.Distance(v); got != want {
			t.Fatalf("root %d: vertex %d is %v away, want %v", root, v, got, want)
		}
		if p.Has(v) != !math.IsInf(want, 1) || v != root && p.Has(v) && !tight(g, p, v) {
			t.Fatalf("root %d: vertex %d, %v away, has parent %d", root, v, want, p.Parent(v))
		}
		if p.Has(v) && p.Level(v) < 0 {
			t.Fatalf("root %d: the parents of %d do not lead to the root", root, v)
		}
	}
}

type fataler interface {
	Helper()
	Fatalf(string, ...any)
}

// tight tells whether the edge from the parent of v makes its distance.
func tight(g *graph.Graph, p *hops.Paths, v hops.Vertex) bool {
	row, weights, _ := g.InEdges(v)
	for i, u := range row {
		if hops.Vertex(u) != p.Parent(v) {
			continue
		}
		if p.Double == nil {
			return p.Single[u]+weights[i] == p.Single[v]
		}
		return p.Double[u]+float64(weights[i]) == p.Double[v]
	}
	return false
}

func weightedGraph(t fataler, src hops.WeightedSource) *graph.Graph {
	t.Helper()
	g, err := csr.BuildWeighted(context.Background(), src, 2)
	if err != nil {
		t.Fatalf("%v", err)
	}
	return g
}

func kronecker(t fataler, scale int) *graph.Graph {
	t.Helper()
	src, err := edge.NewKronecker(scale, 16, 2, 3)
	if err != nil {
		t.Fatalf("%v", err)
	}
	return weightedGraph(t, src)
}

func newSearcher(t *testing.T, g *graph.Graph, opts Options) *Searcher {
	t.Helper()
	s, err := New(g, opts)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}
