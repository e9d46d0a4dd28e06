package grid

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"github.com/gohops/hops"
	"github.com/gohops/hops/edge"
	"github.com/gohops/hops/internal/base/bitset"
	"github.com/gohops/hops/internal/ranks/distributed"
	"github.com/gohops/hops/internal/ranks/distributed/ranktest"
	"github.com/gohops/hops/internal/testing/enginetest"
)

func kronecker(t testing.TB, scale int) hops.Source {
	t.Helper()
	src, err := edge.NewKronecker(scale, 16, 2, 3)
	if err != nil {
		t.Fatal(err)
	}
	return src
}

func mustBuild(t testing.TB, src hops.Source, o Options) *distributed.Searcher {
	t.Helper()
	s, err := distributed.Build(t.Context(), src, o.layout(), o.engine())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

// newTree is a tree for all ranks.
func newTree(s *distributed.Searcher) *hops.Tree {
	t, _ := s.NewTree() // which cannot fail
	return t
}

// engine is one configuration, in sizes that suit many ranks on few cores. Short runs
// use the kernels in plain Go: the vector kernels are out of the race detector's sight.
func engine(o Options, steps ...string) enginetest.Engine {
	o.reference = testing.Short()
	e := enginetest.Engine{
		Build: func(ctx context.Context, src hops.Source) (enginetest.Searcher, error) {
			return Build(ctx, src, o)
		},
		Steps: steps, Directed: true, MaxScale: 11, MaxPath: 200, Roots: 2, NamedRoots: 2,
	}
	if testing.Short() {
		e.MaxScale, e.MaxPath, e.Roots, e.NamedRoots = 10, 30, 1, 1
	}
	return e
}

// everyShape has every grid of that many ranks, and one on devices.
func everyShape(ranks int) (all []Options) {
	all = append(all, Options{Device: on(addressedDevice), Threads: 1})
	for rows := 1; rows <= ranks; rows++ {
		if o := (Options{Threads: 1, Shape: fmt.Sprintf("%dx%d", rows, ranks/rows)}); ranks%rows == 0 {
			wide := o
			wide.narrowLimit = 1
			all = append(all, o, wide)
		}
	}
	return all
}

// Every shape of a grid on every number of ranks, a search or two of each: what there
// is to race for.
func TestEverything(t *testing.T) {
	src := kronecker(t, 10) // 16 words of the bitmaps: every rank has vertices
	near, err := ranktest.Read(src)
	if err != nil {
		t.Fatal(err)
	}
	for _, ranks := range ranktest.RankCounts {
		for _, o := range everyShape(ranks) {
			o.Ranks, o.Hosts, o.reference = ranks, (ranks+1)/2, testing.Short()
			s := mustBuild(t, src, o)
			if _, err := near.Search(t.Context(), s, newTree(s), 1, 31); err != nil {
				t.Errorf("%+v: %v", o, err)
			}
		}
	}
}

// TestGrid runs the suite on grids of all shapes.
func TestGrid(t *testing.T) {
	shapes := []string{"1x1", "1x2", "2x1", "1x3", "3x1", "2x2", "2x3", "3x2", "1x7", "3x3"}
	if testing.Short() {
		shapes = []string{"2x2"}
	}
	if ranktest.AllRanks() {
		shapes = nil
		for _, ranks := range ranktest.RankCounts {
			for _, o := range everyShape(ranks)[1:] {
				shapes = append(shapes, o.Shape)
			}
			shapes = slices.Compact(shapes)
		}
	}
	for _, shape := range shapes {
		t.Run(shape, func(t *testing.T) {
			rows, columns, err := parseShape(shape)
			if err != nil {
				t.Fatal(err)
			}
			o := Options{Shape: shape, Ranks: rows * columns, Threads: 1 + rows%2}
			if rows == 2 {
				o.Predecessors = "level"
			}
			for _, limit := range []hops.Vertex{0, 1} {
				o.narrowLimit = limit
				e := engine(o, topDown.Name, bottomUp.Name)
				e.Variant = shape != "2x2" && shape != "2x3"
				enginetest.Run(t, e)
			}
		})
	}
}

// The variants that TestGrid does not run.
func TestVariants(t *testing.T) {
	if testing.Short() {
		t.Skip("slow")
	}
	t.Run("topDown", func(t *testing.T) {
		e := engine(Options{Ranks: 4, Hosts: 2, Threads: 1, Direction: "top-down"}, topDown.Name)
		e.Variant = true
		enginetest.Run(t, e)
	})
	for name, o := range variants() {
		t.Run(name, func(t *testing.T) {
			e := engine(o, topDown.Name, bottomUp.Name)
			e.MaxScale, e.MaxPath, e.Variant = 10, 50, true
			enginetest.Run(t, e)
		})
	}
}

func variants() map[string]Options {
	return map[string]Options{
		"hosts":      {Ranks: 6, Hosts: 3, Threads: 1},
		"prefix":     {Ranks: 8, Hosts: 4, Threads: 1, Shape: "2x4", Row: "prefix"},
		"dense":      {Ranks: 4, Hosts: 4, Threads: 1, Bitmaps: "dense"},
		"levelHosts": {Ranks: 4, Hosts: 4, Threads: 1, Shape: "2x2", Predecessors: "level"},
	}
}

// Whatever order steps come in, with any option, the tree of a graph of any family is right.
func TestAnyOrderOfSteps(t *testing.T) {
	all := variants()
	all["column"] = Options{Ranks: 3, Threads: 2}
	all["row"] = Options{Ranks: 3, Threads: 2, Shape: "1x3"}
	all["square"] = Options{Ranks: 4, Threads: 1, Shape: "2x2", Predecessors: "level"}
	all["packed"] = Options{Ranks: 4, Hosts: 4, Threads: 1, Shape: "2x2", Bitmaps: "packed"}
	all["devices"] = Options{Ranks: 4, Threads: 1, Shape: "2x2", Device: on(addressedDevice)}
	all["devicesOfHosts"] = Options{Ranks: 4, Hosts: 2, Threads: 1, Shape: "2x2", Device: on(addressedDevice), Bitmaps: "packed"}
	if testing.Short() {
		all = map[string]Options{"square": all["square"], "prefix": all["prefix"]}
	}
	for name, o := range all {
		t.Run(name, func(t *testing.T) {
			limits := []hops.Vertex{0, 1}
			if o.Device != nil {
				limits = limits[:1]
			}
			o.reference = testing.Short()
			for _, o.narrowLimit = range limits {
				ranktest.AnyOrder(t, func(src hops.Source) *distributed.Searcher { return mustBuild(t, src, o) })
			}
		})
	}
}

// A scan along the row sends every bitmap once, and gathering sends it to every other rank.
func TestPrefixSendsLess(t *testing.T) {
	src, sent := kronecker(t, 10), map[string]int64{}
	for _, row := range []string{"", "prefix"} {
		s := mustBuild(t, src, Options{Ranks: 4, Hosts: 4, Threads: 1, Shape: "1x4", Bitmaps: "dense", Row: row, Direction: "top-down", reference: testing.Short()})
		trace, err := s.Search(t.Context(), 1, newTree(s))
		if err != nil {
			t.Fatal(err)
		}
		for _, l := range trace.Levels {
			sent[row] += l.Bytes
		}
	}
	if 4*sent["prefix"] > 3*sent[""] {
		t.Errorf("sent %d bytes, gathering sends %d", sent["prefix"], sent[""])
	}
}

// The vertices of a column have numbers of their own, without gaps but at the ends
// of pieces.
func TestGridNumbers(t *testing.T) {
	src := kronecker(t, 10)
	for _, shape := range []string{"2x3", "3x2", "1x6", "6x1"} {
		s := mustBuild(t, src, Options{Ranks: 6, Threads: 1, Shape: shape})
		for _, r := range s.Ranks {
			m := r.Machine.(*machine)
			seen := bitset.New(m.numbered())
			for v := range uint64(src.NumVertices()) {
				if m.Parts.Owner(v)%m.columns != m.j {
					continue
				}
				number := uint64(m.numbers.of(v))
				if got := m.numbers.label(m.j, uint32(number)); got != v {
					t.Fatalf("%s: vertex %d has the number %d in column %d, which has the label %d", shape, v, number, m.j, got)
				}
				if seen.Has(number) {
					t.Fatalf("%s: two vertices of column %d have the number %d", shape, m.j, number)
				}
				seen.Add(number)
			}
			if gaps := m.numbered() - seen.Count(); gaps >= 64 {
				t.Errorf("%s: column %d has %d numbers without a vertex", shape, m.j, gaps)
			}
		}
	}
}

func TestShapes(t *testing.T) {
	for ranks, want := range map[int][2]int{1: {1, 1}, 2: {2, 1}, 6: {3, 2}, 7: {7, 1}, 12: {4, 3}, 16: {4, 4}} {
		if r, c, err := (Options{}).shape(ranks, 2, 1000); err != nil || r != want[0] || c != want[1] {
			t.Errorf("%d ranks on 2 hosts: %dx%d, %v", ranks, r, c, err)
		}
		if r, c, err := (Options{}).shape(ranks, 1, 1000); err != nil || r != ranks || c != 1 {
			t.Errorf("%d ranks on a host: %dx%d, %v", ranks, r, c, err)
		}
	}
	if r, c, err := (Options{}).shape(12, 1, 1<<33); err != nil || r != 2 || c != 6 {
		t.Errorf("12 ranks for 2^33 vertices: %dx%d, %v", r, c, err)
	}
	for _, bad := range []string{"2", "x", "2x", "0x4", "2x3x4", "ax4", "-2x-2"} {
		if CheckShape(bad) == nil {
			t.Errorf("%q is a shape", bad)
		}
	}
	if _, _, err := (Options{Shape: "2x3"}).shape(5, 1, 1000); err == nil {
		t.Error("a grid of 2x3 has 6 ranks, not 5")
	}
}

func TestOptionsAreChecked(t *testing.T) {
	for _, o := range []Options{
		{Bitmaps: "x"},
		{Direction: "sideways"},
		{Predecessors: "x"},
		{Shape: "x"},
		{Ranks: 2, Hosts: 3},
		{Ranks: 4, Shape: "3x1"},
		{Exchange: "host"},
		{Device: plainDevice(nil), Row: "prefix"},
		{Device: plainDevice(nil), Exchange: "pigeon"},
	} {
		if s, err := Build(t.Context(), kronecker(t, 5), o); err == nil {
			_ = s.Close()
			t.Errorf("%+v was accepted", o)
		}
	}
}

func BenchmarkSearch(b *testing.B) {
	src := kronecker(b, 18)
	s := mustBuild(b, src, Options{})
	tree := hops.NewTree(src.NumVertices())
	for root := hops.Vertex(1); b.Loop(); root++ {
		tree.Reset()
		if _, err := s.Search(b.Context(), root*97, tree); err != nil {
			b.Fatal(err)
		}
	}
}
