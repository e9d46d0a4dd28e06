package sssp

import "unsafe"

// vectors are the instructions that pulls use. AVX2 has kernels for candidates, AVX-512 for rows
// too.
type vectors int

const (
	noVectors vectors = iota
	avx2
	avx512
)

// bestVectors returns the widest vectors that this processor has.
func bestVectors() vectors {
	switch {
	case haveVectors:
		return avx512
	case haveAVX2:
		return avx2
	}
	return noVectors
}

// candidatesPerVector is how many candidates the AVX2 kernels take at a time. The caller passes a
// multiple of it.
const candidatesPerVector = 8

// vectorBlock is how many candidates one call of a kernel takes, at most: its lists stay in a
// first-level cache.
const vectorBlock = 512

// vectorSlack is how many entries a vector store may write behind the last of a list.
const vectorSlack = 16

// vectorPull holds the arguments of the kernels that pull, and of the kernels that read rows and
// settle after them. They read the fields by their offsets.
type vectorPull struct {
	firsts, seconds *entry
	slots           *uint32
	thirds          *float32
	count           int64
	states          *uint64 // distances of 32 bits below labels of parents
	labels          *uint32

	near, bound, least float32
	_                  uint32

	// Output: candidates that are carried on, behind the first fresh ones of the list.
	freshFirsts, freshSeconds *entry
	freshSlots                *uint32
	freshThirds               *float32
	fresh                     int64

	lists                      *pullLists // output
	rowCount, pushCount        int64      // output: lengths of the lists
	examined, found, lowerings int64

	behind int64 // candidates behind these; the states at the ends of their entries are prefetched

	heads   *head // of the rows of pullers
	entries *entry
}

// pullLists have room for the output of a call of a kernel that pulls. pushes and fars are the
// vertices that push and their distances. rows are the indices of candidates that need their rows,
// with their distances before, and the best distances and parents so far.
type pullLists struct {
	pushes, rows  [vectorBlock + vectorSlack]uint32
	befores, best [vectorBlock + vectorSlack]float32
	parents       [vectorBlock + vectorSlack]uint32
	fars          [vectorBlock + vectorSlack]float32
}

// pullVectors does what pullSome and pullMore do, 16 or 8 vertices at a time and without branches on
// single vertices. AVX-512 reads rows at once, unless entries lead to other hosts.
//
//go:norace
func (m *machine[D]) pullVectors(me *worker[D], list *candidates, lo, hi int, least D) {
	lists := &me.lists
	for ; lo < hi; lo += vectorBlock {
		count := min(vectorBlock, hi-lo)
		me.fresh.grow(count + vectorSlack)
		a := m.vectorPullOf(me, list, lo, count)
		a.least, a.lists, a.behind = float32(least), lists, int64(hi-lo-count)
		if m.vectors == avx512 {
			pullAVX512(&a)
		} else {
			pullAVX2(&a)
		}
		if m.rowVectors() && a.rowCount > 0 {
			pullRowsAVX512(&a)
			settleAVX512(&a)
			a.rowCount = 0
		}
		m.tookVectors(me, &a)
		for i, slot := range lists.pushes[:a.pushCount] {
			m.find(me, D(lists.fars[i]), slot)
		}
		for k, i := range lists.rows[:a.rowCount] {
			m.pullLater(me, puller[D]{list.at(lo + int(i)), D(lists.befores[k]), D(lists.best[k]), lists.parents[k]})
		}
	}
}

// vectorPullOf returns the arguments for some candidates of a list.
func (m *machine[D]) vectorPullOf(me *worker[D], list *candidates, lo, count int) vectorPull {
	return vectorPull{
		firsts: &list.firsts[lo], seconds: &list.seconds[lo], slots: &list.slots[lo], thirds: &list.thirds[lo], count: int64(count),
		states: (*uint64)(unsafe.Pointer(unsafe.SliceData(m.states))), labels: unsafe.SliceData(m.label),
		near: float32(m.near), bound: float32(m.bound),
		freshFirsts: unsafe.SliceData(me.fresh.firsts), freshSeconds: unsafe.SliceData(me.fresh.seconds),
		freshSlots: unsafe.SliceData(me.fresh.slots), freshThirds: unsafe.SliceData(me.fresh.thirds), fresh: int64(me.fresh.len()),
		heads: unsafe.SliceData(m.in.heads), entries: unsafe.SliceData(m.in.entries),
	}
}

// tookVectors adds the candidates that vectors carried and the numbers that they counted.
func (m *machine[D]) tookVectors(me *worker[D], a *vectorPull) {
	me.fresh.cut(int(a.fresh))
	me.examined, me.found, me.lowerings = me.examined+a.examined, me.found+a.found, me.lowerings+a.lowerings
}

// rowWindow is how many entries of a row the vectors of the processor take at a time: a cache line,
// or two. With 16 of them uniform graphs took 1.2 times as long.
const rowWindow = 8

// vectorRows holds the arguments of pushRowsAVX512, which reads the fields by their offsets.
type vectorRows struct {
	list    unsafe.Pointer // records
	count   int64
	states  *uint64 // distances of 32 bits below labels of parents
	heads   *head
	entries *entry

	near, bound float32
	examined    int64 // output: entries

	offers  *rowOffers // output: sums for the vertices at the ends of entries
	offered int64      // output: how many there are
}

// rowOffers have room for the sums that pushBatch vertices push, a window of each row at a time, by
// columns, so that vectors store them as they are.
type rowOffers struct {
	sums           [pushBatch * rowWindow]float32
	slots, parents [pushBatch * rowWindow]uint32
}

// rowVectors tells whether vectors read rows. All entries must lead to states of this host.
func (m *machine[D]) rowVectors() bool {
	return m.vectors == avx512 && (m.group == nil || m.group.host.alone)
}

// vectorRowsOf returns the arguments for the rows of one direction.
func (m *machine[D]) vectorRowsOf(r *rows) vectorRows {
	return vectorRows{
		states: (*uint64)(unsafe.Pointer(unsafe.SliceData(m.states))), heads: unsafe.SliceData(r.heads), entries: unsafe.SliceData(r.entries),
		near: float32(m.near), bound: float32(m.bound),
	}
}

// pushRows pushes the vertices that wait, as pushWaiting does. Each turn takes the rows up to the
// end of a cache line, and a row stays for the next turn while the whole line is below the bound.
//
//go:norace
func (m *machine[D]) pushRows(me *worker[D]) {
	m.dropStale(me)
	a := m.vectorRowsOf(&m.out)
	a.offers = &me.offered
	for len(me.batch) > 0 {
		var before [pushBatch]uint32
		for i := range me.batch {
			before[i&(pushBatch-1)] = me.batch[i].cursor
		}
		a.list, a.count = unsafe.Pointer(unsafe.SliceData(me.batch)), int64(len(me.batch))
		pushRowsAVX512(&a)
		me.examined += a.examined
		more := 0
		for i, r := range me.batch {
			row := m.out.row(r.slot)
			if int(r.cursor) < len(row) && m.out.endsLine(r.slot, r.cursor) && r.cursor > before[i&(pushBatch-1)] {
				me.batch[more] = r
				more++
				continue
			}
			m.keep(me, r, row)
		}
		me.batch = me.batch[:more]
		for i := range a.offered {
			m.reach(me, me.offered.slots[i], D(me.offered.sums[i]), me.offered.parents[i])
		}
	}
}

// dropStale removes the vertices of the batch whose distances have changed. It fetches the rows of
// all of them meanwhile.
func (m *machine[D]) dropStale(me *worker[D]) {
	var fars [pushBatch]D
	for i := range me.batch {
		r := &me.batch[i]
		m.out.fetchLine(r.slot, r.cursor)
		fars[i&(pushBatch-1)] = m.states[r.slot].load()
	}
	fresh := 0
	for i, r := range me.batch {
		me.batch[fresh] = r
		if r.far == fars[i&(pushBatch-1)] {
			fresh++
		}
	}
	me.batch = me.batch[:fresh]
}
