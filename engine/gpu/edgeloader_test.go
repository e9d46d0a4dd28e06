package gpu

import (
	"context"
	"errors"
	"slices"
	"testing"

	"github.com/gohops/hops"
	"github.com/gohops/hops/edge"
	"github.com/gohops/hops/internal/base/mrg"
)

// The device generates the edges of the source, bit by bit.
func TestGenerate(t *testing.T) {
	eachDriver(t, func(t *testing.T, driver string) {
		generated(t, driver, 14)
		generated(t, driver, 31)
	})
}

// A draw that equals the limit is kept, and one below it thrown away: one draw of 2³¹ is the limit, so it
// is moved to the draw here. An edge of scale 1 takes one draw.
func TestDrawsAtTheLimit(t *testing.T) {
	eachDriver(t, func(t *testing.T, driver string) {
		l := loaderOf(t, driver, 1)
		_, seed, _, _ := l.src.(recipe).Recipe()
		want, others := make([]hops.Edge, l.src.NumEdges()), 0
		if _, err := l.src.EdgesAt(want, 0); err != nil {
			t.Fatal(err)
		}
		for i, e := range want {
			stream := mrg.State(seed)
			stream.Skip(0, uint64(i), 0)
			draw := stream.Next()
			if at := edgeAt(t, l, int64(i), draw); at != e {
				t.Errorf("edge %d is %v where its draw %d is the limit, want %v", i, at, draw, e)
			}
			if edgeAt(t, l, int64(i), draw+1) != e {
				others++
			}
		}
		if others == 0 {
			t.Error("draws below the limit were kept")
		}
	})
}

// edgeAt has the device generate one edge with another limit.
func edgeAt(t *testing.T, l *edgeLoader, i int64, limit uint32) hops.Edge {
	t.Helper()
	scale, seed, _, _ := l.src.(recipe).Recipe()
	a := generateArgs{jumps: l.jumps, keys: l.keys, first: i, count: 1, scale: scale, limit: limit, seed: seed}
	var got [2]uint32
	if err := errors.Join(l.generate(l.edges, a), l.dev.read(bytesOf(got[:]), l.edges, 0)); err != nil {
		t.Fatal(err)
	}
	return hops.Edge{U: hops.Vertex(got[0]), V: hops.Vertex(got[1])}
}

// loaderOf makes a loader of Graph500 edges that ends with the test.
func loaderOf(t *testing.T, driver string, scale int) *edgeLoader {
	t.Helper()
	src, err := edge.NewKronecker(scale, 16, 2, 3)
	if err != nil {
		t.Fatal(err)
	}
	d, err := open(&Options{Driver: driver})
	if err != nil {
		t.Fatal(err)
	}
	m := newMemory(d)
	t.Cleanup(func() { m.close(); _ = d.Close() })
	l, err := newEdgeLoader(d, m, src, 0)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func generated(t *testing.T, driver string, scale int) {
	t.Helper()
	l := loaderOf(t, driver, scale)
	src, d := l.src, l.dev
	const n = 10_000
	for _, first := range []int64{0, 1, src.NumEdges()/2 + 7, src.NumEdges() - n} {
		want := make([]hops.Edge, n)
		if _, err := src.EdgesAt(want, first); err != nil {
			t.Fatal(err)
		}
		if err := l.load(t.Context(), first, n); err != nil {
			t.Fatal(err)
		}
		got := make([]uint32, 2*n)
		if err := d.read(bytesOf(got), l.edges, 0); err != nil {
			t.Fatal(err)
		}
		i := slices.IndexFunc(want, func(e hops.Edge) bool {
			pair := got[:2]
			got = got[2:]
			return uint64(pair[0]) != uint64(e.U) || uint64(pair[1]) != uint64(e.V)
		})
		if i >= 0 {
			t.Fatalf("scale %d: edge %d differs", scale, first+int64(i))
		}
	}
}

// A pass that was cancelled says nothing about the next one, and one with other edges is refused.
func TestPassesOverTheEdges(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	l := &edgeLoader{src: edge.List([]hops.Edge{{U: 0, V: 1}, {U: 1, V: 2}}, 3), chunk: 1, count: 2, whole: true}
	pass := func(ctx context.Context, sums ...uint64) error {
		return l.each(ctx, func(buffer, int64) error { // stands in for uploads of these sums
			l.digest += sums[0]
			sums = sums[1:]
			if len(sums) == 0 {
				cancel()
			}
			return nil
		})
	}
	if err := pass(ctx, 7); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled after one of two edges: %v", err)
	}
	for _, c := range []struct {
		second uint64
		fails  bool
	}{{8, false}, {8, false}, {9, true}} {
		if err := pass(t.Context(), 7, c.second); (err != nil) != c.fails {
			t.Errorf("a pass of 7 and %d: %v", c.second, err)
		}
	}
}
