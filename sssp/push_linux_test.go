package sssp

import (
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gohops/hops/internal/base/par"
	"github.com/gohops/hops/internal/testing/guardtest"
)

// pushCase is a search in the middle of a bin: vertices with rows of up to four entries, of which some
// have distances, and a list of vertices, some of which have other distances by now.
type pushCase struct {
	rows     shortRows
	states   []state[float32]
	list     []reached[float32]
	lo, span uint32
}

func newPushCase(r *rand.Rand, listed int) pushCase {
	n := 1 + r.IntN(60)
	c := pushCase{rows: shortRows{label: make([]uint32, n+1), segments: make([]segment, n), directed: true, width: 0.25}}
	for s := range c.rows.segments {
		c.states = append(c.states, state[float32]{inf[float32](), none})
		if r.IntN(3) > 0 {
			c.states[s] = state[float32]{r.Float32(), r.Uint32()}
		}
		for i := range c.rows.segments[s] {
			c.rows.segments[s][i] = infinite | entry(s)
		}
		for i, to := range r.Perm(n)[:r.IntN(min(n, 4)+1)] {
			c.rows.segments[s][i] = newEntry(r.Float32(), uint32(to))
		}
	}
	c.lo = uint32(r.IntN(n))
	c.span = uint32(1 + r.IntN(n-int(c.lo)))
	for range listed {
		slot := c.lo + uint32(r.IntN(int(c.span)))
		v := reached[float32]{c.states[slot].far, slot}
		if r.IntN(4) == 0 {
			v.far = r.Float32()
		}
		c.list = append(c.list, v)
	}
	c.states = append(c.states, state[float32]{inf[float32](), none})
	return c
}

// run pushes with copies of the arrays, which lie beside guard pages.
func (c *pushCase) run(t *testing.T, side guardtest.Side, vectors bool) (*queues[float32], *queueWorker[float32]) {
	rows := c.rows
	rows.segments = guardtest.Copy(t, side, rows.segments)
	m := newQueues(&rows, par.NewTeam(1, nil), guardtest.Copy(t, side, c.states))
	m.vectors = vectors
	me := &m.workers[0]
	me.lo, me.span = c.lo, c.span
	m.push(me, guardtest.Copy(t, side, c.list))
	return m, me
}

// Vectors do what is done one by one, and read and write nothing outside of their arrays.
func TestVectorsPushAsOneByOne(t *testing.T) {
	if !haveVectors {
		t.Skip("this processor has no AVX-512")
	}
	for seed := range uint64(200) {
		r := rand.New(rand.NewPCG(seed, 22))
		c := newPushCase(r, []int{int(seed), pushBlock, 3*pushBlock + r.IntN(9)}[seed%3])
		for _, side := range guardtest.Sides {
			want, wantWorker := c.run(t, side, false)
			got, gotWorker := c.run(t, side, true)
			same := cmp.Diff(want.states, got.states, cmp.AllowUnexported(state[float32]{})) +
				cmp.Diff(wantWorker.bins, gotWorker.bins, cmp.AllowUnexported(reached[float32]{})) +
				cmp.Diff(wantWorker.offers, gotWorker.offers, cmp.AllowUnexported(offer[float32]{})) +
				cmp.Diff([]int64{wantWorker.queued, wantWorker.examined, wantWorker.found, wantWorker.lowerings},
					[]int64{gotWorker.queued, gotWorker.examined, gotWorker.found, gotWorker.lowerings})
			if same != "" {
				t.Fatalf("seed %d: %s", seed, same)
			}
		}
	}
}
