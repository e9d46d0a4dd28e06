package sssp

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gohops/hops/internal/base/bucket"
	"github.com/gohops/hops/internal/testing/guardtest"
)

// newFirstOnlyCase is a machine whose bound is 1 beyond D₀, as far as all second entries.
func newFirstOnlyCase(r *rand.Rand, pulled int) pullCase {
	c := newPullCase(r, 0)
	c.pulled, c.bound, c.least = pulled, c.near+1, inf[float32]()
	c.slots.label, c.states = c.slots.label[:c.hubs], c.states[:c.hubs]
	for s := uint32(c.hubs); s <= uint32(c.hubs+pulled); s++ {
		c.slots.label = append(c.slots.label, r.Uint32())
		c.states = append(c.states, state[float32]{inf[float32](), none})
		if r.IntN(4) == 0 {
			c.states[s] = state[float32]{c.near + r.Float32(), r.Uint32()}
		}
		if s == uint32(c.hubs+pulled) {
			break
		}
		row := []entry{
			newEntry(0.5+r.Float32()/2, uint32(r.IntN(c.hubs))), newEntry(1+r.Float32(), uint32(r.IntN(c.hubs))), newEntry(2+r.Float32(), 0),
		}
		c.list.add(newCandidate(s, row[:1+r.IntN(3)], uint32(c.hubs+pulled)))
	}
	c.slots.hubs = uint32(c.hubs + pulled)
	return c
}

// First-only candidates pull as any candidates do, one by one and by vectors, and nothing is read or written outside of their
// arrays.
func TestFirstOnlyPullsAsOthers(t *testing.T) {
	for _, v := range append(ownVectors(), noVectors) {
		for seed := range uint64(150) {
			r := rand.New(rand.NewPCG(seed, 22))
			c := newFirstOnlyCase(r, []int{1 + int(seed), 1 + r.IntN(sweepChunk)}[seed%2])
			lo := r.IntN(c.pulled)
			for _, side := range guardtest.Sides {
				want, wantWorker := c.start(t, side, noVectors)
				want.pull(wantWorker, &want.wake.candidates, lo, c.pulled, false)
				got, gotWorker := c.start(t, side, v)
				got.pullFirstOnly(gotWorker, lo, c.pulled)
				same := cmp.Diff(want.states, got.states, cmp.AllowUnexported(state[float32]{})) +
					cmp.Diff(inOrder(&wantWorker.fresh), inOrder(&gotWorker.fresh), cmp.AllowUnexported(candidate{})) +
					cmp.Diff([]int64{wantWorker.examined, wantWorker.found, wantWorker.lowerings}, []int64{gotWorker.examined, gotWorker.found, gotWorker.lowerings})
				if same != "" || len(wantWorker.next) > 0 {
					t.Fatalf("vectors %d, seed %d: %s", v, seed, same)
				}
			}
		}
	}
}

// A candidate needs its first entry only if the second is beyond the octave, and so are all second
// entries behind it in the octave, without a gap of slots.
func TestFirstOnly(t *testing.T) {
	inf := float32(math.Inf(1))
	var w wakeLists
	for _, v := range []candidate{
		{newEntry(0.3, 0), newEntry(0.6, 0), 10, 0.9}, // alone in its octave
		{newEntry(0.6, 0), newEntry(1.5, 0), 3, 2},    // a gap follows
		{newEntry(0.9, 0), newEntry(1, 0), 11, 2},
		{newEntry(0.5, 0), newEntry(inf, 0), 12, inf},
		{newEntry(1, 0), newEntry(3, 0), 13, 4},
		{newEntry(1.5, 0), newEntry(1.9, 0), 14, 4},
		{newEntry(2, 0), newEntry(5, 0), 15, float32(math.Inf(-1))}, // is told to other hosts
	} {
		w.add(v)
	}
	for o := range w.counts.Ends {
		for _, first := range w.firsts {
			if bucket.Octave(first.weight()) <= o {
				w.counts.Ends[o]++
			}
		}
	}
	w.findFirstOnly()
	for _, c := range []struct {
		end  int
		far  float32
		want int
	}{{0, 1, 0}, {1, 0.5, 0}, {1, 1, 1}, {4, 1, 2}, {4, 1.5, 4}, {6, 2, 6}, {7, 4, 7}, {7, inf, 7}} {
		if got := w.firstOnlyBelow(c.end, c.far); got != c.want {
			t.Errorf("before %d, up to %g: the first entry is enough from %d on, want %d", c.end, c.far, got, c.want)
		}
	}
}
