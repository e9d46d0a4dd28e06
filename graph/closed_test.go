package graph_test

import (
	"context"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/gohops/hops"
	"github.com/gohops/hops/engine/cpu"
	"github.com/gohops/hops/engine/many"
	"github.com/gohops/hops/graph"
	"github.com/gohops/hops/level"
)

// searches are what a cpu searcher and a many-source searcher of a graph do.
func searches(t *testing.T, g *graph.Graph) (all []func() error, closeAll func()) {
	t.Helper()
	one, err := cpu.New(g, cpu.Options{Threads: 2})
	if err != nil {
		t.Fatal(err)
	}
	several, err := many.New(g, many.Options{Threads: 2})
	if err != nil {
		t.Fatal(err)
	}
	n := g.NumVertices()
	searches := []func() error{
		func() error { _, err := one.Search(context.Background(), 0, hops.NewTree(n)); return err },
		func() error {
			_, err := several.Search(context.Background(), []hops.Vertex{0, 1}, hops.NewDepths(n))
			return err
		},
	}
	return searches, func() {
		_ = one.Close()
		_ = several.Close()
	}
}

func wantError(t *testing.T, err error, text string) {
	t.Helper()
	if err == nil || !strings.Contains(err.Error(), text) {
		t.Errorf("error %v, want %q", err, text)
	}
}

// A search after Close, or while the searcher is closed, ends.
func TestSearchesOfClosedSearchers(t *testing.T) {
	g := buildGraph(t, random(3000, 10_000))
	defer g.Close()
	all, closeAll := searches(t, g)
	done := make(chan error)
	for _, search := range all {
		go func() {
			var err error
			for err == nil {
				err = search()
			}
			done <- err
		}()
	}
	closeAll()
	for range all {
		wantError(t, <-done, "the searcher is closed")
	}
	for _, search := range all {
		wantError(t, search(), "the searcher is closed")
	}
	closeAll()
}

// A graph that was closed has nothing to search, and its memory is not touched.
func TestClosedGraphs(t *testing.T) {
	path := t.TempDir() + "/graph.hops"
	built := buildGraph(t, random(3000, 10_000))
	if err := graph.Save(path, built); err != nil {
		t.Fatal(err)
	}
	mapped, err := graph.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, g := range []*graph.Graph{built, mapped} {
		all, closeAll := searches(t, g)
		defer closeAll()
		if err := g.Close(); err != nil {
			t.Fatal(err)
		}
		for _, search := range all {
			wantError(t, search(), "the graph is closed")
		}
		if row := slices.Collect(g.Neighbors(0)); row != nil || g.NumVertices() != 0 {
			t.Errorf("%d vertices, neighbours %v", g.NumVertices(), row)
		}
		_, err := cpu.New(g, cpu.Options{})
		wantError(t, err, "the graph is closed")
		_ = g.Close()
	}
}

// A cutter is a policy that cuts a file short after the first level.
type cutter func()

func (cut cutter) Next(f level.Front, steps []level.Step) level.Step {
	if f.Depth == 1 {
		cut()
	}
	return level.RuleOfThumb.Next(f, steps)
}

// A mapped file that is cut short is an error before and after it was verified.
func TestMappedFilesCutShort(t *testing.T) {
	path := t.TempDir() + "/graph.hops"
	g := buildGraph(t, random(100_000, 400_000))
	defer g.Close()
	open := func() *graph.Graph {
		if err := graph.Save(path, g); err != nil {
			t.Fatal(err)
		}
		h, err := graph.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = h.Close() })
		return h
	}
	cut := func() {
		if err := os.Truncate(path, 8192); err != nil {
			t.Skip(err)
		}
	}
	fresh := open()
	cut()
	for range fresh.Neighbors(50_000) {
		t.Error("a neighbour from beyond the end of the file")
	}
	wantError(t, fresh.Err(), "graph.hops: cut short while it was open")
	wantError(t, fresh.Verify(), "graph.hops: cut short while it was open")

	listed, err := open().Source()
	if err != nil {
		t.Fatal(err)
	}
	cut()
	for _, size := range []int{10, 4 * 4096} {
		_, err := listed.EdgesAt(make([]hops.Edge, size), 100_000)
		wantError(t, err, "graph.hops: cut short while it was open")
	}

	for _, threads := range []int{1, 4} { // the caller alone, and workers
		searched, err := cpu.New(open(), cpu.Options{Threads: threads, Policy: cutter(cut)})
		if err != nil {
			t.Fatal(err)
		}
		_, err = searched.Search(context.Background(), 0, hops.NewTree(g.NumVertices()))
		wantError(t, err, "graph.hops: cut short while it was open, or it cannot be read: ")
		_ = searched.Close()
	}

	verified := open()
	all, closeAll := searches(t, verified)
	defer closeAll()
	cut()
	for _, search := range all {
		wantError(t, search(), "graph.hops: cut short while it was open")
	}
}
