package sssp

import "unsafe"

// vectorBlock is how many wakers one call of pullAVX512 takes, at most: its lists stay in a
// first-level cache.
const vectorBlock = 512

// vectorSlack is how many entries a vector store may write behind the last of a list.
const vectorSlack = 16

// vectorPull holds the arguments of pullAVX512, which reads the fields by their offsets.
type vectorPull struct {
	firsts, seconds *entry
	slots           *uint32
	thirds          *float32
	count           int64
	places          *uint64 // distances of 32 bits below labels of parents
	labels          *uint32

	near, bound, least float32
	_                  uint32

	// Output: wakers of vertices that are carried, behind those that the list has.
	freshFirsts, freshSeconds *entry
	freshSlots                *uint32
	freshThirds               *float32
	fresh                     int64

	rows, pushes               *uint32 // output: wakers that need their rows, and that push
	rowCount, pushCount        int64
	examined, found, lowerings int64

	behind int64 // wakers that the next calls take, whose other ends are prefetched
}

// pullLists have room for the output of a call of pullAVX512.
type pullLists struct {
	rows, pushes [vectorBlock + vectorSlack]uint32
}

// pullVectors does what pullSome and pullMore do, 16 vertices at a time and without a branch
// for each of them.
//
//go:norace
func (m *machine[D]) pullVectors(me *worker[D], list *wakers, lo, hi int, least D) {
	var lists pullLists
	for ; lo < hi; lo += vectorBlock {
		count := min(vectorBlock, hi-lo)
		me.fresh.grow(count + vectorSlack)
		a := vectorPull{
			firsts: &list.firsts[lo], seconds: &list.seconds[lo], slots: &list.slots[lo], thirds: &list.thirds[lo], count: int64(count),
			places: (*uint64)(unsafe.Pointer(unsafe.SliceData(m.places))), labels: unsafe.SliceData(m.label),
			near: float32(m.near), bound: float32(m.bound), least: float32(least),
			freshFirsts: unsafe.SliceData(me.fresh.firsts), freshSeconds: unsafe.SliceData(me.fresh.seconds),
			freshSlots: unsafe.SliceData(me.fresh.slots), freshThirds: unsafe.SliceData(me.fresh.thirds), fresh: int64(me.fresh.len()),
			rows: &lists.rows[0], pushes: &lists.pushes[0], behind: int64(hi - lo - count),
		}
		pullAVX512(&a)
		me.fresh.cut(int(a.fresh))
		me.examined, me.found, me.lowerings = me.examined+a.examined, me.found+a.found, me.lowerings+a.lowerings
		for _, i := range lists.pushes[:a.pushCount] {
			slot := list.slots[lo+int(i)]
			m.find(me, m.places[slot].far, slot)
		}
		for _, i := range lists.rows[:a.rowCount] {
			w := list.at(lo + int(i))
			m.pullMore(me, w, m.places[w.slot].far, m.places[w.first.slot()].far)
		}
	}
}
