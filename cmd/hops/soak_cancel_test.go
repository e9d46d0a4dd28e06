//go:build unix

package main

import (
	"context"
	"errors"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/gohops/hops"
	"github.com/gohops/hops/edge"
	"github.com/gohops/hops/graph500"
	"github.com/gohops/hops/internal/testing/families"
	"github.com/gohops/hops/internal/testing/oracle"
)

// hangs is how long a search may take before it counts as hanging. Seconds are meant;
// the machine may do a lot besides.
const hangs = 5 * time.Minute

// soakCancels searches a random graph from several roots by one engine, which no command line does with
// a context that ends at a random moment: the search ends soon, and the next one is right.
func soakCancels(t *testing.T, r *rand.Rand, c counts) {
	s, name := families.Random(r, 1<<r.IntN(13), c.family)
	var list []hops.Edge
	for _, e := range s.Edges {
		list = append(list, hops.Edge{U: hops.Vertex(e[0]), V: hops.Vertex(e[1])})
	}
	g := oracle.New(s.N, oracleEdges(s, nil), false)
	x := &soakCase{t: t, r: r, c: c}
	d := x.engine(g, anyEngine)
	if d.refused != nil {
		return
	}
	if d.text == "" {
		d.text = "cpu"
	}
	t.Logf("%s on %s, %d vertices", d.text, name, s.N)
	e, err := new(app).openEngine(d.text)
	must(err)
	ctx, stop := context.WithTimeoutCause(context.Background(), hangs, errors.New("it hangs"))
	defer stop()
	searcher, err := e.Build(ctx, edge.List(list, hops.Vertex(s.N)))
	if err != nil {
		if !impossible.MatchString(err.Error()) {
			t.Fatalf("Build: %v", err)
		}
		return
	}
	defer func() {
		if err := searcher.Close(); err != nil {
			t.Errorf("Close: %v", err)
		}
	}()
	tree, err := graph500.NewTree(searcher, hops.Vertex(s.N))
	if err != nil {
		t.Fatal(err)
	}
	for range 2 + r.IntN(5) {
		root := r.IntN(s.N)
		graph500.ClearTree(searcher, tree)
		if chance(r, 2) {
			cancelled(t, r, searcher, hops.Vertex(root), tree, c)
			continue
		}
		if _, err := searcher.Search(ctx, hops.Vertex(root), tree); err != nil {
			t.Fatalf("root %d: %v (%v)", root, err, context.Cause(ctx))
		}
		found := tree.Levels(nil)
		for v, want := range g.Levels(root) {
			if int(found[v]) != want {
				t.Fatalf("root %d: vertex %d at level %d, want %d", root, v, found[v], want)
			}
		}
		c["searches after others"]++
	}
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
