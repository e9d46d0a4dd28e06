// Package enginetest is the one suite that every engine passes.
//
// An engine's test calls Run. The suite builds searchers and searches with them. It
// compares levels with a serial oracle, hands every tree to the checker, compares the
// trace with the tree, cancels searches, and in the end asserts that each step that the
// engine offers has run: an engine whose new step is never chosen does not pass.
//
// CheckMachine holds a level.Machine to the contract of package level, and CheckPolicy
// a level.Policy.
package enginetest

import (
	"cmp"
	"context"
	"slices"
	"testing"

	"github.com/gohops/hops"
	"github.com/gohops/hops/check"
)

// A Searcher is what an engine's Build returns.
type Searcher interface {
	Search(ctx context.Context, root hops.Vertex, t *hops.Tree) (hops.Trace, error)
	Close() error
}

// An Engine is one configuration under test.
type Engine struct {
	Build func(ctx context.Context, src hops.Source) (Searcher, error)
	// Steps are the names that must have appeared in a trace by the end.
	Steps []string
	// MaxScale bounds the Kronecker graphs for engines that simulate: 0 is 14.
	MaxScale int
	// MaxPath bounds the length of the long path likewise: 0 is 100,000.
	MaxPath int
	// Directed says that the engine searches directed graphs; one that does not
	// must refuse them.
	Directed bool
	// Roots is how many are searched on each Kronecker graph: 0 is 16.
	Roots int
	// LevelsPerLook is how many levels the engine runs between two looks at its
	// context, at most: 0 is one.
	LevelsPerLook int
	// NamedRoots is how many are searched on each of the small graphs, at most: 0
	// is about a dozen.
	NamedRoots int
	// Variant says that another configuration of the engine passes the whole suite. This one is
	// searched with, on fewer small graphs: what it refuses and how it ends are the other's.
	Variant bool
}

// Run runs the suite.
func Run(t *testing.T, e Engine) {
	e.setDefaults()
	s := &suite{Engine: e, ran: map[string]bool{}}
	t.Run("named", s.named)
	t.Run("kronecker", s.kronecker)
	t.Run("longPath", s.longPath)
	t.Run("cancel", s.cancel)
	t.Run("directed", s.directed)
	if !e.Variant {
		t.Run("relabelled", s.relabelled)
		t.Run("doubled", s.doubled)
		t.Run("refuse", s.refuse)
		t.Run("together", s.together)
	}
	t.Run("closed", s.closed)
	t.Run("steps", s.steps)
}

// setDefaults fills in the sizes. A short test, as under the race detector, has the
// same shapes in smaller sizes.
func (e *Engine) setDefaults() {
	e.MaxScale = cmp.Or(e.MaxScale, 14)
	e.MaxPath = cmp.Or(e.MaxPath, 100_000)
	e.Roots = cmp.Or(e.Roots, 16)
	e.LevelsPerLook = cmp.Or(e.LevelsPerLook, 1)
	if testing.Short() {
		e.MaxScale, e.MaxPath, e.Roots = min(e.MaxScale, 13), min(e.MaxPath, 10_000), min(e.Roots, 6)
	}
}

type suite struct {
	Engine
	ran map[string]bool
}

// build makes a searcher that ends with the test.
func (s *suite) build(t *testing.T, src hops.Source) Searcher {
	t.Helper()
	x, err := s.Build(context.Background(), src)
	if err != nil {
		t.Fatalf("Build: %v", err)
	}
	t.Cleanup(func() {
		if err := x.Close(); err != nil {
			t.Errorf("Close: %v", err)
		}
	})
	return x
}

// A probe searches one source and checks trees and traces.
type probe struct {
	suite    *suite
	graph    adjacency
	searcher Searcher
	checker  *check.Checker
	tree     *hops.Tree
}

func (s *suite) probe(t *testing.T, src hops.Source) *probe {
	t.Helper()
	x := s.build(t, src)
	return &probe{
		suite:    s,
		graph:    adjacencyOf(t, src),
		searcher: x,
		checker:  check.New(src, 1),
		tree:     treeFor(t, x, src.NumVertices()),
	}
}

// treeFor returns an empty tree for n vertices, made by the engine if that makes trees.
func treeFor(t testing.TB, engine any, n hops.Vertex) *hops.Tree {
	t.Helper()
	maker, ok := engine.(interface{ NewTree() (*hops.Tree, error) })
	if !ok {
		return hops.NewTree(n)
	}
	tree, err := maker.NewTree()
	if err != nil {
		t.Fatal(err)
	}
	return tree
}

// mustClear empties a tree, by the engine if that does it, and sees that it is empty then.
func mustClear(t testing.TB, engine any, tree *hops.Tree) {
	t.Helper()
	clearer, ok := engine.(interface{ Clear(t *hops.Tree) })
	if !ok {
		tree.Reset()
		return
	}
	clearer.Clear(tree)
	left := tree.Root != hops.NoVertex
	for v := range hops.Vertex(tree.Len()) {
		left = left || tree.Parent(tree.First+v) != hops.NoVertex
	}
	if left {
		t.Fatal("the engine left something in a tree that it cleared")
	}
}

// search runs one search and returns the levels of its tree.
func (p *probe) search(t *testing.T, root hops.Vertex) []int32 {
	t.Helper()
	mustClear(t, p.searcher, p.tree)
	trace, err := p.searcher.Search(context.Background(), root, p.tree)
	if err != nil {
		t.Fatalf("root %d: %v", root, err)
	}
	for _, l := range trace.Levels {
		p.suite.ran[l.Step] = true
	}
	want := p.graph.levels(root)
	got := levelsOf(p.tree)
	if !slices.Equal(got, want) {
		v := 0
		for got[v] == want[v] {
			v++
		}
		t.Fatalf("root %d: vertex %d is at level %d, want %d (parent %d)", root, v, got[v], want[v], p.tree.Parent(hops.Vertex(v)))
	}
	if _, err := p.checker.Tree(context.Background(), p.tree); err != nil {
		t.Fatalf("root %d: %v", root, err)
	}
	checkTrace(t, trace, want)
	return got
}

// checkTrace compares the trace with the sizes of the levels.
func checkTrace(t *testing.T, trace hops.Trace, levels []int32) {
	t.Helper()
	sizes := histogram(levels)
	if len(trace.Levels) != len(sizes) {
		t.Fatalf("%d levels in the trace, %d in the tree", len(trace.Levels), len(sizes))
	}
	sizes = append(sizes, 0) // the last level finds nothing
	for d, l := range trace.Levels {
		found := sizes[d+1]
		if l.Frontier != sizes[d] || l.Found != found {
			t.Fatalf("level %d: frontier %d, found %d; the tree has %d and %d", d, l.Frontier, l.Found, sizes[d], found)
		}
		if l.Found > l.Examined || l.Time < 0 || l.Step == "" {
			t.Fatalf("level %d: impossible %+v", d, l)
		}
	}
}

func (s *suite) steps(t *testing.T) {
	for _, name := range s.Steps {
		if !s.ran[name] {
			t.Errorf("step %q never ran", name)
		}
	}
}
