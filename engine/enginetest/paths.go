package enginetest

import (
	"cmp"
	"container/heap"
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/gohops/hops"
	"github.com/gohops/hops/check"
	"github.com/gohops/hops/edge"
)

// A PathSearcher is what an engine with kernel 3 returns.
type PathSearcher interface {
	Search(ctx context.Context, root hops.Vertex, p *hops.Paths) (hops.Trace, error)
	Close() error
}

// A PathEngine is one configuration under test that finds shortest paths.
type PathEngine struct {
	Build func(ctx context.Context, src hops.WeightedSource, wide bool) (PathSearcher, error)
	// Scale is that of the Kronecker graph: 0 is 9.
	Scale int
	// Wide says that distances of 64 bits are tested, too, on the smaller graphs.
	Wide bool
}

// RunPaths compares distances with those of Dijkstra's algorithm in every bit, hands every
// result to the checker, and compares the trace with the result.
func RunPaths(t *testing.T, e PathEngine) {
	kronecker, err := edge.NewKronecker(cmp.Or(e.Scale, 9), 16, 2, 3)
	if err != nil {
		t.Fatal(err)
	}
	e.search(t, "kronecker", kronecker, 2)
	for name, draw := range PathWeights {
		e.search(t, name, weighted(uneven(200, 900).source(), draw), 1)
		e.search(t, name+" directed", weighted(hops.Directed(uneven(200, 900).source()), draw), 1)
	}
	e.search(t, "star", weighted(star(6000).source(), PathWeights["uniform"]), 2)
	e.search(t, "path", weighted(pathGraph(60).source(), PathWeights["integers"]), 1)
	e.search(t, "empty", weighted(graph{n: 40}.source(), PathWeights["ones"]), 1)
}

// PathWeights are ways to draw weights that differ in what can go wrong.
var PathWeights = map[string]func(r *rand.Rand) float32{
	"uniform":  func(r *rand.Rand) float32 { return r.Float32() },
	"integers": func(r *rand.Rand) float32 { return float32(1 + r.IntN(1000)) },
	"quarters": func(r *rand.Rand) float32 { return float32(1+r.IntN(8)) / 4 }, // sums are ends of buckets
	"ones":     func(*rand.Rand) float32 { return 1 },
	"zeros":    func(r *rand.Rand) float32 { return float32(r.IntN(2)) },
	"nothing":  func(*rand.Rand) float32 { return 0 },
	"extremes": func(r *rand.Rand) float32 { return float32(math.Ldexp(r.Float64(), r.IntN(200)-140)) },
}

// weighted draws a weight for every edge of a source.
func weighted(src hops.Source, draw func(r *rand.Rand) float32) hops.WeightedSource {
	r, weights := rand.New(rand.NewPCG(5, 7)), make([]float32, src.NumEdges())
	for i := range weights {
		weights[i] = draw(r)
	}
	return edge.WithWeights(src, weights)
}

// uneven is a graph in which a few vertices have most of the edges.
func uneven(n, m int) graph {
	r := rand.New(rand.NewPCG(3, 4))
	return build("uneven", n, func(edge func(u, v int)) {
		for range m {
			edge(int(r.Float64()*r.Float64()*r.Float64()*float64(n)), r.IntN(n))
		}
	})
}

// search searches a graph from some roots, with distances of every width.
func (e *PathEngine) search(t *testing.T, name string, src hops.WeightedSource, roots int) {
	t.Helper()
	for _, wide := range []bool{false, true} {
		if wide && (!e.Wide || src.NumEdges() > 2000) {
			continue
		}
		s, err := e.Build(context.Background(), src, wide)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		checker, n := check.New(src, 1), src.NumVertices()
		paths := hops.NewSinglePaths(n)
		if wide {
			paths = hops.NewPaths(n)
		}
		for i := range hops.Vertex(roots) {
			root := (i*7919 + 5) % n
			mustClearPaths(t, s, paths)
			trace, err := s.Search(context.Background(), root, paths)
			if err != nil {
				t.Fatalf("%s, root %d: %v", name, root, err)
			}
			found, err := checker.Paths(context.Background(), paths)
			if err != nil {
				t.Fatalf("%s, root %d: %v", name, root, err)
			}
			if trace.Found()+1 != found.Vertices || paths.Root != root {
				t.Fatalf("%s, root %d: the trace finds %d vertices beside the root, the result has %d from root %d", name, root, trace.Found(), found.Vertices, paths.Root)
			}
			compareDistances(t, name, src, paths)
		}
		checker.Close()
		if err := s.Close(); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
	}
}

// mustClearPaths empties a result, by the engine if that does it, and sees that it is empty
// then.
func mustClearPaths(t testing.TB, engine any, p *hops.Paths) {
	t.Helper()
	clearer, ok := engine.(interface{ Clear(p *hops.Paths) })
	if !ok {
		p.Reset()
		return
	}
	clearer.Clear(p)
	left := p.Root != hops.NoVertex
	for v := range hops.Vertex(p.Len()) {
		left = left || p.Parent(p.First+v) != hops.NoVertex || !math.IsInf(p.Distance(p.First+v), 1)
	}
	if left {
		t.Fatal("the engine left something in a result that it cleared")
	}
}

// compareDistances compares distances with Dijkstra's.
func compareDistances(t *testing.T, name string, src hops.WeightedSource, p *hops.Paths) {
	t.Helper()
	for v, want := range Dijkstra(t, src, p.Root, p.Double != nil) {
		if got := p.Distance(hops.Vertex(v)); got != want {
			t.Fatalf("%s, root %d: vertex %d is %v away, want %v", name, p.Root, v, got, want)
		}
	}
}

// Dijkstra returns the distances from a root by the textbook's algorithm, rounded to 32 bits
// after every addition unless they are wide.
func Dijkstra(t testing.TB, src hops.WeightedSource, root hops.Vertex, wide bool) []float64 {
	t.Helper()
	edges, weights := make([]hops.Edge, src.NumEdges()), make([]float32, src.NumEdges())
	if n, err := hops.TuplesAt(src, edges, weights, 0); n < len(edges) {
		t.Fatal(err)
	}
	type arc struct {
		to     hops.Vertex
		weight float32
	}
	rows, far := make([][]arc, src.NumVertices()), make([]float64, src.NumVertices())
	for i, e := range edges {
		rows[e.U] = append(rows[e.U], arc{e.V, weights[i]})
		if !hops.IsDirected(src) {
			rows[e.V] = append(rows[e.V], arc{e.U, weights[i]})
		}
	}
	for v := range far {
		far[v] = math.Inf(1)
	}
	far[root] = 0
	for q := (nearest{{0, root}}); len(q) > 0; {
		top := heap.Pop(&q).(reached)
		if top.far > far[top.vertex] {
			continue
		}
		for _, a := range rows[top.vertex] {
			sum := top.far + float64(a.weight)
			if !wide {
				sum = float64(float32(top.far) + a.weight)
			}
			if sum < far[a.to] {
				far[a.to] = sum
				heap.Push(&q, reached{sum, a.to})
			}
		}
	}
	return far
}

// reached is a vertex with a distance, and nearest a heap of these.
type (
	reached struct {
		far    float64
		vertex hops.Vertex
	}
	nearest []reached
)

func (q nearest) Len() int           { return len(q) }
func (q nearest) Less(i, j int) bool { return q[i].far < q[j].far }
func (q nearest) Swap(i, j int)      { q[i], q[j] = q[j], q[i] }
func (q *nearest) Push(x any)        { *q = append(*q, x.(reached)) }
func (q *nearest) Pop() any {
	last := (*q)[len(*q)-1]
	*q = (*q)[:len(*q)-1]
	return last
}
