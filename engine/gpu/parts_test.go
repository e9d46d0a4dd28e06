package gpu

import (
	"errors"
	"fmt"
	"maps"
	"testing"

	"github.com/gohops/hops"
	"github.com/gohops/hops/check"
	"github.com/gohops/hops/edge"
)

// A graph may have parts of unequal size, and parts without vertices. Its trees are right by
// the checker of the host, and the device says the same of them.
func TestPartsOfUnequalSize(t *testing.T) {
	eachDriver(t, func(t *testing.T, driver string) {
		for _, c := range []struct {
			vertices hops.Vertex
			parts    int
		}{{1000, 7}, {100, 7}, {1000, 2}, {1, 2}} {
			t.Run(fmt.Sprintf("%d vertices in %d parts", c.vertices, c.parts), func(t *testing.T) {
				src := ringOfStars(c.vertices)
				s, err := Build(t.Context(), src, Options{Driver: driver, defines: smallLimits, Parts: c.parts})
				if err != nil {
					t.Fatal(err)
				}
				defer s.Close()
				for _, root := range []hops.Vertex{0, c.vertices / 2, c.vertices - 1} {
					searchAndVerify(t, s, src, root)
				}
			})
		}
	})
}

// ringOfStars is a ring in which every tenth vertex is joined to 50 others.
func ringOfStars(n hops.Vertex) hops.Source {
	var edges []hops.Edge
	for v := range n {
		edges = append(edges, hops.Edge{U: v, V: (v + 1) % n})
		for k := range hops.Vertex(50) {
			if v%10 == 0 {
				edges = append(edges, hops.Edge{U: v, V: (v*v + 7*k) % n})
			}
		}
	}
	return edge.List(edges, n)
}

func searchAndVerify(t *testing.T, s *Searcher, src hops.Source, root hops.Vertex) {
	t.Helper()
	tree := hops.NewTree(src.NumVertices())
	if _, err := s.Search(t.Context(), root, tree); err != nil {
		t.Fatal(err)
	}
	want, err := check.New(src, 1).Tree(t.Context(), tree)
	if err != nil {
		t.Fatalf("root %d: %v", root, err)
	}
	levels, edges, _, err := s.VerifyOnDevice(t.Context(), 0)
	if err != nil || len(levels) != len(want.Levels) || edges != want.Edges {
		t.Errorf("root %d: the device counts %d levels and %d edges, %v; the host %d and %d", root, len(levels), edges, err, len(want.Levels), want.Edges)
	}
}

// A wrong tree of a graph in parts is found on the device.
func TestWrongTreeInParts(t *testing.T) {
	eachDriver(t, func(t *testing.T, driver string) {
		src := ringOfStars(1000)
		s, err := Build(t.Context(), src, Options{Driver: driver, defines: smallLimits, Parts: 7})
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		tree := hops.NewTree(1000)
		if _, err := s.Search(t.Context(), 3, tree); err != nil {
			t.Fatal(err)
		}
		tree.Narrow[900] = 900
		if err := s.LoadTree(0, tree); err != nil {
			t.Fatal(err)
		}
		var wrong *TreeError
		if _, _, _, err := s.VerifyOnDevice(t.Context(), 0); !errors.As(err, &wrong) || wrong.NoTree == 0 {
			t.Errorf("vertex 900 is a root of its own: %v", err)
		}
	})
}

// All levels of all parts are one launch, after which the host reads the counts of the levels:
// no bitmap and no parent crosses the bus.
func TestPartsShowCountsOnly(t *testing.T) {
	openclOrSkip(t)
	o := Options{Driver: "opencl", defines: smallLimits, Parts: 7}
	o.setDefaults(0)
	d, err := open(&o)
	if err != nil {
		t.Fatal(err)
	}
	c := &counting{device: d, calls: map[string]int{}}
	s := &Searcher{kernels: kernels{c}, devices: []device{c}, options: o}
	defer s.Close()
	if err := s.buildParts(t.Context(), ringOfStars(1000), o.Parts); err != nil {
		t.Fatal(err)
	}
	got, trace := c.during(t, func() (hops.Trace, error) { return s.SearchOnDevice(t.Context(), 3) })
	if want := map[string]int{"launch search_parts": 1, "answer": 1}; !maps.Equal(got, want) || len(trace.Levels) < 3 {
		t.Errorf("a search of %d levels calls %v, want %v", len(trace.Levels), got, want)
	}
}

// The trace says what parts read of each other: what they found, where that is a queue or a list,
// and otherwise the words of all others.
func TestPartsCountWhatTheyExchange(t *testing.T) {
	eachDriver(t, func(t *testing.T, driver string) {
		src, err := edge.NewKronecker(12, 16, 2, 3)
		if err != nil {
			t.Fatal(err)
		}
		s, err := Build(t.Context(), src, Options{Driver: driver, defines: smallLimits, Parts: 3})
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		const others, bitmap = 2, 1 << 12 / 8
		lists, words := 0, 0
		for root := hops.Vertex(1); root < 200; root += 9 {
			trace, err := s.SearchOnDevice(t.Context(), root)
			if err != nil {
				t.Fatal(err)
			}
			for i, l := range trace.Levels {
				listed := 4 * others * l.Found
				switch bytes := l.Exchange.DeviceBytes; {
				case l.Step == "bottom-up" && bytes == others*bitmap, l.Step == "top-down" && bytes == 2*others*bitmap:
					words++
				case l.Step == "bottom-up-leftover" && (bytes == listed || bytes == 0), l.Step == "top-down" && bytes >= listed && bytes <= others*listed+4*others:
					lists++
				default:
					t.Errorf("root %d, level %d: %s finds %d vertices and moves %d bytes", root, i, l.Step, l.Found, bytes)
				}
			}
		}
		if lists == 0 || words == 0 {
			t.Errorf("%d levels as lists, %d as words", lists, words)
		}
	})
}
