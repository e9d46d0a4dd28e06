package gpu

import (
	"context"
	"os"
	"slices"
	"testing"

	"github.com/gohops/hops"
	"github.com/gohops/hops/csr"
	"github.com/gohops/hops/edge"
	hopsgraph "github.com/gohops/hops/graph"
	"github.com/gohops/hops/internal/base/arena"
	"github.com/gohops/hops/internal/testing/enginetest"
)

// finished is the list of edges of a graph that is built on the host first.
func finished(t testing.TB, ctx context.Context, src hops.Source) (*hopsgraph.Source, error) {
	t.Helper()
	g, err := csr.Build(ctx, src, 1)
	if err != nil {
		return nil, err
	}
	t.Cleanup(func() { _ = g.Close() })
	return g.Source()
}

// A graph whose rows come from the host is searched like one whose rows are made on the
// device, in several allocations.
func TestFinishedRows(t *testing.T) {
	openclOrSkip(t)
	if testing.Short() {
		t.Skip("the race detector sees no kernel, and TestOpenCLFused runs the same code of the host")
	}
	enginetest.Run(t, enginetest.Engine{
		Build: func(ctx context.Context, src hops.Source) (enginetest.Searcher, error) {
			list, err := finished(t, ctx, src)
			if err != nil {
				return nil, err
			}
			return Build(ctx, list, Options{Driver: "opencl", defines: smallLimits, MaxAlloc: 1 << 20})
		},
		MaxScale: 10, MaxPath: 200, Roots: 2, NamedRoots: 4, LevelsPerLook: levelsPerLaunch, Directed: true, Variant: true,
	})
}

// The device takes the rows of a finished graph as they are. No edge is read.
func TestFinishedRowsAreNotRebuilt(t *testing.T) {
	openclOrSkip(t)
	kronecker, err := edge.NewKronecker(8, 16, 2, 3)
	if err != nil {
		t.Fatal(err)
	}
	for name, src := range map[string]hops.Source{"undirected": kronecker, "directed": hops.Directed(kronecker)} {
		list, err := finished(t, t.Context(), src)
		if err != nil {
			t.Fatal(err)
		}
		s, count := countedSearcher(t)
		defer s.Close()
		if err := s.build(t.Context(), unread{list, t}); err != nil {
			t.Fatal(err)
		}
		for kernel := range count.calls {
			if slices.Contains([]string{"launch scatter", "launch scatter_directed", "launch sort_short"}, kernel) {
				t.Errorf("%s: %s", name, kernel)
			}
		}
		row := slices.IndexFunc(list.Graph().In.Offsets, func(o int64) bool { return o > 0 }) - 1
		if got, want := readRow(t, s.graph, 0), list.Graph().In.Row(uint32(row)); !slices.Equal(got, want) {
			t.Errorf("%s: the first row has %d, want %d", name, got, want)
		}
	}
}

// A device that works in the memory of the host reads the rows where they are. It has a
// copy where they are not aligned, or end where the page ends.
func TestRowsAreShared(t *testing.T) {
	openclOrSkip(t)
	if shares, err := SharesMemory(Options{Driver: "opencl"}); err != nil || !shares {
		t.Skip("the device has memory of its own")
	}
	d, err := openOpenCL(0, "")
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	var host arena.Arena
	defer host.Close()
	page, err := arena.Make[uint32](&host, os.Getpagesize()/4)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		first, end int
		shared     bool
	}{{0, 100, true}, {1, 100, false}, {0, len(page), false}, {0, len(page) - window - 2, false}, {0, len(page) - window - 3, true}} {
		b := &builder{graph: &graph{kernels: kernels{d}, mem: newMemory(d)}, maxAlloc: 1 << 30}
		if shared, err := b.shareEntries(page[c.first:c.end]); shared != c.shared || err != nil {
			t.Errorf("entries %d to %d: shared %v, %v", c.first, c.end, shared, err)
		}
		if err := b.mem.close(); err != nil {
			t.Error(err)
		}
	}
}

// unread is a list of edges that nobody may read.
type unread struct {
	*hopsgraph.Source
	t *testing.T
}

func (u unread) EdgesAt(dst []hops.Edge, off int64) (int, error) {
	u.t.Error("edges were read")
	return u.Source.EdgesAt(dst, off)
}
