package sssp

import (
	"math"

	"github.com/gohops/hops/internal/bucket"
)

// loneWakers are the last wakers of an octave, whose slots follow each other, and of whose
// entries only the lightest matters while the bound is no farther from D₀ than second.
type loneWakers struct {
	first  int
	second float32 // not above the weight of any second entry
}

// findLone finds the lone wakers of every octave.
func (w *wakeLists) findLone() {
	begin := 0
	for o := range bucket.NumOctaves - 1 {
		end := int(w.counts.Ends[o])
		beyond := math.Float32frombits(uint32(o+1) << 23) // the octave
		lone := loneWakers{end, float32(math.Inf(1))}
		for i := end - 1; i >= begin; i-- {
			second := min(w.seconds[i].weight(), w.thirds[i])
			if second < beyond || i+1 < end && w.slots[i]+1 != w.slots[i+1] {
				break
			}
			lone = loneWakers{i, min(lone.second, second)}
		}
		w.lone[o], begin = lone, end
	}
}

// loneBelow returns from which on the wakers before end are lone in a bucket whose bound
// is so far from D₀.
func (w *wakeLists) loneBelow(end int, far float32) int {
	if end == 0 {
		return 0
	}
	lone := &w.lone[bucket.Octave(w.firsts[end-1].weight())]
	if lone.second < far {
		return end
	}
	return lone.first
}

// pullLone lets the vertices of lone wakers pull that no one has reached: by their lightest entries, and
// none has anything to push, which would be along that entry, too.
//
//go:norace
func (m *machine[D]) pullLone(me *worker[D], lo, hi int) {
	if lo >= hi {
		return
	}
	me.fresh.grow(hi - lo + vectorSlack)
	a := m.vectorPullOf(me, &m.wake.wakers, lo, hi-lo)
	a.labels = &m.wake.labels[lo]
	pullLoneAVX512(&a)
	m.tookVectors(me, &a)
}
