package sssp

import (
	"iter"
	"math"
	"slices"
	"unsafe"

	"github.com/gohops/hops/graph"
	"github.com/gohops/hops/internal/arena"
	"github.com/gohops/hops/internal/bucket"
	"github.com/gohops/hops/internal/par"
	"github.com/gohops/hops/internal/prefetch"
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

// A head says where a row is. Who pushes a row needs the label of its vertex, too: one cache line has both.
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

// A weave is a graph as searches read it. It is not changed by them.
type weave struct {
	label   []uint32 // of every slot; none for the slot behind the last
	slot    []uint32 // of every vertex; the slot behind the last if it has no edge
	out, in rows     // one and the same in an undirected graph

	directed bool
	wake     wakeLists

	// The slots from hubs on are those of hubs, of which every host has a part: see
	// group.go. On one host there are none.
	hubs uint32

	bucket.Graph // of all ranks together
}

// none is no vertex: the parent of vertices without a path.
const none = math.MaxUint32

// slots is the number of vertices that have edges here.
func (w *weave) slots() int { return len(w.label) - 1 }

// all goes through the slots.
func (w *weave) all() iter.Seq[uint32] {
	return func(yield func(uint32) bool) {
		for s := range uint32(w.slots()) {
			if !yield(s) {
				return
			}
		}
	}
}

// newWeave makes the rows of a graph with weights.
func newWeave(g *graph.Graph, team *par.Team, mem *arena.Arena) (w *weave, err error) {
	w = &weave{directed: g.Directed}
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
	w.Vertices, w.Entries, w.Wakers = int64(w.slots()), int64(len(w.out.entries)), w.wake.counts
	return w, err
}

// mostBySize is how many vertices have slots by falling degree, at most: their places and
// labels, less than a mebibyte, stay in a second-level cache, and most of what pulls read is
// theirs.
const mostBySize = 1 << 16

// number gives slots to the vertices that have edges: first to the longest rows, by falling
// degree. The others follow in the order of the wake lists, so that a pull reads and writes
// the places of a list one after the other. Within either part of a list they are in the order of labels, so
// that the result is written from as many places in the order of memory as there are parts.
func (w *weave) number(g *graph.Graph, team *par.Team, mem *arena.Arena) (err error) {
	n := uint32(g.NumVertices())
	if w.slot, err = arena.Make[uint32](mem, int(n)); err != nil {
		return err
	}
	order, err := arena.Make[uint64](mem, int(n))
	if err != nil {
		return err
	}
	defer arena.Free(mem, order)
	count := 0
	for v := range n {
		degree := g.Out.Degree(v)
		if g.Directed {
			degree += g.In.Degree(v)
		}
		if degree > 0 {
			order[count] = uint64(math.MaxUint32-min(degree, math.MaxUint32))<<32 | uint64(v)
			count++
		}
	}
	slices.Sort(order[:count])
	byWeight, in := order[min(count, mostBySize):count], &g.Out
	if g.Directed {
		in = &g.In
	}
	team.For(int64(len(byWeight)), 64, func(_ int, lo, hi int64) {
		for i, o := range byWeight[lo:hi] {
			byWeight[lo+int64(i)] = uint64(wakeOrder(in, uint32(o)))<<32 | uint64(uint32(o))
		}
	})
	slices.Sort(byWeight)
	if w.label, err = arena.Make[uint32](mem, count+1); err != nil {
		return err
	}
	w.label[count] = none
	for v := range w.slot {
		w.slot[v] = uint32(count)
	}
	for s, o := range order[:count] {
		w.label[s], w.slot[uint32(o)] = uint32(o), uint32(s)
	}
	return nil
}

// wakeOrder orders vertices by the octave of their lightest weight. Within an octave those are last that have
// no other weight in it: see lone.go.
func wakeOrder(r *graph.Rows, v uint32) int {
	first, second := float32(math.Inf(1)), float32(math.Inf(1))
	for _, weight := range r.Weights[r.Offsets[v]:r.Offsets[v+1]] {
		first, second = min(first, weight), min(second, max(first, weight))
	}
	order := 2 * bucket.Octave(first)
	if bucket.Octave(second) > bucket.Octave(first) {
		order++
	}
	return order
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
func (w *weave) sorted(from *graph.Rows, team *par.Team, mem *arena.Arena) (r rows, err error) {
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

// A sorter sorts rows by weight.
type sorter struct {
	room []entry
	next [1 << sortDigit]uint32
}

const (
	// sortDigit is the digit of the radix sort, in bits: three of them cover a weight
	// without its sign, and the counters, 8 KiB, stay in a first-level cache.
	sortDigit = 11
	// radixRow is the length from which on rows are sorted by digits: three passes
	// then take less than comparisons, and the counters are worth clearing.
	radixRow = 1 << 10
)

func (s *sorter) sort(row []entry) {
	if len(row) < radixRow {
		slices.Sort(row)
		return
	}
	s.room = slices.Grow(s.room[:0], len(row))
	from, to := row, s.room[:len(row)]
	for shift := 32; shift < 64; shift += sortDigit {
		clear(s.next[:])
		for _, e := range from {
			s.next[e>>shift&(1<<sortDigit-1)]++
		}
		sum := uint32(0)
		for d, n := range s.next {
			s.next[d], sum = sum, sum+n
		}
		for _, e := range from {
			at := &s.next[e>>shift&(1<<sortDigit-1)]
			to[*at] = e
			*at++
		}
		from, to = to, from
	}
	copy(row, from)
}
