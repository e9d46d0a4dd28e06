package cpu

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/gohops/hops"
	"github.com/gohops/hops/check"
	"github.com/gohops/hops/edge"
	"github.com/gohops/hops/internal/base/kernel"
	"github.com/gohops/hops/level"
)

// meadow is a grid with permuted labels, in which some vertices have long rows: a graph
// of many levels of some hundred vertices.
func meadow(t *testing.T, width int64) hops.Source {
	t.Helper()
	grid, err := edge.NewGrid(width, width)
	if err != nil {
		t.Fatal(err)
	}
	edges := make([]hops.Edge, grid.NumEdges())
	if _, err := grid.EdgesAt(edges, 0); err != nil {
		t.Fatal(err)
	}
	random, n := rand.New(rand.NewPCG(7, 7)), int(grid.NumVertices())
	for hub := 5; hub < n; hub += n / 20 {
		for range 3 * kernel.ShortRow { // to leaves: the levels stay as they are
			edges = append(edges, hops.Edge{U: hops.Vertex(hub), V: hops.Vertex(n + random.IntN(n))})
		}
	}
	labels := random.Perm(2 * n)
	for i, e := range edges {
		edges[i] = hops.Edge{U: hops.Vertex(labels[e.U]), V: hops.Vertex(labels[e.V])}
	}
	return edge.List(edges, hops.Vertex(2*n))
}

// Direct levels find what a validated tree has, for any number of workers, with either form
// of the kernels, and also where there is no room for all bids.
func TestDirect(t *testing.T) {
	width := int64(150)
	if testing.Short() {
		width = 70 // fewer levels: at each of them workers wait for one that has no processor
	}
	src := meadow(t, width)
	for _, threads := range []int{2, 3, 9} {
		for name, kernels := range map[string]kernel.Kernels{"best": kernel.Best(), "reference": {}} {
			for _, room := range []int64{0, 1, 3} {
				t.Run(fmt.Sprintf("%d threads, %s, room for %d blocks", threads, name, room), func(t *testing.T) {
					searchDirect(t, src, threads, kernels, room*blockPairs)
				})
			}
		}
	}
}

// searchDirect searches with direct levels of all workers, and room for so many bids; 0 is enough.
func searchDirect(t *testing.T, src hops.Source, threads int, kernels kernel.Kernels, room int64) {
	s, err := build(context.Background(), src, Options{Threads: threads}, kernels)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	direct := level.Step{Name: stepTopDown, Direction: level.TopDown, Workers: threads}
	s.policy = &chooser{Policy: always{direct}, m: s.m}
	if room > 0 {
		s.m.direct.bids = s.m.direct.bids[:room]
	}
	verify := check.New(src, threads)
	defer verify.Close()
	for _, root := range []hops.Vertex{1, 7_777} {
		tree := hops.NewTree(src.NumVertices())
		if s.graph.Out.Degree(uint32(root)) == 0 {
			continue
		}
		trace, err := s.Search(context.Background(), root, tree)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := verify.Tree(context.Background(), tree); err != nil {
			t.Fatal(err)
		}
		compareCounts(t, s, tree, trace)
		for _, l := range trace.Levels {
			if l.Step != stepTopDown || l.Workers != threads {
				t.Fatalf("a level ran as %s by %d workers", l.Step, l.Workers)
			}
		}
	}
}

// always is a policy that knows one step.
type always struct{ level.Step }

func (a always) Next(level.Front, []level.Step) level.Step { return a.Step }

// compareCounts compares the counts of all levels with those of the tree: a vertex that
// several workers find at once is found once, and all rows of the frontier are examined.
func compareCounts(t *testing.T, s *Searcher, tree *hops.Tree, trace hops.Trace) {
	t.Helper()
	found, entries := make([]int64, len(trace.Levels)+1), make([]int64, len(trace.Levels)+1)
	for v, depth := range tree.Levels(nil) {
		if depth >= 0 {
			found[depth]++
			entries[depth] += s.graph.Out.Degree(uint32(v))
		}
	}
	for d, l := range trace.Levels {
		if l.Found != found[d+1] {
			t.Errorf("level %d: %d found, want %d", d, l.Found, found[d+1])
		}
		if l.Step == stepTopDown && l.Examined != entries[d] {
			t.Errorf("level %d: %d entries examined, want %d", d, l.Examined, entries[d])
		}
	}
}
