package cpu

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/gohops/hops/csr"
	"github.com/gohops/hops/edge"
	"github.com/gohops/hops/graph"
	"github.com/gohops/hops/internal/base/bitset"
	"github.com/gohops/hops/internal/base/kernel"
	"github.com/gohops/hops/internal/base/placement"
)

func testGraph(t testing.TB, scale int) *graph.Graph {
	t.Helper()
	src, err := edge.NewKronecker(scale, 16, 2, 3)
	if err != nil {
		t.Fatal(err)
	}
	g, err := csr.Build(context.Background(), src, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = g.Close() })
	return g
}

// A long queue is marked by all workers, a short one by the caller.
func TestQueueBecomesBitmap(t *testing.T) {
	g := testGraph(t, 16)
	team, err := placement.NewTeam(3, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer team.Close()
	m, err := newMachine(g, team, kernel.Best(), Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = m.mem.Close() }()
	for _, length := range []int{0, 1, 1000, 64*convertGrain + 1, int(g.NumVertices())} {
		m.queue = m.queue[:0]
		want := bitset.New(int64(int(g.NumVertices())))
		for _, v := range rand.New(rand.NewPCG(3, 3)).Perm(int(g.NumVertices()))[:length] {
			m.queue = append(m.queue, uint32(v))
			want.Add(uint64(v))
		}
		m.hasFront = false
		m.needFront()
		if !slices.Equal(m.front, want) {
			t.Fatalf("a queue of %d: the bitmap has %d", length, m.front.Count())
		}
	}
}
