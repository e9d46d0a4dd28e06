package cluster

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/gohops/hops/internal/arena"
	"github.com/gohops/hops/internal/bitset"
)

func TestPartition(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		entries := make([]uint32, rapid.IntRange(1, 20_000).Draw(t, "vertices"))
		workers := rapid.IntRange(1, 40).Draw(t, "workers")
		r := rand.New(rand.NewPCG(1, rapid.Uint64().Draw(t, "seed")))
		total, most := int64(0), int64(0) // of all words, of one
		sum := int64(0)
		for v := range entries {
			entries[v] = r.Uint32N(100)
			total += weight(entries[v], 1000)
			sum += weight(entries[v], 1000)
			if v%64 == 63 || v == len(entries)-1 {
				most, sum = max(most, sum), 0
			}
		}
		p := newPartition(entries, 1000, workers, 1)
		if p.cuts[0] != 0 || p.cuts[workers] != uint32(len(entries)) || !slices.IsSorted(p.cuts) {
			t.Fatalf("cuts %v of %d vertices", p.cuts, len(entries))
		}
		for w := range workers {
			if c := p.cuts[w]; c%64 != 0 && int(c) != len(entries) {
				t.Fatalf("worker %d starts inside a word, at %d", w, c)
			}
			share := int64(0)
			for v := p.cuts[w]; v < p.cuts[w+1]; v++ {
				share += weight(entries[v], 1000)
				if p.owner(v) != w {
					t.Fatalf("vertex %d belongs to %d, not to %d", v, p.owner(v), w)
				}
			}
			if share > total/int64(workers)+most {
				t.Fatalf("worker %d of %d has %d of %d", w, workers, share, total)
			}
		}
	})
}

func TestClasses(t *testing.T) {
	last := -1
	for d := uint32(0); d < 1<<31; d += d/16 + 1 {
		c := int(classOf(d))
		if c < last {
			t.Fatalf("degree %d has class %d, a smaller one %d", d, c, last)
		}
		last = c
	}
	if classOf(1<<31) == classOf(1<<30) || classOf(100) == classOf(112) || classOf(1) == classOf(0) {
		t.Error("degrees far apart have the same class")
	}
}

func TestHeavyIndex(t *testing.T) {
	var labels []uint32
	for i := range uint32(1000) {
		labels = append(labels, i*i*7)
	}
	h := newHeavy(labels)
	for i, v := range labels {
		if got, ok := h.index(v); !ok || got != uint32(i) {
			t.Fatalf("index of %d: %d, %v, want %d", v, got, ok, i)
		}
		if _, ok := h.index(v + 1); ok && !slices.Contains(labels, v+1) {
			t.Fatalf("%d is not heavy", v+1)
		}
	}
	none := newHeavy(nil)
	if _, ok := none.index(0); ok {
		t.Error("there are no heavy vertices")
	}
}

type scanned struct {
	V   uint32
	Row []uint32
}

// All forms of the rows yield the same rows of the same set.
func TestRowForms(t *testing.T) {
	s := build(t, kronecker(t, 10), Options{Ranks: 2, Threads: 1})
	var mem arena.Arena
	defer mem.Close()
	for _, share := range []float64{0, 0.01, 0.5, 1} {
		w := &s.ranks[1].workers[0]
		set := bitset.New(int64(w.count))
		r := rand.New(rand.NewPCG(5, 6))
		for v := range w.count {
			if r.Float64() < share && w.degree(v) > 0 {
				set.Add(uint64(v))
			}
		}
		want := scan(t, "", w, set, &mem)
		if int64(len(want)) != set.Count() {
			t.Fatalf("%d rows of %d vertices", len(want), set.Count())
		}
		for _, form := range []string{"coarse", "skip", "list"} {
			if diff := cmp.Diff(want, scan(t, form, w, set, &mem)); diff != "" {
				t.Errorf("%s, %v of all: (-want +got)\n%s", form, share, diff)
			}
		}
	}
}

func scan(t *testing.T, form string, w *worker, set bitset.Set, mem *arena.Arena) (rows []scanned) {
	t.Helper()
	f, err := newRowForm(form, w, mem)
	if err != nil {
		t.Fatal(err)
	}
	f.scan(set, func(v uint32, row []uint32) { rows = append(rows, scanned{v, slices.Clone(row)}) })
	return rows
}

// The vertices of a column have numbers of their own, without gaps but at the ends
// of pieces.
func TestGridNumbers(t *testing.T) {
	for _, shape := range []string{"2x3", "3x2", "1x6", "6x1"} {
		s := build(t, kronecker(t, 10), Options{Ranks: 6, Threads: 1, Layout: "2d", Grid: shape})
		for _, r := range s.ranks {
			g := r.m.(*grid)
			seen := bitset.New(g.numbers())
			for v := range uint32(s.n) {
				if g.parts.owner(v)%g.columns != g.j {
					continue
				}
				number := uint64(g.number(v))
				if seen.Has(number) {
					t.Fatalf("%s: two vertices of column %d have the number %d", shape, g.j, number)
				}
				seen.Add(number)
			}
			if gaps := g.numbers() - seen.Count(); gaps >= 64 {
				t.Errorf("%s: column %d has %d numbers without a vertex", shape, g.j, gaps)
			}
		}
	}
}

func TestShapes(t *testing.T) {
	for ranks, want := range map[int][2]int{1: {1, 1}, 2: {2, 1}, 6: {3, 2}, 7: {7, 1}, 12: {4, 3}, 16: {4, 4}} {
		if r, c, err := (Options{}).shape(ranks, 2); err != nil || r != want[0] || c != want[1] {
			t.Errorf("%d ranks on 2 hosts: %dx%d, %v", ranks, r, c, err)
		}
		if r, c, err := (Options{}).shape(ranks, 1); err != nil || r != ranks || c != 1 {
			t.Errorf("%d ranks on a host: %dx%d, %v", ranks, r, c, err)
		}
	}
	for _, bad := range []string{"2", "x", "2x", "0x4", "2x3x4", "ax4", "-2x-2"} {
		if CheckGrid(bad) == nil {
			t.Errorf("%q is a shape", bad)
		}
	}
	if _, _, err := (Options{Grid: "2x3"}).shape(5, 1); err == nil {
		t.Error("a grid of 2x3 has 6 ranks, not 5")
	}
}

func TestOptionsAreChecked(t *testing.T) {
	for _, o := range []Options{
		{Exchange: "pigeons"},
		{Encoding: "morse"},
		{Rows: "columns"},
		{Sync: "never"},
		{Layout: "3d"},
		{Gather: "all"},
		{Bitmaps: "x"},
		{Summary: 100},
		{Summary: 32},
		{Heavy: 1 << 20},
		{Predecessors: "x"},
		{Ranks: 2, Hosts: 3},
		{Layout: "2d", Ranks: 4, Grid: "3x1"},
	} {
		if s, err := Build(t.Context(), kronecker(t, 5), o); err == nil {
			_ = s.Close()
			t.Errorf("%+v was accepted", o)
		}
	}
}
