package enginetest

import (
	"io"
	"testing"

	"github.com/gohops/hops"
	"github.com/gohops/hops/internal/testing/oracle"
)

// adjacency is a graph for the oracle: every tuple, in both directions unless the
// source is directed, nothing dropped, nothing ordered.
type adjacency [][]hops.Vertex

func adjacencyOf(t *testing.T, src hops.Source) adjacency {
	t.Helper()
	a := make(adjacency, src.NumVertices())
	for _, e := range edgesOf(t, src) {
		a[e.U] = append(a[e.U], e.V)
		if !hops.IsDirected(src) {
			a[e.V] = append(a[e.V], e.U)
		}
	}
	return a
}

func edgesOf(t *testing.T, src hops.Source) []hops.Edge {
	t.Helper()
	edges := make([]hops.Edge, src.NumEdges())
	if n, err := src.EdgesAt(edges, 0); n < len(edges) || (err != nil && err != io.EOF) {
		t.Fatalf("%d of %d edges: %v", n, len(edges), err)
	}
	return edges
}

// levels are the oracle's. Unreached vertices are at level -1.
func (a adjacency) levels(root hops.Vertex) []int32 {
	level, _ := oracle.BFS(len(a), oracle.Heads(a), root)
	return level
}

// levelsOf follows the parents of a tree. A vertex whose parents do not lead to
// the root gets the level -2.
func levelsOf(t *hops.Tree) []int32 {
	const unknown, lost = -3, -2
	level := make([]int32, t.Len())
	for v := range level {
		level[v] = unknown
		if t.Parent(hops.Vertex(v)) == hops.NoVertex {
			level[v] = -1
		}
	}
	if int(t.Root) < len(level) && t.Parent(t.Root) == t.Root {
		level[t.Root] = 0
	}
	var chain []hops.Vertex
	for v := range level {
		chain = chain[:0]
		u := hops.Vertex(v)
		for int(u) < len(level) && level[u] == unknown {
			level[u] = lost // until we know better: ends a cycle
			chain = append(chain, u)
			u = t.Parent(u)
		}
		for i := len(chain) - 1; i >= 0; i-- {
			if int(u) < len(level) && level[u] >= 0 {
				level[chain[i]] = level[u] + 1
			}
			u = chain[i]
		}
	}
	return level
}

func histogram(levels []int32) (sizes []int64) {
	for _, l := range levels {
		for int(l) >= len(sizes) {
			sizes = append(sizes, 0)
		}
		if l >= 0 {
			sizes[l]++
		}
	}
	return sizes
}
