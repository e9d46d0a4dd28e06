// Package query answers questions about a finished graph: shortest paths, connected and
// strongly connected components, closeness, betweenness, neighbourhoods, degrees, diameter
// and eccentricities.
//
// Questions that search a whole graph take a searcher, which any engine provides:
//
//	s, err := cpu.New(g, cpu.Options{})
//	…
//	depth, err := query.DiameterAtLeast(ctx, query.SweepOne(g, s), start)
//
// The others read the graph themselves, and of a mapped file no more than the
// answer needs.
package query

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"github.com/gohops/hops"
	"github.com/gohops/hops/graph"
)

// A Searcher searches a graph from one vertex and fills an empty tree.
type Searcher interface {
	Search(ctx context.Context, root hops.Vertex, t *hops.Tree) (hops.Trace, error)
}

// newTree returns an empty tree for a searcher, made by that if it makes trees: their parents may
// take more bits than the number of vertices asks for.
func newTree(s Searcher, n hops.Vertex) (*hops.Tree, error) {
	if own, ok := s.(interface{ NewTree() (*hops.Tree, error) }); ok {
		return own.NewTree()
	}
	return hops.NewTree(n), nil
}

// A ManySearcher searches a graph from up to hops.MaxRoots vertices at once.
type ManySearcher interface {
	Search(ctx context.Context, roots []hops.Vertex, d *hops.Depths) (hops.Trace, error)
}

// A Summer is a ManySearcher that sums up levels where it finds them, from any number of
// roots, without a copy of the levels of all vertices.
type Summer interface {
	Sums(ctx context.Context, roots []hops.Vertex) ([]hops.DepthSum, error)
}

// contradiction is the error of a question that reads an edge in the row of one of its ends and not
// in the row of the other. A question that reads few rows of a file does not compare them; Verify
// compares all, and says what is wrong with the file.
func contradiction(g *graph.Graph) error {
	return fmt.Errorf("query: %w", cmp.Or(g.Verify(), errors.New("the graph has an edge in the row of only one of its ends")))
}
