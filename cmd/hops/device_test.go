package main

import (
	"fmt"
	"testing"

	"github.com/gohops/hops"
	"github.com/gohops/hops/check"
	"github.com/gohops/hops/edge"
	"github.com/gohops/hops/engine/gpu"
	"github.com/gohops/hops/engine/grid"
	"github.com/gohops/hops/internal/tooltest"
)

// Ranks of a grid share one device: each has its block there, of an undirected graph
// or of a directed one, on grids of all forms. Within a process nothing crosses the bus but
// counts, unless it is told to.
func TestRanksShareADevice(t *testing.T) {
	if testing.Short() {
		t.Skip("the race detector sees no kernel")
	}
	src, err := edge.NewKronecker(9, 16, 2, 3)
	if err != nil {
		t.Fatal(err)
	}
	for name, o := range map[string]grid.Options{
		"2x2":    {Shape: "2x2"},
		"3x2":    {Shape: "3x2", Predecessors: "level"},
		"1x5":    {Shape: "1x5"},
		"4x1":    {Shape: "4x1", Labels: "wide"},
		"staged": {Shape: "2x2", Exchange: "host"},
		"hosts":  {Shape: "2x3", Hosts: 3},
	} {
		t.Run(name, func(t *testing.T) { searchOnSharedDevice(t, src, o) })
	}
	t.Run("directed", func(t *testing.T) { searchOnSharedDevice(t, hops.Directed(src), grid.Options{Shape: "2x2"}) })
}

func searchOnSharedDevice(t *testing.T, src hops.Source, o grid.Options) {
	var rows, columns int
	if _, err := fmt.Sscanf(o.Shape, "%dx%d", &rows, &columns); err != nil {
		t.Fatal(err)
	}
	o.Ranks, o.Device = rows*columns, attachGPU(new(gpu.Blocks))
	s, err := grid.Build(t.Context(), src, o)
	if err != nil {
		tooltest.Missing(t, err)
	}
	defer s.Close()
	checker := check.New(src, 1)
	tree, err := s.NewTree()
	if err != nil {
		t.Fatal(err)
	}
	steps, bus := map[string]bool{}, int64(0)
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
			bus += l.Exchange.BusBytes
		}
	}
	if !steps["top-down"] || !steps["bottom-up"] {
		t.Errorf("steps %v", steps)
	}
	if staged := o.Exchange == "host" || o.Hosts > 1; (bus > 0) != staged {
		t.Errorf("%s: %d bytes through the bus", s.DeviceName(), bus)
	}
}
