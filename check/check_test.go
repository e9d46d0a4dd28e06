package check

import (
	"context"
	"errors"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/gohops/hops"
)

func TestCorrectTreesAreAccepted(t *testing.T) {
	ones := slices.Repeat([]int64{1}, 100_000)
	for _, c := range []struct {
		graph
		root hops.Vertex
		want Result
	}{
		{graph{"one vertex", 1, nil}, 0, Result{1, 0, 0, []int64{1}}},
		{graph{"one vertex, looped twice", 1, pairs(0, 0, 0, 0)}, 0, Result{1, 0, 2, []int64{1}}},
		{graph{"no edges", 70, nil}, 69, Result{1, 0, 0, []int64{1}}},
		{graph{"only loops", 3, pairs(0, 0, 1, 1, 2, 2)}, 1, Result{1, 0, 1, []int64{1}}},
		{graph{"one edge", 2, pairs(0, 1)}, 1, Result{2, 1, 0, []int64{1, 1}}},
		{graph{"loops and doubles", 3, pairs(0, 1, 1, 0, 0, 1, 1, 1, 1, 2, 2, 2, 0, 0)}, 0, Result{3, 4, 3, []int64{1, 1, 1}}},
		{graph{"two components, first", 5, pairs(0, 1, 2, 3, 3, 4, 4, 4)}, 0, Result{2, 1, 0, []int64{1, 1}}},
		{graph{"two components, second", 5, pairs(0, 1, 2, 3, 3, 4, 4, 4)}, 3, Result{3, 2, 1, []int64{1, 2}}},
		{graph{"triangle", 3, pairs(0, 1, 1, 2, 2, 0)}, 2, Result{3, 3, 0, []int64{1, 2}}},
		{graph{"grid", 64, grid(0, 8, 8)}, 0, Result{64, 112, 0, []int64{1, 2, 3, 4, 5, 6, 7, 8, 7, 6, 5, 4, 3, 2, 1}}},
		{graph{"path", 100_000, path(0, 100_000)}, 0, Result{100_000, 99_999, 0, ones}},
		{graph{"path from its end", 100_000, path(0, 100_000)}, 99_999, Result{100_000, 99_999, 0, ones}},
	} {
		tree := search(c.rows(), c.root)
		for _, size := range []int{1, 3} {
			checker := newChecker(t, c.source(), size)
			for _, tree := range []*hops.Tree{tree, widen(tree)} {
				got, err := checker.Tree(context.Background(), tree)
				if err != nil || !reflect.DeepEqual(got, c.want) {
					t.Errorf("%s, %d workers: got %+v, %v, want %+v", c.name, size, got, err, c.want)
				}
			}
		}
	}
}

// Levels of a deep tree must not cost depth times vertices: that would be 3·10^10 steps
// here, at least half a minute on two workers. Linear, it takes some milliseconds. The names
// decide where the climbs start.
func TestDeepTreesTakeLinearTime(t *testing.T) {
	if testing.Short() {
		t.Skip("the race detector takes its own time")
	}
	const n = 1 << 18
	line := graph{"path", n, path(0, n)}
	backwards := graph{"path, named backwards", n, slices.Clone(line.edges)}
	for i, e := range backwards.edges {
		backwards.edges[i] = hops.Edge{U: n - 1 - e.U, V: n - 1 - e.V}
	}
	const limit = 10 * time.Second
	for _, g := range []graph{line, backwards, line.relabel(1)} {
		root := g.edges[0].V
		tree := search(g.rows(), root)
		checker, start := newChecker(t, g.source(), 2), time.Now()
		got, err := checker.Tree(context.Background(), tree)
		if took := time.Since(start); took > limit {
			t.Errorf("%s: the levels took %v", g.name, took)
		}
		if err != nil || got.Vertices != n || len(got.Levels) != n {
			t.Errorf("%s: %d vertices on %d levels, %v", g.name, got.Vertices, len(got.Levels), err)
		}

		// The far end becomes the parent of the root's neighbour: a cycle of all
		// vertices but the root.
		var near, far hops.Vertex
		near, far = g.edges[0].U, g.edges[len(g.edges)-1].U
		tree.SetParent(near, far)
		_, err = newChecker(t, g.source(), 2).Tree(context.Background(), tree)
		var fault *Error
		if !errors.As(err, &fault) || fault.Rule != Cycle {
			t.Errorf("%s: got %v, want a cycle", g.name, err)
		}
	}
}

func TestTreesTooDeepAreRefused(t *testing.T) {
	g := graph{"path", 100, path(0, 100)}
	c := newChecker(t, g.source(), 1)
	tree := search(g.rows(), 0)
	c.deepest = 99 + rootCode
	if _, err := c.Tree(context.Background(), tree); err != nil {
		t.Errorf("100 levels of 100 possible: %v", err)
	}
	c.deepest--
	_, err := c.Tree(context.Background(), tree)
	if err == nil || !strings.Contains(err.Error(), "more than 99 levels") {
		t.Errorf("100 levels of 99 possible: got %v", err)
	}
}

func TestTreesOfTheWrongSizeAreRefused(t *testing.T) {
	g := graph{"path", 10, path(0, 10)}
	c := newChecker(t, g.source(), 1)
	both := search(g.rows(), 0)
	both.Wide = widen(both).Wide
	part := hops.NewTreePart(20, 10, 10)
	for name, tree := range map[string]*hops.Tree{
		"short": hops.NewTree(9), "long": hops.NewTree(11), "none": {}, "both": both, "part": part,
	} {
		_, err := c.Tree(context.Background(), tree)
		var fault *Error
		if err == nil || errors.As(err, &fault) || !strings.HasPrefix(err.Error(), "check: the tree ") {
			t.Errorf("%s: got %v", name, err)
		}
	}
}

// A checker carries nothing over from one tree to the next.
func TestACheckerServesManyTrees(t *testing.T) {
	g := graph{"random", 300, random(5, 0, 300, 320)}
	c := newChecker(t, g.source(), 2)
	for root := range g.n {
		tree := search(g.rows(), root)
		want, _ := isTree(g, tree)
		if got, err := c.Tree(context.Background(), tree); err != nil || !cmp.Equal(got, want) {
			t.Fatalf("root %d: got %+v, %v, want %+v", root, got, err, want)
		}
		tree.SetParent((root+1)%g.n, g.n)
		if _, err := c.Tree(context.Background(), tree); err == nil {
			t.Fatalf("root %d: a broken tree passed", root)
		}
	}
}

func TestNeedIsWhatNewAllocates(t *testing.T) {
	const n, size = 1<<20 + 1, 2
	g := graph{"empty", n, nil}
	tree := search(g.rows(), 5)
	var before, built, used runtime.MemStats
	runtime.ReadMemStats(&before)
	c := newChecker(t, g.source(), size)
	runtime.ReadMemStats(&built)
	if _, err := c.Tree(context.Background(), tree); err != nil {
		t.Fatal(err)
	}
	runtime.ReadMemStats(&used)
	const perWorker, rounding = 40 << 10, 32 << 10 // the allocator's pages
	got := int64(built.TotalAlloc - before.TotalAlloc)
	if least := Need(n); got < least || got > least+size*perWorker+rounding {
		t.Errorf("New allocates %d bytes, Need is %d", got, least)
	}
	if got := used.TotalAlloc - built.TotalAlloc; got > rounding {
		t.Errorf("Tree allocates %d bytes", got)
	}
}
