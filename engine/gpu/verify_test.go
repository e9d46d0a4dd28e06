package gpu

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/gohops/hops"
	"github.com/gohops/hops/check"
	"github.com/gohops/hops/edge"
	"github.com/gohops/hops/internal/testing/checktest"
	"github.com/gohops/hops/level"
)

// The verifier accepts what the engine finds, in numbers of the benchmark's test vectors
// for scale 10, whichever slot it is in.
func TestVerifyOnDevice(t *testing.T) { eachDriver(t, verifyOnDevice) }

func verifyOnDevice(t *testing.T, driver string) {
	src, err := edge.NewKronecker(10, 16, 2, 3)
	if err != nil {
		t.Fatal(err)
	}
	s, err := Build(t.Context(), src, Options{Driver: driver, Stepped: level.Fixed{Direction: level.TopDown}})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if _, _, _, err := s.VerifyOnDevice(t.Context(), 0); err == nil || !strings.Contains(err.Error(), "before a search") {
		t.Errorf("a tree before any search: %v", err)
	}
	if _, err := s.SearchOnDevice(t.Context(), src.NumVertices()); err == nil {
		t.Error("a root beyond the last vertex was accepted")
	}
	if have, err := s.Slots(3); have != 3 || err != nil {
		t.Fatalf("%d slots, %v", have, err)
	}
	for slot := 2; slot >= 0; slot-- { // all trees stay until they are verified
		if _, err := s.SearchOnDevice(t.Context(), 458+hops.Vertex(slot)); err != nil {
			t.Fatal(err)
		}
		if err := s.KeepTree(slot); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.KeepTree(3); err == nil {
		t.Error("a slot beyond the last was accepted")
	}
	levels, edges, loops, err := s.VerifyOnDevice(t.Context(), 0)
	if err != nil || !slices.Equal(levels, []int64{1, 8, 500, 380, 8}) || edges != 16239 || loops != 144 {
		t.Errorf("levels %v, %d edges, %d loops, %v", levels, edges, loops, err)
	}
	tree := hops.NewTree(src.NumVertices())
	for slot := range 3 {
		if _, edges, _, err := s.VerifyOnDevice(t.Context(), slot); err != nil || edges != 16239 {
			t.Errorf("slot %d: %d edges, %v", slot, edges, err)
		}
		if err := s.CopyTree(slot, tree); err != nil || tree.Root != 458+hops.Vertex(slot) || tree.Parent(tree.Root) != tree.Root {
			t.Errorf("slot %d: tree of %d, %v", slot, tree.Root, err)
		}
	}
}

// Every kind of broken tree is refused, by a verifier that has just seen the right tree.
func TestVerifierCatchesEveryFault(t *testing.T) {
	eachDriver(t, func(t *testing.T, driver string) {
		catchEveryFault(t, driver, func(g *checktest.Specimen) hops.Source { return edge.List(g.Edges, g.N) })
	})
}

// In a directed graph that has every edge both ways, the same trees are right and wrong.
func TestDirectedVerifierCatchesEveryFault(t *testing.T) {
	eachDriver(t, func(t *testing.T, driver string) {
		catchEveryFault(t, driver, func(g *checktest.Specimen) hops.Source {
			both := slices.Clone(g.Edges)
			for _, e := range g.Edges {
				both = append(both, hops.Edge{U: e.V, V: e.U})
			}
			return hops.Directed(edge.List(both, g.N))
		})
	})
}

func catchEveryFault(t *testing.T, driver string, source func(*checktest.Specimen) hops.Source) {
	fitted := map[string]int{}
	for i := range checktest.Specimens() {
		g := checktest.Specimens()[i]
		s, err := Build(t.Context(), source(g), Options{Driver: driver, Stepped: level.Fixed{Direction: level.TopDown}})
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		for _, f := range checktest.Faults {
			spoilt := checktest.Specimens()[i]
			if !f.Spoil(spoilt) {
				continue
			}
			fitted[f.Name]++
			if err := verifyLoaded(t, s, g.Right); err != nil {
				t.Fatalf("%s: the right tree: %v", g.Name, err)
			}
			var fault *TreeError
			if err := verifyLoaded(t, s, spoilt.Tree); !errors.As(err, &fault) {
				t.Errorf("%s, %s: got %v", g.Name, f.Name, err)
			}
		}
	}
	for _, f := range checktest.Faults {
		if fitted[f.Name] < 2 {
			t.Errorf("%s fits %d specimens, want at least 2", f.Name, fitted[f.Name])
		}
	}
}

func verifyLoaded(t *testing.T, s *Searcher, tree *hops.Tree) error {
	t.Helper()
	if err := s.LoadTree(0, tree); err != nil {
		t.Fatal(err)
	}
	_, _, _, err := s.VerifyOnDevice(t.Context(), 0)
	return err
}

// Of a directed graph the device counts what package check counts, and it refuses a parent
// to which an edge leads the wrong way, and a tree that leaves out where an edge leads.
func TestVerifyDirectedOnDevice(t *testing.T) { eachDriver(t, verifyDirected) }

func verifyDirected(t *testing.T, driver string) {
	list, err := edge.NewKronecker(8, 16, 2, 3)
	if err != nil {
		t.Fatal(err)
	}
	src := hops.Directed(list)
	s, err := Build(t.Context(), src, Options{Driver: driver, Stepped: level.Fixed{Direction: level.TopDown}})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	checker, tree := check.New(src, 1), hops.NewTree(src.NumVertices())
	for _, root := range []hops.Vertex{3, 77, 200, 255} {
		if _, err := s.Search(t.Context(), root, tree); err != nil {
			t.Fatal(err)
		}
		want, err := checker.Tree(t.Context(), tree)
		if err != nil {
			t.Fatal(err)
		}
		levels, edges, loops, err := s.VerifyOnDevice(t.Context(), 0)
		if err != nil || !slices.Equal(levels, want.Levels) || edges != want.Edges || loops != want.Loops {
			t.Errorf("root %d: levels %v, %d edges, %d loops, %v; want %+v", root, levels, edges, loops, err, want)
		}
	}
	line, err := Build(t.Context(), hops.Directed(edge.List([]hops.Edge{{U: 0, V: 1}, {U: 2, V: 1}}, 3)),
		Options{Driver: driver, Stepped: level.Fixed{Direction: level.TopDown}})
	if err != nil {
		t.Fatal(err)
	}
	defer line.Close()
	for _, c := range []struct {
		parents []uint32
		right   bool
	}{{[]uint32{0, 0, ^uint32(0)}, true}, {[]uint32{0, 0, 1}, false}, {[]uint32{0, ^uint32(0), ^uint32(0)}, false}} {
		var fault *TreeError
		if err := verifyLoaded(t, line, &hops.Tree{Narrow: c.parents}); errors.As(err, &fault) == c.right {
			t.Errorf("parents %d: %v", c.parents, err)
		}
	}
}

// Vertices with an edge to another one are told from lone and looped ones.
func TestJoinedOnDevice(t *testing.T) { eachDriver(t, joinedOnDevice) }

func joinedOnDevice(t *testing.T, driver string) {
	s, err := Build(t.Context(), edge.List([]hops.Edge{{U: 3, V: 40}, {U: 7, V: 7}, {U: 3, V: 3}}, 41), Options{Driver: driver})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	got, err := s.JoinedOnDevice(t.Context(), []hops.Vertex{0, 3, 7, 40})
	if err != nil || !slices.Equal(got, []bool{false, true, false, true}) {
		t.Errorf("%v, %v", got, err)
	}
	if _, err := s.JoinedOnDevice(t.Context(), []hops.Vertex{41}); err == nil {
		t.Error("a vertex beyond the last was accepted")
	}
}

// The fused search leaves on the device what it copies to the host.
func TestSearchOnDevice(t *testing.T) { eachDriver(t, searchOnDevice) }

func searchOnDevice(t *testing.T, driver string) {
	src, err := edge.NewKronecker(10, 16, 2, 3)
	if err != nil {
		t.Fatal(err)
	}
	s, err := Build(t.Context(), src, Options{Driver: driver})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	tree := hops.NewTree(src.NumVertices())
	for _, root := range []hops.Vertex{458, 459, 460} {
		trace, err := s.SearchOnDevice(t.Context(), root)
		if err != nil {
			t.Fatal(err)
		}
		found := trace.Found()
		levels, _, _, err := s.VerifyOnDevice(t.Context(), 0)
		var vertices int64
		for _, l := range levels {
			vertices += l
		}
		if err != nil || vertices != found+1 {
			t.Errorf("root %d: %d vertices in the tree, %d found, %v", root, vertices, found, err)
		}
		if trace, err = s.Search(t.Context(), root, tree); err != nil || trace.Found() != found {
			t.Errorf("root %d: %d found with the tree on the host, %d without, %v", root, trace.Found(), found, err)
		}
	}
}
