package many

import (
	"cmp"
	"iter"
	"slices"

	"github.com/gohops/hops"
	"github.com/gohops/hops/graph"
)

// Batches divides roots into batches that share a search well, of up to MaxRoots each, and
// yields for each batch the roots and their indices among all roots. Both are valid until
// the next batch.
//
// Roots share a level best if their frontiers are alike in size: the sparsest frontier
// decides how far rows are read. So roots are ordered by the row entries of their
// neighbours, which the second level reads. Roots that fit into one search keep their
// order. docs/design/many.md has the figures.
func Batches(g *graph.Graph, roots []hops.Vertex) iter.Seq2[[]int, []hops.Vertex] {
	return func(yield func([]int, []hops.Vertex) bool) {
		batch := make([]hops.Vertex, 0, hops.MaxRoots)
		for indices := range slices.Chunk(order(g, roots), hops.MaxRoots) {
			batch = batch[:0]
			for _, i := range indices {
				batch = append(batch, roots[i])
			}
			if !yield(indices, batch) {
				return
			}
		}
	}
}

// order returns the indices of roots in the order of Batches. A graph that cannot be
// read leaves them as they are, for the search to say so.
func order(g *graph.Graph, roots []hops.Vertex) []int {
	indices, weights := make([]int, len(roots)), make([]int64, len(roots))
	for i := range indices {
		indices[i] = i
	}
	if len(roots) <= hops.MaxRoots || g.Verify() != nil {
		return indices
	}
	err := g.Read(func() error {
		for i, root := range roots {
			if root < g.NumVertices() {
				weights[i] = secondEntries(g, uint32(root))
			}
		}
		return nil
	})
	if err == nil {
		slices.SortStableFunc(indices, func(a, b int) int { return cmp.Compare(weights[a], weights[b]) })
	}
	return indices
}

// sampledNeighbors is how many neighbours of a root are looked up at most: each is a
// cache miss. Rows begin with hubs, so that the sample is taken from the whole row.
const sampledNeighbors = 256

// secondEntries estimates the row entries of the neighbours of v.
func secondEntries(g *graph.Graph, v uint32) int64 {
	row := g.Out.Row(v)
	stride, sum := len(row)/sampledNeighbors+1, int64(0)
	for i := 0; i < len(row); i += stride {
		sum += g.Out.Degree(row[i])
	}
	return sum * int64(stride)
}
