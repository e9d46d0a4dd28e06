package sssp

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gohops/hops/internal/testing/guardtest"
)

// pullCase is a machine in the middle of a bucket: hubs that have distances, and vertices behind
// them whose rows lead to hubs, some of which have distances too.
type pullCase struct {
	slots              *slotGraph
	list               candidates
	states             []state[float32]
	near, bound, least float32
	hubs, pulled       int
}

func newPullCase(r *rand.Rand, pulled int) pullCase {
	c := pullCase{hubs: 1 + r.IntN(40), pulled: pulled, near: r.Float32() / 4}
	c.bound = c.near + r.Float32()
	c.slots = &slotGraph{label: make([]uint32, c.hubs+pulled+1)}
	c.states = make([]state[float32], len(c.slots.label))
	rows := &c.slots.in
	for s := range c.states {
		c.slots.label[s], c.states[s] = r.Uint32(), state[float32]{inf[float32](), none}
		if s < c.hubs && r.IntN(3) > 0 || r.IntN(4) == 0 {
			c.states[s] = state[float32]{c.near + r.Float32(), r.Uint32()}
		}
		rows.heads = append(rows.heads, head{first: int64(len(rows.entries))})
		if s < c.hubs || s == c.hubs+pulled {
			continue
		}
		row := make([]entry, []int{r.IntN(6), r.IntN(40)}[r.IntN(4)/3])
		for i := range row {
			row[i] = newEntry(r.Float32()*2, uint32(r.IntN(c.hubs)))
		}
		slices.Sort(row)
		rows.entries = append(rows.entries, row...)
		rows.heads[s].count = uint32(len(row))
		c.list.add(newCandidate(uint32(s), row, uint32(c.hubs+pulled)))
	}
	c.least = []float32{inf[float32](), c.near, c.bound}[r.IntN(3)]
	c.slots.out, c.slots.hubs = c.slots.in, uint32(c.hubs+pulled)
	return c
}

// start returns a machine with copies of the arrays, which lie beside guard pages.
func (c *pullCase) start(t *testing.T, side guardtest.Side, v vectors) (*machine[float32], *worker[float32]) {
	w := *c.slots
	w.label = guardtest.Copy(t, side, w.label)
	w.in = rows{guardtest.Copy(t, side, w.in.heads), guardtest.Copy(t, side, w.in.entries)}
	w.out = w.in
	w.wake.candidates = candidates{
		guardtest.Copy(t, side, c.list.firsts), guardtest.Copy(t, side, c.list.seconds),
		guardtest.Copy(t, side, c.list.slots), guardtest.Copy(t, side, c.list.thirds),
	}
	w.wake.labels = guardtest.Make[uint32](t, side, c.list.len())
	for i, e := range c.list.firsts {
		w.wake.labels[i] = w.label[e.slot()]
	}
	m := &machine[float32]{slotGraph: &w, states: guardtest.Copy(t, side, c.states), near: c.near, bound: c.bound, from: c.least, vectors: v}
	me := &worker[float32]{waiting: make([]puller[float32], 0, pullQueue)}
	for i := range me.lists.rows {
		me.lists.rows[i] = none // reading more than was written faults
	}
	return m, me
}

// run pulls all candidates.
func (c *pullCase) run(t *testing.T, side guardtest.Side, v vectors) (*machine[float32], *worker[float32]) {
	m, me := c.start(t, side, v)
	m.pull(me, &m.wake.candidates, 0, c.list.len(), c.least != inf[float32]())
	m.pullWaiting(me)
	return m, me
}

// ownVectors are those that this processor has.
func ownVectors() (own []vectors) {
	if haveAVX2 {
		own = append(own, avx2)
	}
	if haveVectors {
		own = append(own, avx512)
	}
	return own
}

// Vectors do what is done one by one, and read and write nothing outside of their arrays.
func TestVectorsPullAsOneByOne(t *testing.T) {
	own := ownVectors()
	if own == nil {
		t.Skip("this processor has no AVX2 and no AVX-512")
	}
	for _, v := range own {
		for seed := range uint64(150) {
			r := rand.New(rand.NewPCG(seed, 21))
			c := newPullCase(r, []int{int(seed), vectorBlock + r.IntN(200)}[seed%2])
			for _, side := range guardtest.Sides {
				want, wantWorker := c.run(t, side, noVectors)
				got, gotWorker := c.run(t, side, v)
				same := cmp.Diff(want.states, got.states, cmp.AllowUnexported(state[float32]{})) +
					cmp.Diff(inOrder(&wantWorker.fresh), inOrder(&gotWorker.fresh), cmp.AllowUnexported(candidate{})) +
					cmp.Diff(sorted(wantWorker.next), sorted(gotWorker.next), cmp.AllowUnexported(reached[float32]{})) +
					cmp.Diff([]int64{wantWorker.found, wantWorker.lowerings}, []int64{gotWorker.found, gotWorker.lowerings})
				if gotWorker.examined < wantWorker.examined { // a window is read as a whole
					t.Fatalf("vectors %d, seed %d: examined %d, and %d one by one", v, seed, gotWorker.examined, wantWorker.examined)
				}
				if same != "" {
					t.Fatalf("vectors %d, seed %d: %s", v, seed, same)
				}
			}
		}
	}
}

func sorted(list []reached[float32]) []reached[float32] {
	return slices.SortedFunc(slices.Values(list), func(a, b reached[float32]) int { return int(a.slot) - int(b.slot) })
}

// inOrder lists candidates by slot: those that need their rows come later, when enough of them wait.
func inOrder(list *candidates) (all []candidate) {
	for i := range list.len() {
		all = append(all, list.at(i))
	}
	slices.SortFunc(all, func(a, b candidate) int { return int(a.slot) - int(b.slot) })
	return all
}
