package sssp

import (
	"math"

	"github.com/gohops/hops/internal/base/bucket"
)

// firstOnly says which of the last candidates of an octave need their first entry only, while the
// bound is no farther from D₀ than second. The slots of these candidates are consecutive.
type firstOnly struct {
	first  int     // index of the first of them
	second float32 // a lower bound of the weights of their second entries
}

// findFirstOnly finds the candidates of every octave that need their first entry only.
func (w *wakeLists) findFirstOnly() {
	begin := 0
	for o := range bucket.NumOctaves - 1 {
		end := int(w.counts.Ends[o])
		beyond := math.Float32frombits(uint32(o+1) << 23) // the octave
		tail := firstOnly{end, float32(math.Inf(1))}
		for i := end - 1; i >= begin; i-- {
			second := min(w.seconds[i].weight(), w.thirds[i])
			if second < beyond || i+1 < end && w.slots[i]+1 != w.slots[i+1] {
				break
			}
			tail = firstOnly{i, min(tail.second, second)}
		}
		w.firstOnly[o], begin = tail, end
	}
}

// firstOnlyBelow returns the index from which on the candidates before end need their first entry
// only, in a bucket whose bound is so far from D₀.
func (w *wakeLists) firstOnlyBelow(end int, far float32) int {
	if end == 0 {
		return 0
	}
	tail := &w.firstOnly[bucket.Octave(w.firsts[end-1].weight())]
	if tail.second < far {
		return end
	}
	return tail.first
}

// pullFirstOnly lets candidates that have no distance pull by their first entries. None has anything
// to push: that would be along the same entry.
//
//go:norace
func (m *machine[D]) pullFirstOnly(me *worker[D], lo, hi int) {
	if lo >= hi {
		return
	}
	before := me.fresh.len()
	me.fresh.grow(hi - lo + vectorSlack)
	switch m.vectors {
	case avx512:
		m.pullFirstOnlyVectors(me, lo, hi)
	case avx2:
		whole := hi - (hi-lo)%candidatesPerVector
		m.pullFirstOnlyVectors(me, lo, whole)
		m.pullFirstOnlyOneByOne(me, whole, hi)
	default:
		m.pullFirstOnlyOneByOne(me, lo, hi)
	}
	list := &m.wake.candidates // the candidates that are carried have first entries and slots only
	for k := before; k < me.fresh.len(); k++ {
		i := lo + int(me.fresh.slots[k]-list.slots[lo])
		me.fresh.seconds[k], me.fresh.thirds[k] = list.seconds[i], list.thirds[i]
	}
}

func (m *machine[D]) pullFirstOnlyVectors(me *worker[D], lo, hi int) {
	if lo >= hi {
		return
	}
	a := m.vectorPullOf(me, &m.wake.candidates, lo, hi-lo)
	a.labels = &m.wake.labels[lo]
	if m.vectors == avx512 {
		pullFirstOnlyAVX512(&a)
	} else {
		pullFirstOnlyAVX2(&a)
	}
	m.tookVectors(me, &a)
}

// pullFirstOnlyOneByOne does what the vectors do. It has no branch on whether a vertex is carried.
//
//go:norace
func (m *machine[D]) pullFirstOnlyOneByOne(me *worker[D], lo, hi int) {
	if lo >= hi {
		return
	}
	firsts, labels, slot := m.wake.firsts[lo:hi], m.wake.labels[lo:hi], m.wake.slots[lo]
	own, states, bound := m.states[slot:][:len(firsts)], m.states, m.bound
	fresh := me.fresh.len()
	me.fresh.cut(fresh + len(firsts))
	carriedFirsts, carriedSlots := me.fresh.firsts, me.fresh.slots
	examined, lowerings, carried := 0, 0, fresh
	for i, first := range firsts {
		if own[i].far != inf[D]() {
			continue
		}
		examined++
		sum := states[first.slot()].far + D(first.weight())
		if sum != inf[D]() {
			own[i] = state[D]{sum, labels[i]}
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
