package cpu

import (
	"slices"
	"unsafe"

	"github.com/gohops/hops/graph"
	"github.com/gohops/hops/internal/arena"
	"github.com/gohops/hops/internal/par"
	"github.com/gohops/hops/internal/topo"
)

// A host of several NUMA nodes is searched in parts. A part is a range of the
// vertices: their rows, their words of the bitmaps, and the workers who own them,
// all on one node. Only the frontier is read across parts, and what was found for
// a vertex of another part handed over.
//
// Workers own ranges anyway, so that all there is to a part is where its workers
// run and where its memory lies, and in which order they help each other. With
// one part nothing of this happens.

// A seat is where a worker runs.
type seat struct {
	part int
	node int       // of its memory
	cpus topo.CPUs // any of these
}

// seats places threads workers on parts parts, 0 standing for one per place. The
// workers of a part are neighbours, and parts are spread over the places in order.
// A part that has several places keeps its memory on the first.
func seats(places []topo.Node, parts, threads int) []seat {
	if parts == 0 {
		parts = len(places)
	}
	parts = min(parts, threads)
	all := make([]seat, threads)
	for w := range all {
		part := w * parts / threads
		first := part * len(places) / parts
		last := max(first+1, (part+1)*len(places)/parts)
		all[w] = seat{part: part, node: places[first].ID}
		for _, place := range places[first:last] {
			all[w].cpus = append(all[w].cpus, place.CPUs...)
		}
	}
	return all
}

// apart tells whether there is more than one place to be.
func apart(all []seat) bool {
	return slices.ContainsFunc(all, func(s seat) bool { return s.node != all[0].node })
}

// bind returns what a worker does first in its life. A host that forbids it leaves
// workers where they are.
func bind(all []seat) func(worker int) {
	if !apart(all) {
		return nil
	}
	return func(w int) { _ = topo.Pin(all[w].cpus) }
}

// helpOrder is the order in which worker id takes blocks from others when its own
// are done: first within its part.
func helpOrder(all []seat, id int) []int {
	var near, far []int
	for i := range all {
		w := (id + i) % len(all)
		if all[w].part == all[id].part {
			near = append(near, w)
		} else {
			far = append(far, w)
		}
	}
	return append(near, far...)
}

// settleParts moves the memory of every part to its node. That is advice: where
// the system refuses, pages stay where they were first touched.
func (m *machine) settleParts() {
	for w, s := range m.seats {
		me := &m.workers[w]
		for _, set := range [][]uint64{m.visited, m.front, m.next, m.graph.Parents.More, m.graph.Isolated, m.graph.Parents.Hub} {
			place(set, me.lo, me.hi, s.node)
		}
		n := int64(m.graph.NumVertices())
		lo, hi := min(me.lo*64, n), min(me.hi*64, n)
		place(m.graph.Parents.Head, lo, hi, s.node)
		place(m.graph.Parents.HubPrefix, lo, hi, s.node)
		entries := m.tails.Entries(lo, hi)
		place(entries, 0, int64(len(entries)), s.node)
		for _, rows := range []*graph.Rows{&m.graph.Out, &m.graph.In} {
			place(rows.Offsets, lo, hi, s.node)
			place(rows.Neighbors, rows.Offsets[lo], rows.Offsets[hi], s.node)
		}
	}
}

// place moves a range of an array.
func place[T any](array []T, lo, hi int64, node int) {
	if lo >= hi {
		return
	}
	size := int64(unsafe.Sizeof(array[0]))
	bytes := unsafe.Slice((*byte)(unsafe.Pointer(&array[lo])), (hi-lo)*size)
	_ = arena.Place(bytes, node)
}

// newTeam starts the workers, each in its seat.
func newTeam(opts Options) (*par.Team, []seat) {
	all := seats(topo.Here().Places(), opts.Parts, opts.Threads)
	return par.NewTeam(opts.Threads, bind(all)), all
}
