package sssp

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gohops/hops/internal/testing/guardtest"
)

// rowCase is a machine in the middle of a bucket: vertices with rows of up to 40 entries, of which some
// have distances, and records, some of them stale.
type rowCase struct {
	slots   *slotGraph
	states  []state[float32]
	records []record[float32]
	bound   float32
}

func newRowCase(r *rand.Rand, records int) rowCase {
	n := 1 + r.IntN(60)
	c := rowCase{slots: &slotGraph{label: make([]uint32, n+1), hubs: uint32(n)}, states: make([]state[float32], n+1), bound: r.Float32()}
	out := &c.slots.out
	for s := range c.states {
		c.slots.label[s], c.states[s] = r.Uint32(), state[float32]{inf[float32](), none}
		if r.IntN(3) > 0 && s < n {
			c.states[s] = state[float32]{r.Float32(), r.Uint32()}
		}
		if s == n {
			break
		}
		first := len(out.entries)
		for range []int{r.IntN(6), r.IntN(40)}[r.IntN(4)/3] {
			out.entries = append(out.entries, newEntry(r.Float32()*c.bound*2, uint32(r.IntN(n))))
		}
		slices.Sort(out.entries[first:])
		out.heads = append(out.heads, head{int64(first), uint32(len(out.entries) - first), c.slots.label[s]})
	}
	for _, s := range r.Perm(n)[:min(n, records)] {
		v := record[float32]{far: c.states[s].far, slot: uint32(s)}
		if length := len(out.row(v.slot)); length > 0 && r.IntN(2) == 0 {
			v.key, v.cursor = 1, uint32(r.IntN(length+1))
		}
		if r.IntN(4) == 0 {
			v.far = r.Float32()
		}
		c.records = append(c.records, v)
	}
	return c
}

// run pushes with copies of the arrays, which lie beside guard pages.
func (c *rowCase) run(t *testing.T, side guardtest.Side, v vectors) (*machine[float32], *worker[float32]) {
	w := *c.slots
	w.label, w.out.heads, w.out.entries = guardtest.Copy(t, side, w.label), guardtest.Copy(t, side, w.out.heads), guardtest.Copy(t, side, w.out.entries)
	m := &machine[float32]{slotGraph: &w, states: guardtest.Copy(t, side, c.states), bound: c.bound, vectors: v, listed: true}
	me := &worker[float32]{batch: make([]record[float32], 0, pushBatch), least: inf[float32]()}
	for _, r := range c.records {
		m.pushLater(me, r)
	}
	m.pushWaiting(me)
	return m, me
}

// far leaves the parents out: of two that offer the same, either may come first.
func far(states []state[float32]) (list []float32) {
	for _, p := range states {
		list = append(list, p.far)
	}
	return list
}

// Vectors push rows as they are pushed one by one, and read and write nothing outside of their arrays.
// A distance may be lowered fewer times, because a window is looked at before what it offers is taken.
func TestVectorsPushRowsAsOneByOne(t *testing.T) {
	if !haveVectors {
		t.Skip("this processor has no AVX-512")
	}
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 23))
		c := newRowCase(r, []int{int(seed), pushBatch, 2*pushBatch + r.IntN(9)}[seed%3])
		for _, side := range guardtest.Sides {
			want, wantWorker := c.run(t, side, noVectors)
			got, gotWorker := c.run(t, side, avx512)
			if same := cmp.Diff(far(want.states), far(got.states)); same != "" {
				t.Fatalf("seed %d: %s", seed, same)
			}
			if gotWorker.examined < wantWorker.examined || gotWorker.least > wantWorker.least || gotWorker.degree < wantWorker.degree {
				t.Fatalf("seed %d: examined %d, least %v, degree %d; one by one %d, %v, %d", seed, gotWorker.examined, gotWorker.least, gotWorker.degree,
					wantWorker.examined, wantWorker.least, wantWorker.degree)
			}
		}
	}
}
