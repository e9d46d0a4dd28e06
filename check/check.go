// Package check decides whether a tree is a breadth-first tree of a graph,
// following the validation rules of the Graph500 specification.
//
// It trusts no one. It reads the graph as the list of tuples that the Source
// delivers, never an engine's arrays, and it derives the levels from the parents
// itself. The work is four passes, each parallel and each linear:
//
//  1. Shape, over the vertices: every parent is a vertex of the graph, is in the
//     tree, and is the vertex itself at the root and nowhere else.
//  2. Levels, over the vertices: the parents of every vertex lead to the root.
//     How many there are is its level.
//  3. Edges, over the tuples: no tuple leads out of the tree, none joins levels
//     that differ by more than one. On the way, every vertex whose parent is
//     the other end of a tuple is marked.
//  4. Marks, over the vertices: all of the tree but the root are marked.
//
// That is enough. Let d be the level by parents. By 4 the parents form real
// paths, so d is at least the distance from the root; by 3 it grows by at most
// one along any path, so it is at most the distance. By 3 again the tree spans
// its component. The specification's rule that a tree edge joins neighbouring
// levels holds because levels are counted along the tree.
//
// When several things are wrong, the earliest pass decides, and within it the
// vertex or the tuple of lowest number, whatever the number of workers.
//
// If the Source is directed, so are the rules of the tuples: see compareDirected.
//
// Results with distances are checked in paths.go, by the same passes.
package check

import (
	"context"
	"fmt"

	"github.com/gohops/hops"
	"github.com/gohops/hops/internal/base/bitset"
	"github.com/gohops/hops/internal/base/par"
)

// A Checker checks trees of one graph, one at a time.
type Checker struct {
	tuples   tuples
	directed bool
	words    []uint32   // by vertex: its level, later also its parent, see word.go
	marked   bitset.Set // by vertex: its tree edge is among the tuples; for Traversed, it is in the tree
	counted  *traversed // what Traversed has found for the marked vertices, nil if they are marked by another
	scratch  []scratch  // by worker
	deepest  level      // beyond which trees are refused
}

// A Result is what a valid tree shows.
type Result struct {
	Vertices int64   // in the tree
	Edges    int64   // tuples within the tree, duplicates included, self-loops not
	Loops    int64   // self-loop tuples within the tree
	Levels   []int64 // vertices on each level, the root's first
}

// New returns a checker of trees of the graph src, which must not change. It works
// with so many threads, one for each CPU if that is 0, until it is closed. It
// allocates all its memory, Need and a little for every thread; only the
// histogram of a Result is allocated later.
func New(src hops.Source, threads int) *Checker {
	n, team := src.NumVertices(), par.NewTeam(threads, nil)
	c := &Checker{
		tuples:   newTuples(src, team),
		directed: hops.IsDirected(src),
		words:    make([]uint32, n),
		marked:   bitset.New(int64(n)),
		scratch:  make([]scratch, team.Size()),
		deepest:  deepest,
	}
	for i := range c.scratch {
		c.scratch[i] = newScratch(blockTuples)
	}
	return c
}

// Close ends the threads.
func (c *Checker) Close() { c.tuples.team.Close() }

// Need is how many bytes a checker of n vertices allocates for them, whatever
// the number of edges. Each worker takes another 40 KiB for a block of tuples.
func Need(n hops.Vertex) int64 {
	return 4*int64(n) + 8*int64(bitset.Words(int64(n)))
}

// Tree checks that t is a breadth-first tree from t.Root. The caller knows which
// root it asked for and compares. The error is an *Error if the tree is at
// fault; others tell of a tree of the wrong size, a source that cannot be read
// or a cancelled context.
func (c *Checker) Tree(ctx context.Context, t *hops.Tree) (Result, error) {
	n := hops.Vertex(len(c.words))
	switch {
	case t.Narrow != nil && t.Wide != nil:
		return Result{}, fmt.Errorf("check: the tree has both narrow and wide parents")
	case t.First != 0 || hops.Vertex(t.Len()) != n:
		return Result{}, fmt.Errorf("check: the tree covers %d vertices from %d on, the graph has %d from 0 on",
			t.Len(), t.First, n)
	}
	return judge(ctx, c, t)
}

// A trial is the check of one tree.
type trial struct {
	*Checker
	narrow []uint32 // the parents, in the form that the tree has
	wide   []hops.WideParent
	root   hops.Vertex
	last   level // code of the deepest vertex, from the level pass on
}

func judge(ctx context.Context, c *Checker, tree *hops.Tree) (r Result, err error) {
	t := newTrial(c, tree)
	return r.from(ctx,
		func() error { return t.checkShape(ctx) },
		func() error { return t.findLevels(ctx) },
		func() error { r.Levels, err = t.packWords(ctx); return err },
		func() error { r.Edges, r.Loops, err = t.checkEdges(ctx); return err },
		func() error { return t.checkMarks(ctx) },
	)
}

// from returns the result that passes leave in r, or the error of the first that fails.
func (r *Result) from(ctx context.Context, passes ...func() error) (Result, error) {
	for _, pass := range passes {
		if err := ctx.Err(); err != nil {
			return Result{}, fmt.Errorf("check: %w", err)
		}
		if err := pass(); err != nil {
			return Result{}, err
		}
	}
	for _, count := range r.Levels {
		r.Vertices += count
	}
	return *r, nil
}

// newTrial is the trial of a tree of all vertices.
func newTrial(c *Checker, tree *hops.Tree) *trial {
	c.counted = nil // the trial marks other vertices
	return &trial{Checker: c, narrow: tree.Narrow, wide: tree.Wide, root: tree.Root}
}

// size is the number of vertices.
func (t *trial) size() hops.Vertex { return hops.Vertex(len(t.narrow) + len(t.wide)) }

// parent is the parent of v, or hops.NoVertex: Tree.Parent for a tree that begins at vertex 0. All
// passes over the vertices call it.
func (t *trial) parent(v hops.Vertex) hops.Vertex {
	if t.narrow == nil {
		return t.wide[v].Vertex()
	}
	if p := t.narrow[v]; p != ^uint32(0) {
		return hops.Vertex(p)
	}
	return hops.NoVertex
}

// above is the parent of v, which has one.
func (t *trial) above(v hops.Vertex) hops.Vertex {
	if t.narrow == nil {
		return t.wide[v].Vertex()
	}
	return hops.Vertex(t.narrow[v])
}

// isParent tells whether p, a vertex, is the parent of v.
func (t *trial) isParent(p, v hops.Vertex) bool {
	if t.narrow == nil {
		return t.wide[v].Vertex() == p
	}
	return t.narrow[v] == uint32(p)
}
