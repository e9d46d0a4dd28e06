package cpu

import (
	"slices"
	"testing"

	"github.com/gohops/hops"
	"github.com/gohops/hops/check"
	"github.com/gohops/hops/edge"
	"github.com/gohops/hops/internal/base/bitset"
)

// longRowed has rows that are long enough to be divided among many workers.
func longRowed(t *testing.T) hops.Source {
	t.Helper()
	src, err := edge.NewKronecker(15, 48, 2, 3) // more than the copies have room for
	if err != nil {
		t.Fatal(err)
	}
	return src
}

// The copies of the workers are the longest rows, each entry with its owner.
func TestRowsAreDivided(t *testing.T) {
	for _, c := range []struct {
		src     hops.Source
		threads int
	}{{longRowed(t), 2}, {longRowed(t), fewWorkers + 1}, {hops.Directed(longRowed(t)), 2}, {hops.Directed(longRowed(t)), fewWorkers + 1}} {
		s, err := Build(t.Context(), c.src, Options{Threads: c.threads})
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		m, copied, least, longest := s.m, int64(0), int64(1)<<62, int64(0)
		for v := range uint32(s.graph.NumVertices()) {
			degree := s.graph.Out.Degree(v)
			number, ok := m.divided.number(v)
			if !ok {
				if bitset.Set(s.graph.Parents.Hub).Has(uint64(v)) {
					longest = max(longest, degree)
				}
				continue
			}
			var all []uint32
			for w := range m.workers {
				row := m.workers[w].divided.row(uint32(number))
				if c.threads <= fewWorkers && !slices.IsSorted(row) {
					t.Errorf("worker %d has the row of %d in another order", w, v)
				}
				if slices.ContainsFunc(row, func(u uint32) bool { return int(m.owner[u>>blockShift]) != w }) {
					t.Errorf("worker %d has entries of others in the row of %d", w, v)
				}
				all = append(all, row...)
			}
			slices.Sort(all)
			if want := slices.Sorted(slices.Values(s.graph.Out.Row(v))); !slices.Equal(all, want) {
				t.Errorf("the workers have %d entries of vertex %d, which has %d", len(all), v, len(want))
			}
			copied, least = copied+degree, min(least, degree)
		}
		if copied == 0 || copied > s.graph.NumEntries()/dividedShare(int64(c.threads)) || least < longRow || longest > least {
			t.Errorf("%d of %d entries are copied; divided rows have %d entries at least, other hubs %d at most", copied, s.graph.NumEntries(), least, longest)
		}
	}
}

// Searches that read divided rows find what there is, and examine every entry once.
func TestSearchesByDividedRows(t *testing.T) {
	src := longRowed(t)
	verify := check.New(src, 2)
	defer verify.Close()
	for _, o := range []Options{
		{Threads: fewWorkers + 1},
		{Threads: fewWorkers + 1, Direction: stepTopDown},
		{Threads: fewWorkers + 1, Direction: stepSplit},
		{Threads: 2},
		{Threads: 2, Direction: stepTopDown},
		{Threads: 2, Direction: stepSplit},
	} {
		s, err := Build(t.Context(), src, o)
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		if finished, _ := s.Memory(); finished > o.Need(src.NumVertices(), src.NumEdges()) {
			t.Errorf("%d bytes are in use, more than they need", finished)
		}
		for root := hops.Vertex(1); root < 5; root++ {
			tree := hops.NewTree(src.NumVertices())
			trace, err := s.Search(t.Context(), root, tree)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := verify.Tree(t.Context(), tree); err != nil {
				t.Errorf("%+v: %v", o, err)
			}
			compareCounts(t, s, tree, trace)
		}
	}
}

// A graph that is to take little memory has no copies, nor has one without long rows or with one
// worker.
func TestNoDividedRows(t *testing.T) {
	short, err := edge.NewUniform(1<<14, 16, 1)
	if err != nil {
		t.Fatal(err)
	}
	for src, o := range map[hops.Source]Options{longRowed(t): {Threads: fewWorkers + 1, Lean: true}, short: {Threads: fewWorkers + 1}, longRowed(t): {Threads: 1}} {
		s, err := Build(t.Context(), src, o)
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		if s.m.divided.vertices != nil {
			t.Errorf("%+v: rows are divided", o)
		}
	}
}
