package sssp

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gohops/hops/internal/base/bucket"
	"github.com/gohops/hops/internal/testing/guardtest"
)

// newLoneCase is a machine whose bound is 1 beyond D₀, as far as the second entries of all who pull.
func newLoneCase(r *rand.Rand, pulled int) pullCase {
	c := newPullCase(r, 0)
	c.pulled, c.bound, c.least = pulled, c.near+1, inf[float32]()
	c.weave.label, c.places = c.weave.label[:c.hubs], c.places[:c.hubs]
	for s := uint32(c.hubs); s <= uint32(c.hubs+pulled); s++ {
		c.weave.label = append(c.weave.label, r.Uint32())
		c.places = append(c.places, place[float32]{inf[float32](), none})
		if r.IntN(4) == 0 {
			c.places[s] = place[float32]{c.near + r.Float32(), r.Uint32()}
		}
		if s == uint32(c.hubs+pulled) {
			break
		}
		row := []entry{
			newEntry(0.5+r.Float32()/2, uint32(r.IntN(c.hubs))), newEntry(1+r.Float32(), uint32(r.IntN(c.hubs))), newEntry(2+r.Float32(), 0),
		}
		c.list.add(newWaker(s, row[:1+r.IntN(3)], uint32(c.hubs+pulled)))
	}
	c.weave.hubs = uint32(c.hubs + pulled)
	return c
}

// Lone wakers pull as any wakers do, one by one and by vectors, and nothing is read or written outside of their
// arrays.
func TestLoneWakersPullAsOthers(t *testing.T) {
	for _, v := range append(ownVectors(), noVectors) {
		for seed := range uint64(150) {
			r := rand.New(rand.NewPCG(seed, 22))
			c := newLoneCase(r, []int{1 + int(seed), 1 + r.IntN(sweepChunk)}[seed%2])
			lo := r.IntN(c.pulled)
			for _, side := range guardtest.Sides {
				want, wantWorker := c.start(t, side, noVectors)
				want.pull(wantWorker, &want.wake.wakers, lo, c.pulled, false)
				got, gotWorker := c.start(t, side, v)
				got.pullLone(gotWorker, lo, c.pulled)
				same := cmp.Diff(want.places, got.places, cmp.AllowUnexported(place[float32]{})) +
					cmp.Diff(inOrder(&wantWorker.fresh), inOrder(&gotWorker.fresh), cmp.AllowUnexported(waker{})) +
					cmp.Diff([]int64{wantWorker.examined, wantWorker.found, wantWorker.lowerings}, []int64{gotWorker.examined, gotWorker.found, gotWorker.lowerings})
				if same != "" || len(wantWorker.next) > 0 {
					t.Fatalf("vectors %d, seed %d: %s", v, seed, same)
				}
			}
		}
	}
}

// Wakers are lone whose second entry is beyond the octave of the first, up to the end of the octave
// and without a gap of slots.
func TestLoneWakers(t *testing.T) {
	inf := float32(math.Inf(1))
	var w wakeLists
	for _, v := range []waker{
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
	w.findLone()
	for _, c := range []struct {
		end  int
		far  float32
		want int
	}{{0, 1, 0}, {1, 0.5, 0}, {1, 1, 1}, {4, 1, 2}, {4, 1.5, 4}, {6, 2, 6}, {7, 4, 7}, {7, inf, 7}} {
		if got := w.loneBelow(c.end, c.far); got != c.want {
			t.Errorf("before %d, up to %g: lone from %d on, want %d", c.end, c.far, got, c.want)
		}
	}
}
