package gpu

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/gohops/hops"
	"github.com/gohops/hops/csr"
	"github.com/gohops/hops/edge"
	"github.com/gohops/hops/engine/many"
	"github.com/gohops/hops/internal/testing/oracle"
	"github.com/gohops/hops/query"
)

var (
	_ query.ManySearcher = (*Many)(nil)
	_ query.Summer       = (*Many)(nil)
)

// manyGraphs have levels of one vertex and of nearly all, rows that are cut into pieces,
// vertices without edges, and parts that no root reaches.
func manyGraphs(t *testing.T) map[string]hops.Source {
	t.Helper()
	kronecker, err := edge.NewKronecker(10, 16, 2, 3)
	if err != nil {
		t.Fatal(err)
	}
	var star, path, flower []hops.Edge
	for v := hops.Vertex(1); v < 3000; v++ {
		star = append(star, hops.Edge{U: 0, V: v})
	}
	for v := hops.Vertex(0); v < 140; v++ {
		path = append(path, hops.Edge{U: v, V: v + 1})
	}
	flower = append(append(flower, star...), hops.Edge{U: 2999, V: 3000}, hops.Edge{U: 3000, V: 3001}, hops.Edge{U: 3001, V: 5})
	return map[string]hops.Source{
		"kronecker": kronecker,
		"star":      edge.List(star, 3001),
		"path":      edge.List(path, 150),
		"flower":    edge.List(flower, 3010),
		"empty":     edge.List(nil, 70),
	}
}

func TestMany(t *testing.T) {
	eachDriver(t, func(t *testing.T, driver string) {
		for name, src := range manyGraphs(t) {
			t.Run(name, func(t *testing.T) { compareMany(t, src, driver) })
			t.Run(name+"Directed", func(t *testing.T) { compareMany(t, hops.Directed(src), driver) })
		}
	})
}

// compareMany holds searches from many roots to plain ones, and to the engine that runs
// them on the cores of a host.
func compareMany(t *testing.T, src hops.Source, driver string) {
	g, err := csr.Build(t.Context(), src, 0)
	if err != nil {
		t.Fatal(err)
	}
	host, err := many.New(g, many.Options{Threads: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer host.Close()
	m, err := NewMany(t.Context(), src, Options{Driver: driver})
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	got, want := hops.NewDepths(g.NumVertices()), hops.NewDepths(g.NumVertices())
	r := rand.New(rand.NewPCG(1, 2))
	for count, width := range map[int]uint64{64: defaultWidth, 1: defaultWidth, 33: 1 << 40, 50: 0} { // by the rule, all up, all down
		m.width = width
		roots := make([]hops.Vertex, count)
		for i := range roots {
			roots[i] = hops.Vertex(r.IntN(int(g.NumVertices())))
		}
		trace, err := m.Search(t.Context(), roots, got)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := host.Search(t.Context(), roots, want); err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(got.Reached, want.Reached) || !slices.EqualFunc(got.Bits, want.Bits, slices.Equal) {
			t.Errorf("%d roots: other words than those of package many", count)
		}
		for i, root := range roots {
			want, _ := oracle.BFS(int(g.NumVertices()), g.Neighbors, root)
			if levels := got.Levels(i, nil); !slices.Equal(levels, want) {
				t.Fatalf("root %d has other levels than a plain search", root)
			}
		}
		if last := trace.Levels[len(trace.Levels)-1]; last.Found != 0 || last.Frontier == 0 {
			t.Errorf("the last level is %+v", last)
		}
		sums, err := m.Sums(t.Context(), slices.Concat(roots, roots))
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(sums, append(got.Sums(), got.Sums()...)) {
			t.Errorf("%d roots: the sums of the device are not those of the levels", count)
		}
	}
}

func TestManyRefuses(t *testing.T) {
	openclOrSkip(t)
	src := edge.List([]hops.Edge{{U: 0, V: 1}}, 2)
	if _, err := NewMany(t.Context(), src, Options{Driver: "opencl", Hot: true}); err == nil {
		t.Error("hot bits were accepted")
	}
	m, err := NewMany(t.Context(), src, Options{Driver: "opencl"})
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	d := hops.NewDepths(2)
	for name, roots := range map[string][]hops.Vertex{"none": nil, "too many": make([]hops.Vertex, 65), "beyond the last": {2}} {
		if _, err := m.Search(t.Context(), roots, d); err == nil {
			t.Errorf("roots were accepted: %s", name)
		}
	}
	if _, err := m.Search(t.Context(), []hops.Vertex{0}, hops.NewDepths(3)); err == nil {
		t.Error("room for other vertices was accepted")
	}
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := m.Sums(cancelled, []hops.Vertex{0}); !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled search: %v", err)
	}
	sums, err := m.Sums(t.Context(), []hops.Vertex{1})
	if want := (hops.DepthSum{Reached: 2, Hops: 1, Depth: 1}); err != nil || len(sums) != 1 || sums[0] != want {
		t.Errorf("after a cancelled search: %+v, %v, want %+v", sums, err, want)
	}
}

// A limit ends searches, and the next one does not see what they left behind.
func TestManyLimit(t *testing.T) {
	openclOrSkip(t)
	m, err := NewMany(t.Context(), manyGraphs(t)["path"], Options{Driver: "opencl"})
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	for _, tt := range []struct {
		limit int
		want  hops.DepthSum
	}{{3, hops.DepthSum{Reached: 4, Hops: 6, Depth: 3}}, {0, hops.DepthSum{Reached: 141, Hops: 140 * 141 / 2, Depth: 140}}} {
		m.Limit(tt.limit)
		if sums, err := m.Sums(t.Context(), []hops.Vertex{0}); err != nil || sums[0] != tt.want {
			t.Errorf("limit %d: %+v, %v, want %+v", tt.limit, sums, err, tt.want)
		}
	}
}
