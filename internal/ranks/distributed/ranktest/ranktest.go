// Package ranktest holds trees that ranks have filled against searches that go one
// vertex after the other.
package ranktest

import (
	"context"
	"fmt"
	"slices"

	"github.com/gohops/hops"
	"github.com/gohops/hops/internal/ranks/distributed"
	"github.com/gohops/hops/internal/testing/oracle"
)

// RankCounts are the numbers of ranks that every engine is run on.
var RankCounts = []int{1, 2, 3, 4, 6, 7, 9}

// A Graph is the neighbours that edges lead to from each vertex.
type Graph [][]uint32

// Read reads all edges of a source.
func Read(src hops.Source) (Graph, error) {
	edges, near := make([]hops.Edge, src.NumEdges()), make(Graph, src.NumVertices())
	if _, err := src.EdgesAt(edges, 0); err != nil {
		return nil, err
	}
	for _, e := range edges {
		near[e.U] = append(near[e.U], uint32(e.V))
		if !hops.IsDirected(src) {
			near[e.V] = append(near[e.V], uint32(e.U))
		}
	}
	return near, nil
}

// Check checks one rank's part of a tree, or all of it.
func (g Graph) Check(tree *hops.Tree, root uint32) error { return g.checkTo(tree, root, 0) }

// checkTo is Check for a tree of at most so many hops; 0 is any number of them.
func (g Graph) checkTo(tree *hops.Tree, root uint32, depth int) error {
	levels, _ := oracle.BFS(len(g), oracle.Heads(g), root)
	reached := func(v uint32) bool { return levels[v] >= 0 && (depth == 0 || int(levels[v]) <= depth) }
	for i := range tree.Len() {
		v := uint32(tree.First) + uint32(i)
		parent := tree.Parent(hops.Vertex(v))
		ok := parent != hops.NoVertex
		switch u := uint32(parent); {
		case ok != reached(v):
			return fmt.Errorf("root %d: vertex %d is reached: %v", root, v, ok)
		case !ok || v == root && u == root:
		case !slices.Contains(g[u], v) || levels[u]+1 != levels[v]:
			return fmt.Errorf("root %d: vertex %d on level %d has the parent %d on level %d", root, v, levels[v], u, levels[u])
		}
	}
	return nil
}

// Parts are the parts of a tree that the ranks of a searcher have filled.
func Parts(s *distributed.Searcher, tree *hops.Tree) (parts []*hops.Tree) {
	for r, of := range s.Ranks {
		first, end := of.Parts.Rank(r)
		part := &hops.Tree{Root: tree.Root, First: hops.Vertex(first)}
		if tree.Wide != nil {
			part.Wide = tree.Wide[first:end]
		} else {
			part.Narrow = tree.Narrow[first:end]
		}
		parts = append(parts, part)
	}
	return parts
}

// A Searcher is a Rank or all of them.
type Searcher interface {
	Search(ctx context.Context, root hops.Vertex, t *hops.Tree) (hops.Trace, error)
}

// Search searches from some roots, checks the trees and returns the number of levels.
func (g Graph) Search(ctx context.Context, s Searcher, tree *hops.Tree, roots ...uint32) (levels int, err error) {
	for _, root := range roots {
		tree.Reset()
		trace, err := s.Search(ctx, hops.Vertex(root), tree)
		if err != nil {
			return levels, err
		}
		if err := g.Check(tree, root); err != nil {
			return levels, err
		}
		levels += len(trace.Levels)
	}
	return levels, nil
}

// SearchPart is Search on one rank, in a tree of its own vertices.
func (g Graph) SearchPart(ctx context.Context, r *distributed.Rank, roots ...uint32) error {
	tree, err := r.NewTree()
	if err == nil {
		_, err = g.Search(ctx, r, tree, roots...)
	}
	return err
}
