package many

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/gohops/hops"
	"github.com/gohops/hops/edge"
	"github.com/gohops/hops/graph"
)

// searchedDepths are the depths that a search from some roots finds.
func searchedDepths(t *testing.T, g *graph.Graph, roots []hops.Vertex) *hops.Depths {
	t.Helper()
	s, err := New(g, Options{Threads: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	d := hops.NewDepths(g.NumVertices())
	if _, err := s.Search(t.Context(), roots, d); err != nil {
		t.Fatal(err)
	}
	return d
}

func TestDepthSums(t *testing.T) {
	g := kroneckerGraph(t, 9)
	r := rand.New(rand.NewPCG(1, 1))
	for _, count := range []int{1, 17, 64} {
		roots := make([]hops.Vertex, count)
		for i := range roots {
			roots[i] = hops.Vertex(r.IntN(int(g.NumVertices())))
		}
		d := searchedDepths(t, g, roots)
		for i, got := range d.Sums() {
			var want hops.DepthSum
			for v, level := range d.Levels(i, nil) {
				if int(level) != d.Level(i, hops.Vertex(v)) {
					t.Fatalf("root %d, vertex %d: Levels has %d, Level %d", roots[i], v, level, d.Level(i, hops.Vertex(v)))
				}
				if level >= 0 {
					want.Reached++
					want.Hops += int64(level)
					want.Depth = max(want.Depth, int(level))
				}
			}
			if got != want {
				t.Errorf("root %d: %+v, want %+v", roots[i], got, want)
			}
		}
	}
}

// The path to a vertex starts at the root, has as many edges as the level of the
// vertex, and all of its edges are in the graph.
func TestDepthsPathTo(t *testing.T) {
	src, err := edge.NewKronecker(8, 16, 2, 3)
	if err != nil {
		t.Fatal(err)
	}
	for _, src := range []hops.Source{src, hops.Directed(src)} {
		g := buildGraph(t, src)
		defer g.Close()
		roots := []hops.Vertex{3, 200, 77}
		d := searchedDepths(t, g, roots)
		for i, root := range roots {
			for v := range g.NumVertices() {
				path := d.PathTo(g, i, v)
				if len(path) != d.Level(i, v)+1 {
					t.Fatalf("%d to %d: %v, but level %d", root, v, path, d.Level(i, v))
				}
				for j := range path {
					if j == 0 && path[0] != root || j > 0 && !slices.Contains(slices.Collect(g.Neighbors(path[j-1])), path[j]) {
						t.Fatalf("%d to %d: %v is no path", root, v, path)
					}
				}
			}
		}
	}
}

// A search after a deeper one must not see its bits.
func TestDepthsAreUsedAgain(t *testing.T) {
	path := make([]hops.Edge, 300)
	for i := range path {
		path[i] = hops.Edge{U: hops.Vertex(i), V: hops.Vertex(i + 1)}
	}
	g := buildGraph(t, edge.List(path, 302))
	defer g.Close()
	s, err := New(g, Options{Threads: 2})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	d := hops.NewDepths(g.NumVertices())
	for _, root := range []hops.Vertex{0, 150, 301, 300, 299} {
		if _, err := s.Search(t.Context(), []hops.Vertex{root}, d); err != nil {
			t.Fatal(err)
		}
		for v := range hops.Vertex(301) {
			want := max(int(v)-int(root), int(root)-int(v))
			if root == 301 {
				want = -1
			}
			if got := d.Level(0, v); got != want {
				t.Fatalf("%d to %d: %d hops, want %d", root, v, got, want)
			}
		}
	}
}
