//go:build unix

package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/gohops/hops"
	"github.com/gohops/hops/check"
	"github.com/gohops/hops/edge"
	"github.com/gohops/hops/graph500"
	"github.com/gohops/hops/internal/checktest"
	"github.com/gohops/hops/internal/spec"
)

// hangs is how long a search may take before it counts as hanging. Seconds are meant;
// the machine may do a lot besides.
const hangs = 5 * time.Minute

// soakEngine searches a random graph with a random engine, from several roots, some of the searches
// cancelled, and checks every tree.
func soakEngine(t *testing.T, r *rand.Rand, c counts) {
	g := randomGraph(r)
	engine := randomEngine(t, r, c)
	t.Logf("%s on %s", engine.Name, g.name)
	ctx, stop := context.WithTimeoutCause(context.Background(), hangs, errors.New("it hangs"))
	defer stop()
	searcher, err := engine.Build(ctx, g.source)
	if err != nil {
		if ctx.Err() != nil || strings.Contains(err.Error(), "panic") {
			t.Fatalf("Build: %v", err)
		}
		c["refused: "+refusal(err)]++
		return
	}
	defer func() {
		if err := searcher.Close(); err != nil {
			t.Errorf("Close: %v", err)
		}
	}()
	checker := check.New(g.source, 1)
	defer checker.Close()
	tree, err := graph500.NewTree(searcher, g.source.NumVertices())
	if err != nil {
		t.Fatal(err)
	}
	for range 1 + r.IntN(6) {
		root := hops.Vertex(r.Uint64N(uint64(g.source.NumVertices())))
		graph500.ClearTree(searcher, tree)
		if chance(r, 5) {
			cancelled(t, r, searcher, root, tree, c)
			continue
		}
		trace, err := searcher.Search(ctx, root, tree)
		if err != nil {
			t.Fatalf("root %d: %v (%v)", root, err, context.Cause(ctx))
		}
		if _, err := checker.Tree(ctx, tree); err != nil {
			t.Fatalf("root %d: %v", root, err)
		}
		if want := checktest.Search(g.rows, root).Levels(nil); !slices.Equal(tree.Levels(nil), want) {
			t.Fatalf("root %d: levels %v, want %v", root, tree.Levels(nil), want)
		}
		c["trees validated"]++
		c["levels"] += int64(len(trace.Levels))
	}
	c["configurations searched"]++
}

// refusal is a message without its numbers, so that messages can be counted.
func refusal(err error) string {
	text := strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' {
			return -1
		}
		return r
	}, err.Error())
	return text[:min(len(text), 70)]
}

// cancelled searches with a context that ends at a random moment: the search ends soon, by
// an error that says so unless it was done.
func cancelled(t *testing.T, r *rand.Rand, s graph500.Searcher, root hops.Vertex, tree *hops.Tree, c counts) {
	t.Helper()
	ctx, stop := context.WithTimeout(context.Background(), time.Duration(r.Int64N(int64(2*time.Millisecond))))
	defer stop()
	ended := make(chan error, 1)
	start := time.Now()
	go func() { _, err := s.Search(ctx, root, tree); ended <- err }()
	select {
	case err := <-ended:
		if err != nil && ctx.Err() == nil {
			t.Fatalf("root %d: %v, before it was cancelled", root, err)
		}
		c["cancellations"]++
		c.most("longest cancellation, ms", time.Since(start))
	case <-time.After(hangs):
		t.Fatalf("root %d: lives %v after it was cancelled", root, hangs)
	}
}

// A soakGraph is a source with the rows of the oracle.
type soakGraph struct {
	name   string
	source hops.Source
	rows   [][]hops.Vertex
}

// randomGraph draws a graph: of a known shape, or a mixture; with loops, parallel edges,
// isolated vertices, other labels, or a direction.
func randomGraph(r *rand.Rand) soakGraph {
	n, name, edges := randomShape(r)
	if chance(r, 3) && len(edges) > 0 {
		name += "+parallel"
		for range 1 + r.IntN(len(edges)) {
			edges = append(edges, edges[r.IntN(len(edges))])
		}
	}
	if chance(r, 3) {
		name += "+loops"
		for range 1 + r.IntN(int(n)) {
			v := hops.Vertex(r.IntN(int(n)))
			edges = append(edges, hops.Edge{U: v, V: v})
		}
	}
	if chance(r, 3) {
		name += "+isolated"
		n += hops.Vertex(1 + r.IntN(int(n)))
	}
	if chance(r, 2) {
		name += "+relabelled"
		edges = checktest.Relabel(n, edges, r.Uint64())
	}
	g := soakGraph{name: fmt.Sprintf("%s, %d vertices, %d edges", name, n, len(edges)), source: edge.List(edges, n)}
	if chance(r, 6) {
		g.name += ", directed"
		g.source = hops.Directed(g.source)
		g.rows = make([][]hops.Vertex, n)
		for _, e := range edges {
			g.rows[e.U] = append(g.rows[e.U], e.V)
		}
		return g
	}
	g.rows = checktest.Neighbours(n, edges)
	return g
}

func randomShape(r *rand.Rand) (n hops.Vertex, name string, edges []hops.Edge) {
	n = hops.Vertex(1 + r.IntN(1<<(1+r.IntN(11))))
	switch name = pick(r, "kronecker", "uniform", "grid", "path", "star", "empty", "random", "complete", "mixed"); name {
	case "kronecker":
		k, err := edge.NewKronecker(1+r.IntN(11), 1+r.IntN(24), r.Uint64N(1<<31), r.Uint64N(1<<31))
		must(err)
		return k.NumVertices(), name, all(k)
	case "uniform":
		u, err := edge.NewUniform(n, 16*r.Float64(), r.Uint64())
		must(err)
		return n, name, all(u)
	case "grid":
		w, h := hops.Vertex(1+r.IntN(60)), hops.Vertex(1+r.IntN(60))
		return w * h, name, checktest.Grid(0, w, h)
	case "path":
		return n, name, checktest.Path(0, n)
	case "star", "complete":
		hubs := hops.Vertex(1)
		if name == "complete" {
			n = min(n, 120)
			hubs = n
		}
		for u := range hubs {
			for v := u + 1; v < n; v++ {
				edges = append(edges, hops.Edge{U: u, V: v})
			}
		}
	case "random":
		edges = checktest.Random(r.Uint64(), 0, n, r.IntN(3*int(n)))
	case "mixed": // a path, a star and a grid that may hang together
		edges = slices.Concat(checktest.Path(0, n), checktest.Grid(n, 7, 9), checktest.Random(r.Uint64(), n+30, n+40, int(n)))
		n = 2*n + 70
	}
	return n, name, edges
}

func all(src hops.Source) []hops.Edge {
	edges := make([]hops.Edge, src.NumEdges())
	if n, err := src.EdgesAt(edges, 0); n < len(edges) {
		must(err)
	}
	return edges
}

// randomEngine draws an engine with options of its own table.
func randomEngine(t *testing.T, r *rand.Rand, c counts) graph500.Engine {
	t.Helper()
	e := pick(r, engines...)
	for chance(r, 2) && (e.name == "gpu" || e.name == "adaptive") { // they are slow without a GPU
		e = pick(r, engines...)
	}
	options, _ := e.open()
	var pairs []spec.Pair
	for _, o := range options {
		if chance(r, 3) {
			pairs = append(pairs, spec.Pair{Key: o.Name, Value: randomValue(t, r, e, o)})
		}
	}
	has := func(name string) bool {
		return slices.ContainsFunc(pairs, func(p spec.Pair) bool { return p.Key == name })
	}
	if has("twin") && !has("nodes") { // the machines that are modelled have thousands
		pairs = append(pairs, spec.Pair{Key: "nodes", Value: strconv.Itoa(1 + r.IntN(8))})
	}
	for {
		text := spec.Spec{Name: e.name, Options: pairs}.String()
		engine, err := new(app).openEngine(text)
		if err == nil {
			c["opened "+e.name]++
			return engine
		}
		c["combinations refused"]++
		if len(pairs) == 0 { // hardware that is not here
			c["not here: "+e.name]++
			e = engines[0]
			continue
		}
		pairs = pairs[:len(pairs)-1]
		if has("twin") && !has("nodes") {
			pairs = slices.DeleteFunc(pairs, func(p spec.Pair) bool { return p.Key == "twin" })
		}
	}
}

// randomValue draws a value of an option: one of its samples, or for a number a small one
// or a power of two.
func randomValue(t *testing.T, r *rand.Rand, e engine, o spec.Option) string {
	t.Helper()
	value := pick(r, values(t, e, o)...)
	if o.Values == "N" && o.Name != "device" {
		n := 1 + r.IntN(8)
		if !slices.Contains([]string{"threads", "ranks", "hosts", "parts", "nodes", "pernode"}, o.Name) && chance(r, 2) {
			n = 1 << r.IntN(11)
		}
		return strconv.Itoa(n)
	}
	if o.Name == "shape" {
		return fmt.Sprintf("%dx%d", 1+r.IntN(3), 1+r.IntN(3))
	}
	return value
}
