package cluster_test

import (
	"fmt"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/gohops/hops"
	"github.com/gohops/hops/check"
	"github.com/gohops/hops/edge"
	"github.com/gohops/hops/engine/cluster"
	"github.com/gohops/hops/engine/cpu"
	"github.com/gohops/hops/engine/grid"
	"github.com/gohops/hops/internal/ranks/distributed"
	"github.com/gohops/hops/internal/ranks/distributed/ranktest"
	"github.com/gohops/hops/internal/ranks/rank"
)

// On directed graphs the cluster and the grid find the levels that the cpu engine and
// a plain search find, and ranks that validate their parts of the trees find no fault.
func TestDirectedEnginesAgree(t *testing.T) {
	skewed, err := edge.NewRMAT(11, 8, 0.5, 0.3, 0.1, 0.1, 7)
	if err != nil {
		t.Fatal(err)
	}
	for name, src := range map[string]hops.Source{"rmat": hops.Directed(skewed), "imports": imports(t)} {
		near, err := ranktest.Read(src)
		if err != nil {
			t.Fatal(err)
		}
		want := levelsByCPU(t, src, rootsOf(near))
		counts := []int{1, 3, 4, 6}
		if testing.Short() {
			counts = []int{3}
		}
		for _, ranks := range counts {
			for _, exchange := range []string{"", "messages", "probe", "allgather"} {
				t.Run(fmt.Sprint(name, ranks, exchange), func(t *testing.T) {
					s, err := cluster.Build(t.Context(), src, cluster.Options{Ranks: ranks, Hosts: (ranks + 1) / 2, Threads: 1 + ranks%2, Exchange: exchange})
					compare(t, s, err, src, near, want)
				})
			}
			t.Run(fmt.Sprint(name, ranks, "grid"), func(t *testing.T) {
				s, err := grid.Build(t.Context(), src, grid.Options{Ranks: ranks, Hosts: (ranks + 1) / 2, Threads: 1 + ranks%2})
				compare(t, s, err, src, near, want)
			})
		}
	}
}

// rootsOf are some vertices, and one that no edge leads out of.
func rootsOf(near ranktest.Graph) []uint32 {
	n := len(near)
	sink := slices.IndexFunc(near, func(row []uint32) bool { return len(row) == 0 })
	return []uint32{0, uint32(n / 3), uint32(n / 2), uint32(n - 1), uint32(sink)}
}

// levelsByCPU are the levels that the cpu engine finds, by root.
func levelsByCPU(t *testing.T, src hops.Source, roots []uint32) map[uint32][]int32 {
	t.Helper()
	s, err := cpu.Build(t.Context(), src, cpu.Options{Threads: 2})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	levels := map[uint32][]int32{}
	for _, root := range roots {
		tree := hops.NewTree(src.NumVertices())
		if _, err := s.Search(t.Context(), hops.Vertex(root), tree); err != nil {
			t.Fatal(err)
		}
		levels[root] = tree.Levels(nil)
	}
	return levels
}

// compare compares the trees of an engine.
func compare(t *testing.T, on any, err error, src hops.Source, near ranktest.Graph, want map[uint32][]int32) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	s := on.(*distributed.Searcher)
	defer s.Close()
	tree := hops.NewTree(src.NumVertices())
	for root, levels := range want {
		if _, err := near.Search(t.Context(), s, tree, root); err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(tree.Levels(nil), levels) {
			t.Errorf("root %d: other levels than those of the cpu engine", root)
		}
		parts := ranktest.Parts(s, tree)
		err := s.Together(func(r int) error {
			c := check.NewParts(src, 1, rank.Group{Comm: s.Ranks[r].Comm})
			defer c.Close()
			_, err := c.Tree(t.Context(), parts[r])
			return err
		})
		if err != nil {
			t.Errorf("root %d: %v", root, err)
		}
	}
}

// imports is a directed graph that exists: an edge leads from each package of this
// repository to each one that it imports.
func imports(t *testing.T) hops.Source {
	t.Helper()
	numbers, edges := map[string]hops.Vertex{}, []hops.Edge(nil)
	number := func(name string) hops.Vertex {
		v, ok := numbers[name]
		if !ok {
			v = hops.Vertex(len(numbers))
			numbers[name] = v
		}
		return v
	}
	tree := os.DirFS("../..")
	err := fs.WalkDir(tree, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(name, ".go") {
			return err
		}
		text, err := fs.ReadFile(tree, name)
		if err != nil {
			return err
		}
		f, err := parser.ParseFile(token.NewFileSet(), name, text, parser.ImportsOnly)
		if err != nil {
			return nil // not Go
		}
		from := number(path.Join("github.com/gohops/hops", path.Dir(name)))
		for _, i := range f.Imports {
			to, err := strconv.Unquote(i.Path.Value)
			if err != nil {
				return err
			}
			edges = append(edges, hops.Edge{U: from, V: number(to)})
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return hops.Directed(edge.List(edges, hops.Vertex(len(numbers))))
}
