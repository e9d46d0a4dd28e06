package check

import (
	"context"
	"testing"

	"github.com/gohops/hops"
)

// Traversed counts what is within each tree, whatever the same checker has counted or
// validated before.
func TestTraversedCountsEveryTree(t *testing.T) {
	const n = 200
	edges := append(path(0, 80), path(80, 120)...)
	edges = append(edges, hops.Edge{U: 3, V: 3}, hops.Edge{U: 90, V: 90}, hops.Edge{U: 91, V: 91})
	g := graph{"two paths", n, edges}
	left, right := search(g.rows(), 0), search(g.rows(), 100)
	c := newChecker(t, g.source(), 2)
	count := func(tree *hops.Tree) {
		t.Helper()
		want, _ := isTree(g, tree)
		edges, loops, err := c.Traversed(context.Background(), tree)
		if err != nil || edges != want.Edges || loops != want.Loops {
			t.Errorf("root %d: %d edges, %d loops, %v; want %d and %d", tree.Root, edges, loops, err, want.Edges, want.Loops)
		}
	}
	count(left)
	count(left)
	count(right)
	count(left)
	if _, err := c.Tree(context.Background(), right); err != nil {
		t.Fatal(err)
	}
	count(right) // whose vertices the validation has marked
	cancelled, cancel := context.WithCancel(context.Background())
	cancel()
	if _, _, err := c.Traversed(cancelled, left); err == nil {
		t.Error("counted after the context had ended")
	}
	count(left)
}

// The tuples are not read again for a tree of the same vertices.
func TestTraversedReadsTuplesOnce(t *testing.T) {
	g := graph{"path", 5000, path(0, 5000)}
	src := &counting{Source: g.source()}
	c := newChecker(t, src, 1)
	for _, root := range []hops.Vertex{0, 17, 4999} {
		if edges, _, err := c.Traversed(context.Background(), search(g.rows(), root)); edges != 4999 || err != nil {
			t.Errorf("root %d: %d edges, %v", root, edges, err)
		}
	}
	if src.read != src.NumEdges() {
		t.Errorf("%d tuples read of %d", src.read, src.NumEdges())
	}
}

// counting is a source that counts the tuples read.
type counting struct {
	hops.Source
	read int64
}

func (s *counting) EdgesAt(dst []hops.Edge, off int64) (int, error) {
	n, err := s.Source.EdgesAt(dst, off)
	s.read += int64(n)
	return n, err
}
