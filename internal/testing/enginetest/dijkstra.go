package enginetest

import (
	"testing"

	"github.com/gohops/hops"
	"github.com/gohops/hops/internal/testing/checktest"
	"github.com/gohops/hops/internal/testing/oracle"
)

// Dijkstra returns the distances from a root, rounded to 32 bits after every addition unless
// they are wide.
func Dijkstra(t testing.TB, src hops.WeightedSource, root hops.Vertex, wide bool) []float64 {
	t.Helper()
	edges, weights := make([]hops.Edge, src.NumEdges()), make([]float32, src.NumEdges())
	if n, err := hops.TuplesAt(src, edges, weights, 0); n < len(edges) {
		t.Fatal(err)
	}
	if wide {
		far, _ := oracle.Dijkstra(int(src.NumVertices()), checktest.Arcs[float64](src.NumVertices(), edges, weights, hops.IsDirected(src)), root)
		return far
	}
	p := checktest.Shortest(src.NumVertices(), edges, weights, root, hops.IsDirected(src))
	far := make([]float64, p.Len())
	for v := range far {
		far[v] = p.Distance(hops.Vertex(v))
	}
	return far
}
