package cluster

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gohops/hops/internal/base/arena"
	"github.com/gohops/hops/internal/base/bitset"
	"github.com/gohops/hops/internal/ranks/deal"
)

func TestHeavyIndex(t *testing.T) {
	var labels []uint64
	var vertices []deal.Vertex
	for i := range uint64(1000) {
		labels = append(labels, i*i*7<<20)
		vertices = append(vertices, deal.Vertex{Label: i * i * 7 << 20})
	}
	h := newHeavy[uint64](vertices, 0)
	for i, v := range labels {
		if got, ok := h.number(v); !ok || got != uint32(i) {
			t.Fatalf("index of %d: %d, %v, want %d", v, got, ok, i)
		}
		if _, ok := h.number(v + 1); ok && !slices.Contains(labels, v+1) {
			t.Fatalf("%d is not heavy", v+1)
		}
	}
	none := newHeavy[uint32](nil, 0)
	if _, ok := none.number(0); ok {
		t.Error("there are no heavy vertices")
	}
}

type scanned struct {
	V   uint32
	Row []uint32
}

// All forms of the rows yield the same rows of the same set.
func TestRowForms(t *testing.T) {
	s := mustBuild(t, kronecker(t, 10), Options{Ranks: 2, Threads: 1})
	var mem arena.Arena
	defer mem.Close()
	for _, share := range []float64{0, 0.01, 0.5, 1} {
		w := &machineOf(s, 1).workers[0]
		set := bitset.New(int64(w.count))
		r := rand.New(rand.NewPCG(5, 6))
		for v := range w.count {
			if r.Float64() < share && w.out.degree(v) > 0 {
				set.Add(uint64(v))
			}
		}
		var want []scanned
		for v := range set.All {
			want = append(want, scanned{uint32(v), w.out.row(uint32(v))})
		}
		for _, form := range []string{"coarse", "skip", "list"} {
			if diff := cmp.Diff(want, scan(t, form, w, set, &mem)); diff != "" {
				t.Errorf("%s, %v of all: (-want +got)\n%s", form, share, diff)
			}
		}
	}
}

func scan(t *testing.T, form string, w *worker[uint32], set bitset.Set, mem *arena.Arena) (rows []scanned) {
	t.Helper()
	f, err := newRowForm(form, w, mem)
	if err != nil {
		t.Fatal(err)
	}
	f.scan(set, func(v uint32, row []uint32) { rows = append(rows, scanned{v, slices.Clone(row)}) })
	return rows
}
