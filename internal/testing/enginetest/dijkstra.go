package enginetest

import (
	"container/heap"
	"math"
	"testing"

	"github.com/gohops/hops"
)

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
