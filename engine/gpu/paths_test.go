package gpu

import (
	"context"
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/gohops/hops"
	"github.com/gohops/hops/edge"
	"github.com/gohops/hops/internal/testing/checktest"
	"github.com/gohops/hops/internal/testing/enginetest"
	"github.com/gohops/hops/level"
)

// Distances are those of Dijkstra's algorithm, and do not depend on the directions of
// buckets.
func TestPaths(t *testing.T) {
	eachDriver(t, func(t *testing.T, driver string) {
		enginetest.RunPaths(t, enginetest.PathEngine{
			Build: func(ctx context.Context, src hops.WeightedSource, wide bool, policy level.Policy) (enginetest.PathSearcher, error) {
				s, err := NewPaths(ctx, src, Options{Driver: driver}, wide)
				if err == nil && policy != nil {
					s.policy = policy
				}
				return s, err
			},
			Steps: []string{"top-down", "bottom-up"},
		})
	})
}

// newPaths makes a searcher that ends with the test.
func newPaths(t *testing.T, driver string, src hops.WeightedSource) *Paths {
	t.Helper()
	s, err := NewPaths(t.Context(), src, Options{Driver: driver}, false)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

// The device finds every kind of fault that package check finds, and accepts what is right.
func TestVerifyPaths(t *testing.T) {
	eachDriver(t, func(t *testing.T, driver string) {
		for i, right := range checktest.PathSpecimens() {
			s := newPaths(t, driver, edge.WithWeights(edge.List(right.Edges, right.N), right.Weights))
			verify := func(p *hops.Paths) error {
				if err := s.LoadPaths(0, p); err != nil {
					t.Fatal(err)
				}
				_, _, _, err := s.VerifyOnDevice(t.Context(), 0)
				return err
			}
			if err := verify(right.Correct); err != nil {
				t.Errorf("%s: %v", right.Name, err)
			}
			for _, f := range checktest.PathFaults {
				spoilt := checktest.PathSpecimens()[i]
				if !f.Spoil(spoilt) {
					continue
				}
				if broken := (*TreeError)(nil); !errors.As(verify(spoilt.Paths), &broken) || broken.Error() == "" {
					t.Errorf("%s: %s was accepted", right.Name, f.Name)
				}
			}
		}
	})
}

// The device generates the weights of the source, bit by bit, and results stay in their
// slots while others are searched for.
func TestPathsOnDevice(t *testing.T) {
	eachDriver(t, func(t *testing.T, driver string) {
		src, err := edge.NewKronecker(8, 16, 2, 3)
		if err != nil {
			t.Fatal(err)
		}
		s := newPaths(t, driver, src)
		if have, err := s.Slots(2); have != 2 || err != nil {
			t.Fatalf("%d slots: %v", have, err)
		}
		got, want := make([]float32, src.NumEdges()), make([]float32, src.NumEdges())
		if _, err := src.WeightsAt(want, 0); err != nil {
			t.Fatal(err)
		}
		if err := s.verifier.loader.load(t.Context(), 0, src.NumEdges()); err != nil {
			t.Fatal(err)
		}
		if err := s.dev.read(bytesOf(got), s.verifier.loader.weights, 0); err != nil || !slices.Equal(got, want) {
			t.Errorf("other weights than those of the source: %v", err)
		}
		// From the reference: vertices reached, sum of the bits of their distances, edges.
		roots, bits := []hops.Vertex{53, 55}, []uint64{255826078357, 249762529521}
		for i, root := range roots {
			if _, err := s.SearchOnDevice(t.Context(), root); err != nil {
				t.Fatal(err)
			}
			if err := s.KeepTree(1 - i); err != nil {
				t.Fatal(err)
			}
		}
		for i, root := range roots {
			p := hops.NewSinglePaths(src.NumVertices())
			if err := s.CopyPaths(1-i, p); err != nil {
				t.Fatal(err)
			}
			levels, edges, _, err := s.VerifyOnDevice(t.Context(), 1-i)
			sum, reached := uint64(0), int64(0)
			for v, far := range p.Single {
				if p.Has(hops.Vertex(v)) {
					sum += uint64(math.Float32bits(far))
				}
			}
			for _, n := range levels {
				reached += n
			}
			if err != nil || p.Root != root || reached != 241 || sum != bits[i] || edges != 4011 {
				t.Errorf("root %d: %d vertices, bits %d, %d edges, %v", root, reached, sum, edges, err)
			}
		}
		joined, err := s.JoinedOnDevice(t.Context(), []hops.Vertex{53, 55})
		if err != nil || !joined[0] || !joined[1] {
			t.Errorf("joined: %v, %v", joined, err)
		}
	})
}

func TestPathsRefuse(t *testing.T) {
	openclOrSkip(t)
	o := Options{Driver: "opencl"}
	list := edge.List([]hops.Edge{{U: 0, V: 1}}, 2)
	if _, err := NewPaths(t.Context(), edge.WithWeights(list, []float32{1}), Options{Driver: "opencl", Hot: true}, false); err == nil {
		t.Error("hot bits were accepted")
	}
	if err := ReadyForPaths(o, 1<<40, 1, false); err == nil {
		t.Error("too many vertices were accepted")
	}
	s := newPaths(t, "opencl", edge.WithWeights(list, []float32{1}))
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := s.SearchOnDevice(ended, 0); !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled search: %v", err)
	}
	for what, try := range map[string]func() error{
		"slot":   func() error { return s.KeepTree(0) }, // after a search that was cancelled
		"root":   func() error { _, err := s.SearchOnDevice(t.Context(), 2); return err },
		"room":   func() error { _, err := s.Search(t.Context(), 0, hops.NewSinglePaths(3)); return err },
		"width":  func() error { _, err := s.Search(t.Context(), 0, hops.NewPaths(2)); return err },
		"verify": func() error { _, _, _, err := s.VerifyOnDevice(t.Context(), 1); return err },
	} {
		if try() == nil {
			t.Errorf("%s: no error", what)
		}
	}
}
