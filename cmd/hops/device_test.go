package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/gohops/hops"
	"github.com/gohops/hops/check"
	"github.com/gohops/hops/edge"
	"github.com/gohops/hops/engine/gpu"
	"github.com/gohops/hops/engine/grid"
	"github.com/gohops/hops/graph500"
	"github.com/gohops/hops/internal/ranks/block"
	"github.com/gohops/hops/internal/testing/checktest"
	"github.com/gohops/hops/internal/testing/enginetest"
	"github.com/gohops/hops/internal/testing/tooltest"
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

// The engine suite passes on grids of all forms whose blocks are on a device, with pieces of
// unequal size and pieces without vertices.
func TestGridsOnADevice(t *testing.T) {
	if testing.Short() {
		t.Skip("the race detector sees no kernel")
	}
	_, _ = buildOnDevice(t, edge.List(nil, 64), grid.Options{Shape: "1x1"}) // skips where there is no device
	for _, shape := range []string{"3x2", "1x5"} {
		t.Run(shape, func(t *testing.T) {
			rows, columns := 0, 0
			if _, err := fmt.Sscanf(shape, "%dx%d", &rows, &columns); err != nil {
				t.Fatal(err)
			}
			o := grid.Options{Shape: shape, Ranks: rows * columns, Threads: 1, Device: gpu.NewBlocks("")}
			if columns > 2 { // and the other grid packs by the rule
				o.Bitmaps = "packed"
			}
			enginetest.Run(t, enginetest.Engine{
				Build: func(ctx context.Context, src hops.Source) (enginetest.Searcher, error) {
					return grid.Build(ctx, src, o)
				},
				Steps: []string{"top-down", "bottom-up"}, Directed: true, MaxScale: 10, MaxPath: 30, Roots: 1, NamedRoots: 1, Variant: true,
			})
		})
	}
}

// A loadable is a block on a device that takes trees of other origin.
type loadable struct {
	block.Piece
	on loader
}

type loader interface {
	LoadTree(slot int, root hops.Vertex, piece []uint32) error
}

// buildOnDevice builds a grid of the options' shape whose blocks are on a device. They are
// returned by rank, where the ranks are on one host.
func buildOnDevice(t *testing.T, src hops.Source, o grid.Options) (grid.Searcher, []loadable) {
	t.Helper()
	var rows, columns int
	if _, err := fmt.Sscanf(o.Shape, "%dx%d", &rows, &columns); err != nil {
		t.Fatal(err)
	}
	o.Ranks = rows * columns
	all, blocks := gpu.NewBlocks("").(block.Devices), make([]loadable, o.Ranks)
	attach := all.Attach
	all.Attach = func(b block.Block, local int) (block.Accelerator, error) {
		on, err := attach(b, local)
		if err == nil {
			blocks[local] = loadable{b.Piece, on.(loader)}
		}
		return on, err
	}
	o.Device = all
	s, err := grid.Build(t.Context(), src, o)
	if err != nil {
		tooltest.Missing(t, err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s, blocks
}

func searchOnSharedDevice(t *testing.T, src hops.Source, o grid.Options) {
	s, _ := buildOnDevice(t, src, o)
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

// buildToKeep is buildOnDevice for trees that stay on the device.
func buildToKeep(t *testing.T, src hops.Source, o grid.Options) (graph500.OnDevice, []loadable) {
	t.Helper()
	o.TreesOnDevice = true
	s, blocks := buildOnDevice(t, src, o)
	return s.(graph500.OnDevice), blocks
}

// Trees that ranks leave on a device, in pieces, are validated there, with the counts that the
// host finds of their copies.
func TestTreesOfRanksStayOnADevice(t *testing.T) {
	if testing.Short() {
		t.Skip("the race detector sees no kernel")
	}
	src, err := edge.NewKronecker(9, 16, 2, 3)
	if err != nil {
		t.Fatal(err)
	}
	for name, x := range map[string]struct {
		src hops.Source
		o   grid.Options
	}{
		"2x2":      {src, grid.Options{Shape: "2x2"}},
		"3x2":      {src, grid.Options{Shape: "3x2", Predecessors: "level"}},
		"hosts":    {src, grid.Options{Shape: "1x3", Hosts: 3}},
		"directed": {hops.Directed(src), grid.Options{Shape: "2x1"}},
	} {
		t.Run(name, func(t *testing.T) { keepOnSharedDevice(t, x.src, x.o) })
	}
}

func keepOnSharedDevice(t *testing.T, src hops.Source, o grid.Options) {
	on, _ := buildToKeep(t, src, o)
	joined, err := on.JoinedOnDevice(t.Context(), []hops.Vertex{0, 1, 2, 3, 4, 5, 6, 7})
	want, wantErr := check.Joined(t.Context(), src, 1, []hops.Vertex{0, 1, 2, 3, 4, 5, 6, 7})
	if !slices.Equal(joined, want) || errors.Join(err, wantErr) != nil {
		t.Errorf("joined %v, want %v: %v", joined, want, err)
	}
	if have, err := on.Slots(3); have != 3 || err != nil {
		t.Fatalf("%d slots, %v", have, err)
	}
	roots := []hops.Vertex{13, 1, 25}
	for slot := 2; slot >= 0; slot-- { // the last tree stays where searches leave it
		if _, err := on.SearchOnDevice(t.Context(), roots[slot]); err != nil {
			t.Fatal(err)
		}
		if err := on.KeepTree(slot); err != nil {
			t.Fatal(err)
		}
	}
	checker, tree := check.New(src, 1), hops.NewTree(src.NumVertices())
	for slot, root := range roots {
		levels, edges, loops, err := on.VerifyOnDevice(t.Context(), slot)
		if err != nil {
			t.Fatal(err)
		}
		if err := on.CopyTree(slot, tree); err != nil || tree.Root != root {
			t.Fatalf("slot %d has the tree of %d, %v", slot, tree.Root, err)
		}
		found, err := checker.Tree(t.Context(), tree)
		if err != nil || !slices.Equal(levels, found.Levels) || edges != found.Edges || loops != found.Loops {
			t.Errorf("root %d: levels %v, %d edges, %d loops, want %+v, %v", root, levels, edges, loops, found, err)
		}
	}
}

// Every kind of broken tree is refused, though each rank has a piece of it and a share of the
// edges only.
func TestRanksCatchEveryFaultOnADevice(t *testing.T) {
	if testing.Short() {
		t.Skip("the race detector sees no kernel")
	}
	g := checktest.Specimens()[0]
	on, blocks := buildToKeep(t, edge.List(g.Edges, g.N), grid.Options{Shape: "1x3"})
	verify := func(tree *hops.Tree) error {
		at := int64(0)
		for _, b := range blocks {
			if b.Vertices == 0 {
				t.Fatal("a rank has no vertices")
			}
			if err := b.on.LoadTree(0, tree.Root, tree.Narrow[at:at+b.Vertices]); err != nil {
				t.Fatal(err)
			}
			at += b.Vertices
		}
		_, _, _, err := on.VerifyOnDevice(t.Context(), 0)
		return err
	}
	if _, err := on.Slots(1); err != nil {
		t.Fatal(err)
	}
	for i, f := range checktest.Faults {
		spoilt := checktest.Specimens()[0]
		if !f.Spoil(spoilt) {
			t.Fatalf("%s does not fit", f.Name)
		}
		if i%8 == 0 {
			if err := verify(g.Right); err != nil {
				t.Fatalf("the right tree: %v", err)
			}
		}
		if fault := (*gpu.TreeError)(nil); !errors.As(verify(spoilt.Tree), &fault) {
			t.Errorf("%s was not found", f.Name)
		}
	}
	if err := verify(g.Right); err != nil {
		t.Errorf("the right tree in the end: %v", err)
	}
}
