package main

import (
	"os"
	"testing"

	"github.com/gohops/hops"
	"github.com/gohops/hops/check"
	"github.com/gohops/hops/edge"
	"github.com/gohops/hops/engine/grid"
)

// Ranks of a grid share one device: each has its block there, of an undirected graph
// or of a directed one.
func TestRanksShareADevice(t *testing.T) {
	if testing.Short() {
		t.Skip("the race detector sees no kernel")
	}
	src, err := edge.NewKronecker(9, 16, 2, 3)
	if err != nil {
		t.Fatal(err)
	}
	t.Run("undirected", func(t *testing.T) { searchOnSharedDevice(t, src) })
	t.Run("directed", func(t *testing.T) { searchOnSharedDevice(t, hops.Directed(src)) })
}

func searchOnSharedDevice(t *testing.T, src hops.Source) {
	s, err := grid.Build(t.Context(), src, grid.Options{Ranks: 4, Device: attachGPU})
	if err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatal(err)
		}
		t.Skip(err)
	}
	defer s.Close()
	checker, tree := check.New(src, 1), hops.NewTree(src.NumVertices())
	steps := map[string]bool{}
	for root := hops.Vertex(1); root < 60; root += 12 {
		tree.Reset()
		trace, err := s.Search(t.Context(), root, tree)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := checker.Tree(t.Context(), tree); err != nil {
			t.Errorf("root %d: %v", root, err)
		}
		for _, l := range trace.Levels {
			steps[l.Step] = true
		}
	}
	if !steps["top-down"] || !steps["bottom-up"] {
		t.Errorf("steps %v", steps)
	}
}
