// Package fringe finds the trees that hang on a graph: vertices that lie on no cycle
// and on no path between two cycles.
//
// The vertices of a hanging tree are found last by any search from outside, and each
// of them from the same neighbour: the next vertex on the only way out, which is Up.
// So a search that leaves the fringe out, in a graph such as a web crawl with long
// chains, need not go along the trees level by level. It copies their parents when it
// has found the rest, and counts their vertices by the level of the anchor, the vertex
// outside on which a tree hangs. A root in the fringe differs in its own branch alone,
// the part of its tree below one neighbour of the anchor: see Climb.
package fringe

import (
	"cmp"

	"github.com/gohops/hops/graph"
	"github.com/gohops/hops/internal/base/arena"
	"github.com/gohops/hops/internal/base/bitset"
	"github.com/gohops/hops/internal/base/prefetch"
)

// None stands in Up for a vertex that is not in the fringe.
const None = ^uint32(0)

// A Fringe is all hanging trees of the component of one vertex, the center. Trees of
// other components are left out: a search that finds the center finds all of the fringe.
// Of a component that is a tree, one vertex is outside.
type Fringe struct {
	In     bitset.Set // vertices of the fringe
	Up     []uint32   // next vertex on the way out, or None
	Count  int64      // vertices of the fringe
	Center uint32

	rows    *graph.Rows
	anchors bitset.Set
	before  []uint32 // anchors before those of each word of anchors
	leaves  []uint32 // neighbours of each anchor that have no other neighbour
	first   []uint32 // index of the first run of each anchor
	runs    []run
}

// A run is a path down from a vertex of the fringe to a leaf. The runs of an anchor,
// with its leaves, have each vertex of its trees once.
type run struct {
	depth  uint32 // hops from the anchor to the first vertex
	length uint32 // vertices
}

// Need is the bytes that New takes at most, for n vertices.
func Need(n int64) int64 {
	const kept, scratch = 4 + 8 + 2*4 + 1, 4 + 16 + 1 // Up, runs, leaves and first, sets; order, places, sets
	return n * (kept + scratch)
}

// New returns the fringe of an undirected graph, whose rows have no self-loops and no
// duplicates, or nil if it would have less than so many vertices.
func New(rows *graph.Rows, least int64, mem *arena.Arena) (f *Fringe, err error) {
	n := len(rows.Offsets) - 1
	p := peeling{rows: rows, gone: bitset.New(int64(n)), longest: bitset.New(int64(n))}
	var temporary arena.Arena
	defer temporary.Close()
	if err := cmp.Or(arena.MakeAll(&temporary, n, &p.order), arena.MakeAll(&temporary, n, &p.at)); err != nil {
		return nil, err
	}
	f = &Fringe{In: bitset.New(int64(n)), rows: rows}
	p.peel()
	var tops []uint32
	if int64(len(p.order)) >= least {
		f.Center = p.center()
		tops = p.measure(f, p.reach(f.Center))
	}
	if f.Count < max(least, 1) {
		return nil, nil
	}
	if f.Up, err = arena.Make[uint32](mem, n); err != nil {
		return nil, err
	}
	for v := range f.Up {
		f.Up[v] = None
		if f.In.Has(uint64(v)) {
			f.Up[v] = p.at[v].up
		}
	}
	p.makeRuns(f, tops)
	return f, nil
}

// A peeling takes vertices with one neighbour away until there are none.
type peeling struct {
	rows    *graph.Rows
	order   []uint32   // vertices in the order in which they were taken away
	gone    bitset.Set // the same
	longest bitset.Set // vertices that were the last to hang on their neighbour
	at      []place
}

// A place is what is known of a vertex.
type place struct {
	// up is the exclusive or of the neighbours that are left. Of a vertex that is gone it
	// is the next one on the way out, which was the only one left.
	up     uint32
	degree uint32 // neighbours that are left; of a vertex that is gone, hops from the anchor
	length uint32 // vertices of the longest path down from here
	anchor uint32
}

// ahead is how many vertices before its turn the place of a vertex is prefetched, and
// half of that the place of the next one on its way out.
const ahead = 32

// peel fills order, gone, longest, and up and length of all vertices in order.
// Vertices leave in the order of the longest path below them: the last that hangs on a
// vertex, after which that vertex follows, has the longest.
func (p *peeling) peel() {
	order := p.order[:0]
	for v := range p.at {
		at, row := &p.at[v], p.rows.Row(uint32(v))
		for _, u := range row {
			at.up ^= u
		}
		if at.degree = uint32(len(row)); len(row) == 1 {
			order = append(order, uint32(v))
			at.length = 1
		}
	}
	kept := 0
	for i := 0; i < len(order); i++ {
		if i+ahead < len(order) {
			prefetch.Row(&p.at[order[i+ahead]].up)
			prefetch.Row(&p.at[p.at[order[i+ahead/2]].up].up)
		}
		v := order[i]
		at := &p.at[v]
		if at.degree == 0 { // the last one of a tree stays
			continue
		}
		order[kept] = v
		kept++
		p.gone.Add(uint64(v))
		out := &p.at[at.up]
		out.up ^= v
		if out.degree--; out.degree == 1 {
			order = append(order, at.up)
			p.longest.Add(uint64(v))
			out.length = at.length + 1
		}
	}
	p.order = order[:kept]
}

// center is the vertex of the highest degree among those that are left.
func (p *peeling) center() (center uint32) {
	most := int64(-1)
	for v := range uint32(len(p.at)) {
		if d := p.rows.Degree(v); d > most && !p.gone.Has(uint64(v)) {
			center, most = v, d
		}
	}
	return center
}

// reach returns the vertices that are left and connected to center.
func (p *peeling) reach(center uint32) bitset.Set {
	reached, queue := bitset.New(int64(len(p.at))), []uint32{center}
	for reached.Add(uint64(center)); len(queue) > 0; {
		v := queue[len(queue)-1]
		queue = queue[:len(queue)-1]
		for _, u := range p.rows.Row(v) {
			if !reached.Has(uint64(u)) && !p.gone.Has(uint64(u)) {
				reached.Add(uint64(u))
				queue = append(queue, u)
			}
		}
	}
	return reached
}

// measure fills the sets of f, degree and anchor, from the anchors down. It returns the first
// vertices of all runs, in the memory of order.
func (p *peeling) measure(f *Fringe, reached bitset.Set) (tops []uint32) {
	f.anchors = bitset.New(int64(len(p.at)))
	end := len(p.order)
	for i := end - 1; i >= 0; i-- {
		if i >= ahead {
			prefetch.Row(&p.at[p.order[i-ahead]].up)
			prefetch.Row(&p.at[p.at[p.order[i-ahead/2]].up].up)
		}
		v := p.order[i]
		at := &p.at[v]
		at.degree, at.anchor = 1, at.up
		if p.gone.Has(uint64(at.up)) {
			at.degree, at.anchor = p.at[at.up].degree+1, p.at[at.up].anchor
		}
		if !reached.Has(uint64(at.anchor)) {
			continue
		}
		f.In.Add(uint64(v))
		f.anchors.Add(uint64(at.anchor))
		f.Count++
		if at.degree == 1 || !p.longest.Has(uint64(v)) {
			end--
			p.order[end] = v
		}
	}
	return p.order[end:]
}

// makeRuns fills before, leaves, first and runs.
func (p *peeling) makeRuns(f *Fringe, tops []uint32) {
	f.before = f.anchors.Ranks()
	sum := f.anchors.Count()
	f.leaves, f.first = make([]uint32, sum), make([]uint32, sum+1)
	runs := tops[:0]
	for _, v := range tops {
		if i := f.index(p.at[v].anchor); p.at[v].length == 1 && p.at[v].degree == 1 {
			f.leaves[i]++
		} else {
			f.first[i]++
			runs = append(runs, v)
		}
	}
	f.runs = make([]run, len(runs))
	end := uint32(0)
	for i, count := range f.first {
		end += count
		f.first[i] = end
	}
	for _, v := range runs {
		i := f.index(p.at[v].anchor)
		f.first[i]--
		f.runs[f.first[i]] = run{p.at[v].degree, p.at[v].length}
	}
}

// index is the number of an anchor among all anchors.
func (f *Fringe) index(v uint32) uint32 { return f.anchors.Rank(f.before, uint64(v)) }
