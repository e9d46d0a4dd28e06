package gpu

import (
	"slices"
	"strings"
	"testing"

	"github.com/gohops/hops"
	"github.com/gohops/hops/edge"
	"github.com/gohops/hops/level"
)

// The verifier accepts what the engine finds, in numbers of the benchmark's test vectors
// for scale 10, and refuses trees that are damaged.
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
	if _, _, err := s.VerifyOnDevice(t.Context()); err == nil || !strings.Contains(err.Error(), "before a search") {
		t.Errorf("a tree before any search: %v", err)
	}
	if _, err := s.SearchOnDevice(t.Context(), src.NumVertices()); err == nil {
		t.Error("a root beyond the last vertex was accepted")
	}
	for range 2 { // the second time with the memory of the first
		if _, err := s.SearchOnDevice(t.Context(), 458); err != nil {
			t.Fatal(err)
		}
		if got, err := s.verify(t.Context()); err != nil || got != (verdict{Vertices: 897, Edges: 16239, Loops: 144, Depth: 4}) {
			t.Errorf("a valid tree: %+v, %v", got, err)
		}
	}
	if vertices, edges, err := s.VerifyOnDevice(t.Context()); vertices != 897 || edges != 16239 || err != nil {
		t.Errorf("%d vertices and %d edges, %v", vertices, edges, err)
	}
	refuseDamaged(t, s, 458)
}

// refuseDamaged damages the tree of the root on the device in several ways.
func refuseDamaged(t *testing.T, s *Searcher, root uint32) {
	t.Helper()
	parents := make([]uint32, s.n)
	if err := s.state.parents(parents); err != nil {
		t.Fatal(err)
	}
	leaf := slices.Index(parents, root)
	far := slices.IndexFunc(parents, func(p uint32) bool {
		return p != ^uint32(0) && p != root && parents[p] != root && parents[parents[p]] != root
	})
	for name, damage := range map[string][2]uint32{
		"parent out of range":   {uint32(leaf), 5000},
		"cycle":                 {uint32(leaf), uint32(leaf)},
		"left out":              {uint32(leaf), ^uint32(0)},
		"parent at wrong level": {uint32(far), root},
	} {
		at := 4 * int64(damage[0])
		if err := s.dev.write(s.state.parent, at, bytesOf(damage[1:])); err != nil {
			t.Fatal(err)
		}
		if _, _, err := s.VerifyOnDevice(t.Context()); err == nil {
			t.Errorf("%s: accepted", name)
		}
		if err := s.dev.write(s.state.parent, at, bytesOf(parents[damage[0]:][:1])); err != nil {
			t.Fatal(err)
		}
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
		vertices, _, err := s.VerifyOnDevice(t.Context())
		if err != nil || vertices != found+1 {
			t.Errorf("root %d: %d vertices in the tree, %d found, %v", root, vertices, found, err)
		}
		if trace, err = s.Search(t.Context(), root, tree); err != nil || trace.Found() != found {
			t.Errorf("root %d: %d found with the tree on the host, %d without, %v", root, trace.Found(), found, err)
		}
	}
}

// A graph in parts is searched on its devices, but cannot be verified there.
func TestPartsAreNotVerified(t *testing.T) {
	openclOrSkip(t)
	s, err := Build(t.Context(), edge.List([]hops.Edge{{U: 0, V: 40}}, 41), Options{Driver: "opencl", defines: smallLimits, Parts: 2})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if trace, err := s.SearchOnDevice(t.Context(), 0); err != nil || trace.Found() != 1 {
		t.Errorf("%d found, %v", trace.Found(), err)
	}
	if _, _, err := s.VerifyOnDevice(t.Context()); err == nil || !strings.Contains(err.Error(), "in 2 parts") {
		t.Errorf("a tree in parts was verified: %v", err)
	}
}
