package cluster

import (
	"math/bits"
	"sync/atomic"
	"unsafe"

	"github.com/gohops/hops"
	"github.com/gohops/hops/internal/base/bitset"
	"github.com/gohops/hops/internal/base/bottomup"
	"github.com/gohops/hops/internal/base/kernel"
)

// A label names a vertex of the graph, in 32 bits or, in graphs that have more vertices,
// in 64. All other numbers of vertices are those that a worker gives its own, of 32 bits.
type label interface{ uint32 | uint64 }

// A worker owns a range of vertices and is the only one to change anything about
// them. It numbers them from 0; its rows have labels of the graph.
type worker[L label] struct {
	id     int // among the workers of all ranks
	thread int // among the threads of its rank
	first  uint64
	offset uint32 // of its first vertex, from the first vertex of its rank
	count  uint32

	// The graph. If it is undirected, out and in share their arrays.
	out     adjacency[L]     // along edges that lead out of the worker's vertices
	in      adjacency[L]     // along edges that lead into them
	samples bottomup.Samples // of the rows of out
	closed  bitset.Set       // heavy vertices, those without a row in in, and what is past the last
	long    longRows
	form    rowForm[L] // of out; nil: messages are made from the rows by queue

	// The search.
	parents    parents[L]
	visited    bitset.Set
	queue      []uint32 // frontier as a list, if there is one
	found      []uint32 // next frontier
	left       []uint32 // vertices that were not visited when they were listed
	tally      tally
	heavy      heavyFound[L]
	unanswered int      // packets of probes
	answers    []uint64 // to a packet of probes
	taken      *claims  // in a gathered level
}

// claims are the words of a worker that have been claimed in a gathered level: they are in the
// lower half, and the number of the level is in the upper. They have a cache line.
type claims struct {
	_ [64]byte
	atomic.Uint64
	alone atomic.Bool // other ranks cannot claim any
	_     [52]byte
}

// begin begins a level, in which nothing is claimed yet.
func (c *claims) begin(level uint32) { c.Store(uint64(level) << 32) }

// block claims a block and returns its first word, which may be past the last.
func (c *claims) block() int64 {
	return int64(uint32(c.Add(bottomup.BlockWords))) - bottomup.BlockWords
}

// left tells whether a level has begun, and how many of so many words are still to be
// claimed in it, 0 or less for none.
func (c *claims) left(level uint32, words int64) (left int64, begun bool) {
	now := c.Load()
	return words - int64(uint32(now)), uint32(now>>32) == level
}

// parents are the parents of a worker's vertices, in the tree of the search. Labels of 32 bits are
// stored as they are, labels of 64 bits as trees of large graphs have them.
type parents[L label] struct {
	narrow []uint32
	wide   []hops.WideParent
}

// parentsIn are the parents of count vertices from entry first of a tree on.
func parentsIn[L label](t *hops.Tree, first hops.Vertex, count uint32) (p parents[L]) {
	if p.isNarrow() {
		p.narrow = t.Narrow[first:][:count]
	} else {
		p.wide = t.Wide[first:][:count]
	}
	return p
}

// isNarrow is known to the compiler.
func (*parents[L]) isNarrow() bool { return unsafe.Sizeof(L(0)) == unsafe.Sizeof(uint32(0)) }

func (p *parents[L]) len() int {
	if p.isNarrow() {
		return len(p.narrow)
	}
	return len(p.wide)
}

func (p *parents[L]) set(v uint32, u L) {
	if p.isNarrow() {
		p.narrow[v] = uint32(u)
	} else {
		p.wide[v] = hops.Widen(hops.Vertex(u))
	}
}

// heavyFound is what a worker has found of the heavy vertices.
type heavyFound[L label] struct {
	found   bitset.Set // in this level
	parents []L        // all ones: none found here
	sought  bool       // in the level that is under way, from the side of the heavy ones
}

// label is the label of the worker's vertex v.
func (w *worker[L]) label(v uint32) L { return L(w.first + uint64(v)) }

// number is the number of the worker's vertex v in its rank.
func (w *worker[L]) number(v uint32) uint32 { return w.offset + v }

// words is the number of words of the worker's bitmaps.
func (w *worker[L]) words() int64 { return int64(len(w.visited)) }

// swept counts a pass over the words of one of the worker's bitmaps.
func (w *worker[L]) swept() { w.tally.counts[sumSwept] += w.words() }

// visit makes u, a label, the parent of v unless it has one.
func (w *worker[L]) visit(v uint32, u L) {
	if w.visited.Has(uint64(v)) {
		return
	}
	w.visited.Add(uint64(v))
	w.parents.set(v, u)
	w.found = append(w.found, v)
}

// visitHeavy does the same for a heavy vertex, which may have been found
// elsewhere too.
func (w *worker[L]) visitHeavy(h *heavy[L], i uint32, u L) {
	if !h.visited.Has(uint64(i)) && !w.heavy.found.Has(uint64(i)) {
		w.heavy.found.Add(uint64(i))
		w.heavy.parents[i] = u
	}
}

// takeRow visits the vertices of a row, all of which are this worker's and differ, with
// the label of their parent.
func (w *worker[L]) takeRow(row []uint32, parent L, k kernel.Kernels) {
	if len(row) == 0 {
		return
	}
	e := kernel.Expansion{
		Row: &row[0], Length: int64(len(row)), Visited: &w.visited[0],
		Out: &w.found[:cap(w.found)][len(w.found)], Last: ^uint32(0),
	}
	k.Expand(&e)
	fresh := w.found[len(w.found):][:e.Kept]
	w.found = w.found[:len(w.found)+len(fresh)]
	if len(fresh) == 0 {
		return
	}
	if w.parents.isNarrow() {
		k.AdoptRow(&kernel.RowAdoption{
			List: &fresh[0], Count: e.Kept, Visited: &w.visited[0], Parents: &w.parents.narrow[0], Parent: uint32(parent),
		})
		return
	}
	for _, v := range fresh {
		w.visited.Add(uint64(v))
		w.parents.set(v, parent)
	}
}

// take visits the receiver's ends of edges whose other ends are count vertices from
// first on. It reports false, and does no more, where an end is not a vertex.
func (w *worker[L]) take(edges []uint64, first uint64, count uint32) bool {
	visited, parents, found, offset := w.visited, w.parents, w.found, w.offset
	for _, e := range edges {
		v, u := uint32(e>>32)-offset, uint32(e)
		if int(v) >= parents.len() || u >= count {
			return false
		}
		if bit := uint64(1) << (v % 64); visited[v/64]&bit == 0 {
			visited[v/64] |= bit
			parents.set(v, L(first)+L(u))
			found = append(found, v)
		}
	}
	w.found = found
	return true
}

// book counts the vertices of one word of a worker that a bottom-up level has found, by
// that worker's samples.
func (me *worker[L]) book(samples bottomup.Samples, word int64, found uint64) {
	me.tally.counts[sumFound] += int64(bits.OnesCount64(found))
	me.tally.counts[sumEdges] += samples.Entries(word, found)
}

// bookQueue counts the vertices that a level has listed, and their entries, or
// the entries of a sample.
func (w *worker[L]) bookQueue() {
	const enough = 512
	stride := len(w.found)/enough + 1
	for i := 0; i < len(w.found); i += stride {
		w.tally.counts[sumEdges] += int64(stride) * w.out.degree(w.found[i])
	}
	w.tally.counts[sumFound] += int64(len(w.found))
}
