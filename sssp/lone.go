package sssp

import (
	"math"

	"github.com/gohops/hops/internal/base/bucket"
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
	before := me.fresh.len()
	me.fresh.grow(hi - lo + vectorSlack)
	switch m.vectors {
	case avx512:
		m.pullLoneVectors(me, lo, hi)
	case avx2:
		whole := hi - (hi-lo)%wakersPerVector
		m.pullLoneVectors(me, lo, whole)
		m.pullLoneOneByOne(me, whole, hi)
	default:
		m.pullLoneOneByOne(me, lo, hi)
	}
	list := &m.wake.wakers // of which those carried have their first entries and their slots so far
	for k := before; k < me.fresh.len(); k++ {
		i := lo + int(me.fresh.slots[k]-list.slots[lo])
		me.fresh.seconds[k], me.fresh.thirds[k] = list.seconds[i], list.thirds[i]
	}
}

func (m *machine[D]) pullLoneVectors(me *worker[D], lo, hi int) {
	if lo >= hi {
		return
	}
	a := m.vectorPullOf(me, &m.wake.wakers, lo, hi-lo)
	a.labels = &m.wake.labels[lo]
	if m.vectors == avx512 {
		pullLoneAVX512(&a)
	} else {
		pullLoneAVX2(&a)
	}
	m.tookVectors(me, &a)
}

// pullLoneOneByOne has no branch that depends on whether a vertex is carried.
//
//go:norace
func (m *machine[D]) pullLoneOneByOne(me *worker[D], lo, hi int) {
	if lo >= hi {
		return
	}
	firsts, labels, slot := m.wake.firsts[lo:hi], m.wake.labels[lo:hi], m.wake.slots[lo]
	own, places, bound := m.places[slot:][:len(firsts)], m.places, m.bound
	fresh := me.fresh.len()
	me.fresh.cut(fresh + len(firsts))
	carriedFirsts, carriedSlots := me.fresh.firsts, me.fresh.slots
	examined, lowerings, carried := 0, 0, fresh
	for i, first := range firsts {
		if own[i].far != inf[D]() {
			continue
		}
		examined++
		sum := places[first.slot()].far + D(first.weight())
		if sum != inf[D]() {
			own[i] = place[D]{sum, labels[i]}
			lowerings++
		}
		carriedFirsts[carried], carriedSlots[carried] = first, slot+uint32(i)
		if sum >= bound {
			carried++
		}
	}
	me.fresh.cut(carried)
	me.examined, me.lowerings = me.examined+int64(examined), me.lowerings+int64(lowerings)
	me.found += int64(examined - (carried - fresh))
}
