package sssp

import (
	"iter"
	"math"
	"unsafe"

	"github.com/gohops/hops/graph"
	"github.com/gohops/hops/internal/base/arena"
	"github.com/gohops/hops/internal/base/bucket"
	"github.com/gohops/hops/internal/base/par"
	"github.com/gohops/hops/internal/base/prefetch"
)

// An entry is an edge in a row: the bits of its weight above the slot of its other end.
// Weights are not negative, so entries are in the order of their weights.
type entry uint64

func newEntry(weight float32, slot uint32) entry {
	return entry(uint64(math.Float32bits(weight))<<32 | uint64(slot))
}

func (e entry) slot() uint32    { return uint32(e) }
func (e entry) weight() float32 { return math.Float32frombits(uint32(e >> 32)) }

// rows are the edges of all slots, each row ordered by rising weight.
type rows struct {
	heads   []head // of all slots
	entries []entry
}

// A head says where a row is. A push needs the label of the vertex, too: one cache line has both.
type head struct {
	first int64 // index of the first entry
	count uint32
	label uint32
}

// fetchHead asks for the cache line of the head of a row, before row is called.
func (r *rows) fetchHead(slot uint32) { prefetch.Line(&r.heads[slot]) }

// fetchFrom asks for the entries of a row from cursor on.
func (r *rows) fetchFrom(slot, cursor uint32) {
	if at := r.heads[slot].first + int64(cursor); at < int64(len(r.entries)) {
		prefetch.Row((*uint32)(unsafe.Pointer(&r.entries[at])))
	}
}

// fetchLine asks for the cache line of an entry.
func (r *rows) fetchLine(slot, cursor uint32) {
	if at := r.heads[slot].first + int64(cursor); at < int64(len(r.entries)) {
		prefetch.Line(&r.entries[at])
	}
}

// endsLine tells whether a cache line ends before an entry.
func (r *rows) endsLine(slot, cursor uint32) bool {
	return (r.heads[slot].first+int64(cursor))%lineEntries == 0
}

func (r *rows) row(slot uint32) []entry {
	h := &r.heads[slot]
	return r.entries[h.first:][:h.count]
}

// A slotGraph is a graph as searches by buckets read it: its vertices numbered by slots, its rows
// sorted by weight. Searches do not change it.
type slotGraph struct {
	label   []uint32 // of every slot; none for the slot behind the last
	slot    []uint32 // of every vertex; the slot behind the last if it has no edge
	out, in rows     // one and the same in an undirected graph

	directed bool
	wake     wakeLists

	// The slots from hubs on belong to the hubs of several hosts: see group.go. On one host there
	// are none.
	hubs uint32

	bucket.Graph // of all ranks together
}

// none is no vertex: the parent of vertices without a path.
const none = math.MaxUint32

// slots is the number of vertices that have edges here.
func (w *slotGraph) slots() int { return len(w.label) - 1 }

// all goes through the slots.
func (w *slotGraph) all() iter.Seq[uint32] {
	return func(yield func(uint32) bool) {
		for s := range uint32(w.slots()) {
			if !yield(s) {
				return
			}
		}
	}
}

// newSlotGraph makes the rows of a graph with weights.
func newSlotGraph(g *graph.Graph, team *par.Team, mem *arena.Arena) (w *slotGraph, err error) {
	w = &slotGraph{directed: g.Directed}
	if err = w.number(g, team, mem); err != nil {
		return nil, err
	}
	if w.out, err = w.sorted(&g.Out, team, mem); err != nil {
		return nil, err
	}
	w.in = w.out
	if g.Directed {
		if w.in, err = w.sorted(&g.In, team, mem); err != nil {
			return nil, err
		}
	}
	w.hubs = uint32(w.slots())
	counts, heaviest := newWeightCounts(&w.out, w.all(), w.hubs)
	w.Shares = bucket.NewShares(&counts, heaviest)
	err = w.newWakeLists(w.all(), mem)
	w.Vertices, w.Entries, w.Candidates = int64(w.slots()), int64(counts.Entries), w.wake.counts
	return w, err
}

// lineEntries is the number of entries of a cache line.
const lineEntries = 8

// beginOf is where a row begins: behind the one before it, or with the next cache line if its first entries then
// are in one line and not in two.
func beginOf(behind, count int64) int64 {
	if behind%lineEntries+min(count, lineEntries) > lineEntries {
		return (behind + lineEntries - 1) &^ (lineEntries - 1)
	}
	return behind
}

// sorted copies one side of a graph.
func (w *slotGraph) sorted(from *graph.Rows, team *par.Team, mem *arena.Arena) (r rows, err error) {
	if r.heads, err = arena.Make[head](mem, w.slots()); err != nil {
		return r, err
	}
	room := int64(0)
	for s, v := range w.label[:w.slots()] {
		count := from.Degree(v)
		first := beginOf(room, count)
		r.heads[s] = head{first, uint32(count), v}
		room = first + count
	}
	if r.entries, err = arena.Make[entry](mem, int(room)); err != nil {
		return r, err
	}
	sorters := make([]sorter, team.Size())
	team.For(int64(w.slots()), 64, func(worker int, lo, hi int64) {
		for s := lo; s < hi; s++ {
			fetchRow(from, w.label[min(s+rowsAhead, hi-1)])
			row, first := r.row(uint32(s)), from.Offsets[w.label[s]]
			for i := range row {
				at := first + int64(i)
				row[i] = newEntry(from.Weights[at], w.slot[from.Neighbors[at]])
			}
			sorters[worker].sort(row)
		}
	})
	return r, nil
}

// rowsAhead is how many rows ahead a row is prefetched that is copied.
const rowsAhead = 6

// fetchRow prefetches the first entries of a row and their weights.
func fetchRow(from *graph.Rows, v uint32) {
	at := min(from.Offsets[v], int64(len(from.Neighbors)-1)) // the last row may be empty
	prefetch.Row(&from.Neighbors[at])
	prefetch.Row((*uint32)(unsafe.Pointer(&from.Weights[at])))
}
