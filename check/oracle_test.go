package check

import (
	"fmt"
	"slices"

	"github.com/gohops/hops"
	"github.com/gohops/hops/internal/testing/oracle"
)

// isTree says what a breadth-first tree is: exactly the vertices at a finite
// distance are in it, and the parent of each but the root is a neighbour that is
// one closer.
func isTree(g graph, t *hops.Tree) (Result, bool) {
	if t.Root >= g.n || t.Parent(t.Root) != t.Root {
		return Result{}, false
	}
	d, _ := oracle.BFS(int(g.n), oracle.Heads(g.rows()), t.Root)
	var r Result
	for v := range g.n {
		p := t.Parent(v)
		switch {
		case (p == hops.NoVertex) != (d[v] < 0):
			return Result{}, false
		case p == hops.NoVertex:
			continue
		case v != t.Root && (p >= g.n || !g.joins(v, p) || d[p] != d[v]-1):
			return Result{}, false
		}
		for len(r.Levels) <= int(d[v]) {
			r.Levels = append(r.Levels, 0)
		}
		r.Levels[d[v]]++
		r.Vertices++
	}
	for _, e := range g.edges {
		if d[e.U] >= 0 && e.U == e.V {
			r.Loops++
		} else if d[e.U] >= 0 {
			r.Edges++
		}
	}
	return r, true
}

func (g graph) joins(u, v hops.Vertex) bool {
	return slices.Contains(g.edges, hops.Edge{U: u, V: v}) || slices.Contains(g.edges, hops.Edge{U: v, V: u})
}

// depth counts the parents from v to the root, or to nowhere: -1.
func depth(t *hops.Tree, v hops.Vertex) int64 {
	if t.Parent(v) == hops.NoVertex {
		return -1
	}
	for d := range int64(t.Len()) {
		if v == t.Root {
			return d
		}
		v = t.Parent(v)
	}
	return -1
}

// substantiate tells whether what an Error claims is true of the tree.
func substantiate(g graph, t *hops.Tree, e *Error) error {
	v, p := e.Vertex, e.Parent
	if v < g.n && p != t.Parent(v) {
		return fmt.Errorf("%v: the parent of %d is %d", e, v, t.Parent(v))
	}
	ok := false
	switch e.Rule {
	case Root:
		ok = v == t.Root && (v >= g.n || p != v)
	case Range:
		ok = p >= g.n && p != hops.NoVertex
	case Self:
		ok = p == v && v != t.Root
	case Orphan:
		ok = t.Parent(p) == hops.NoVertex
	case Cycle:
		ok = depth(t, v) < 0 && slices.Contains(ancestors(t, v), v)
	case Levels, Span:
		levels := [2]int64{depth(t, e.Edge.U), depth(t, e.Edge.V)}
		outside := min(levels[0], levels[1]) < 0
		apart := max(levels[0]-levels[1], levels[1]-levels[0])
		ok = g.edges[e.Index] == e.Edge && levels == e.Levels && (v == e.Edge.U || v == e.Edge.V) &&
			(e.Rule == Span && outside && p == hops.NoVertex && apart > 0 ||
				e.Rule == Levels && !outside && apart > 1 && depth(t, v) == max(levels[0], levels[1]))
	case Branch:
		ok = v != t.Root && !g.joins(v, p) && e.Edge == hops.Edge{U: v, V: p}
	}
	if !ok {
		return fmt.Errorf("not true of the tree: %v", e)
	}
	return nil
}

// ancestors are the next n parents of v.
func ancestors(t *hops.Tree, v hops.Vertex) (line []hops.Vertex) {
	for range t.Len() {
		v = t.Parent(v)
		line = append(line, v)
	}
	return line
}
