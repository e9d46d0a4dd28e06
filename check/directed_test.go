package check

import (
	"context"
	"errors"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/gohops/hops"
)

// arcDistances are those from root along the edges, from U to V only, by
// relaxing them until nothing changes. -1 is unreachable.
func arcDistances(g graph, root hops.Vertex) []int64 {
	far := int64(g.n)
	d := slices.Repeat([]int64{far}, int(g.n))
	d[root] = 0
	for changed := true; changed; {
		changed = false
		for _, e := range g.edges {
			if d[e.U] < far && d[e.U]+1 < d[e.V] {
				d[e.V] = d[e.U] + 1
				changed = true
			}
		}
	}
	for v := range d {
		if d[v] == far {
			d[v] = -1
		}
	}
	return d
}

// arcOracle is the definition of a breadth-first tree of a directed graph.
func arcOracle(g graph, t *hops.Tree) bool {
	if t.Parent(t.Root) != t.Root {
		return false
	}
	d := arcDistances(g, t.Root)
	for v := range g.n {
		p := t.Parent(v)
		if (p == hops.NoVertex) != (d[v] < 0) {
			return false
		}
		if p == hops.NoVertex || v == t.Root {
			continue
		}
		if p >= g.n || d[p] != d[v]-1 || !slices.Contains(g.edges, hops.Edge{U: p, V: v}) {
			return false
		}
	}
	return true
}

// arcTree is some breadth-first tree.
func arcTree(g graph, root hops.Vertex) *hops.Tree {
	t, d := hops.NewTree(g.n), arcDistances(g, root)
	t.Root = root
	t.SetParent(root, root)
	for _, e := range g.edges {
		if d[e.U] >= 0 && d[e.V] == d[e.U]+1 {
			t.SetParent(e.V, e.U)
		}
	}
	return t
}

func TestDirectedAgainstTheOracle(t *testing.T) {
	accepted, rejected := 0, map[Rule]int{}
	rapid.Check(t, func(t *rapid.T) {
		g := drawGraph(t)
		root := hops.Vertex(rapid.Uint64Range(0, uint64(g.n)-1).Draw(t, "root"))
		tree := arcTree(g, root)
		for range rapid.IntRange(0, 2).Draw(t, "mutations") {
			mutate(t, g, tree)
		}
		valid := arcOracle(g, tree)
		_, err := newChecker(t, hops.Directed(g.source()), 3).Tree(context.Background(), tree)
		if valid != (err == nil) {
			t.Fatalf("valid is %t, the checker says %v", valid, err)
		}
		var fault *Error
		if valid {
			accepted++
		} else if errors.As(err, &fault) {
			rejected[fault.Rule]++
		} else {
			t.Fatalf("%T is not an *Error: %v", err, err)
		}
	})
	if !testing.Short() && (accepted == 0 || len(rejected) == 0) { // which rules are drawn is a matter of luck
		t.Errorf("accepted %d, rejected %v: some never", accepted, rejected)
	}
}

// A directed tree may leave out what only leads into it, and must not climb an
// edge the wrong way.
func TestDirectedFaults(t *testing.T) {
	g := graph{n: 4, edges: pairs(0, 1, 1, 2, 2, 0, 3, 0)}
	tree := arcTree(g, 0)
	c := newChecker(t, hops.Directed(g.source()), 1)
	result, err := c.Tree(t.Context(), tree)
	if err != nil || result.Edges != 3 || !slices.Equal(result.Levels, []int64{1, 1, 1}) {
		t.Errorf("%+v, %v", result, err)
	}
	for _, f := range []struct {
		v, parent hops.Vertex
		rule      Rule
		edge      hops.Edge
	}{
		{2, hops.NoVertex, Span, hops.Edge{U: 1, V: 2}},
		{2, 0, Branch, hops.Edge{U: 0, V: 2}},
		{3, 0, Branch, hops.Edge{U: 0, V: 3}},
	} {
		bad := arcTree(g, 0)
		bad.SetParent(f.v, f.parent)
		var fault *Error
		if _, err := c.Tree(t.Context(), bad); !errors.As(err, &fault) || fault.Rule != f.rule || fault.Edge != f.edge {
			t.Errorf("parent of %d is %d: %v", f.v, f.parent, err)
		}
	}
}

// A tuple may lead down one level, and any number of levels up.
func TestDirectedLevelsApart(t *testing.T) {
	for far := hops.Vertex(2); far < 5; far++ {
		g := graph{n: 5, edges: pairs(0, 1, 1, 2, 2, 3, 3, 4, 4, 0)}
		tree := arcTree(g, 0)
		c := newChecker(t, hops.Directed(g.source()), 1)
		if _, err := c.Tree(t.Context(), tree); err != nil {
			t.Fatal(err)
		}
		shortcut := hops.Edge{U: 0, V: far}
		g.edges = append(g.edges, shortcut)
		var fault *Error
		if _, err := newChecker(t, hops.Directed(g.source()), 1).Tree(t.Context(), tree); !errors.As(err, &fault) || fault.Rule != Levels || fault.Edge != shortcut {
			t.Errorf("a tuple leads down %d levels: %v", far, err)
		}
	}
}
