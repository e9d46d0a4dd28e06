package sssp

import (
	"math"
	"slices"

	"github.com/gohops/hops/graph"
	"github.com/gohops/hops/internal/base/arena"
	"github.com/gohops/hops/internal/base/bucket"
	"github.com/gohops/hops/internal/base/par"
)

// mostBySize is how many vertices have slots by falling degree, at most: their states and labels,
// less than a mebibyte, stay in a second-level cache, and pulls read mostly these.
const mostBySize = 1 << 16

// Slots are in parts. Part 0 has the vertices without edges, part bySizePart the longest rows by
// falling degree, and each part behind it the vertices of one wakeOrder.
const bySizePart = 1

// number gives slots to the vertices that have edges: first to the longest rows, by falling degree.
// The others follow in the order of the wake lists, so that a pull reads and writes the states of a
// list one after the other. Within a part vertices are in the order of labels, so that the result is
// written from as many streams of states as there are parts.
func (w *slotGraph) number(g *graph.Graph, team *par.Team, mem *arena.Arena) (err error) {
	n := uint32(g.NumVertices())
	if w.slot, err = arena.Make[uint32](mem, int(n)); err != nil {
		return err
	}
	parts, err := arena.Make[uint16](mem, int(n))
	if err != nil {
		return err
	}
	defer arena.Free(mem, parts)
	bySize, in := longest(g), &g.Out
	if g.Directed {
		in = &g.In
	}
	for _, v := range bySize {
		parts[v] = bySizePart
	}
	team.For(int64(n), 1024, func(_ int, lo, hi int64) {
		for v := uint32(lo); v < uint32(hi); v++ {
			if parts[v] == 0 && degree(g, v) > 0 {
				parts[v] = bySizePart + 1 + uint16(wakeOrder(in, v))
			}
		}
	})
	var next [bySizePart + 1 + 2*bucket.NumOctaves]uint32 // slot of each part
	for _, part := range parts {
		next[part]++
	}
	next[0] = 0 // vertices without edges have none
	count := uint32(0)
	for part, length := range next {
		next[part], count = count, count+length
	}
	if w.label, err = arena.Make[uint32](mem, int(count)+1); err != nil {
		return err
	}
	w.label[count] = none
	for v, part := range parts {
		w.slot[v] = count
		if part > bySizePart {
			w.slot[v], w.label[next[part]] = next[part], uint32(v)
			next[part]++
		}
	}
	for s, v := range bySize {
		w.slot[v], w.label[s] = uint32(s), v
	}
	return nil
}

// degree is the number of entries of a vertex; in a directed graph, out and in together.
func degree(g *graph.Graph, v uint32) int64 {
	d := g.Out.Degree(v)
	if g.Directed {
		d += g.In.Degree(v)
	}
	return d
}

// longest returns the vertices of the longest rows by falling degree: mostBySize, if so many have
// edges.
func longest(g *graph.Graph) []uint32 {
	const classes = 1 << 12 // of degrees; the last class has all greater degrees, too
	class := func(v uint32) int64 { return min(degree(g, v), classes-1) }
	n := uint32(g.NumVertices())
	var lengths [classes]int
	for v := range n {
		lengths[class(v)]++
	}
	least, found := int64(classes-1), lengths[classes-1]
	for ; found < mostBySize && least > 1; least-- {
		found += lengths[least-1]
	}
	order := make([]uint64, 0, found)
	for v := range n {
		if class(v) >= least {
			order = append(order, uint64(math.MaxUint32-min(degree(g, v), math.MaxUint32))<<32|uint64(v))
		}
	}
	slices.Sort(order)
	labels := make([]uint32, min(found, mostBySize))
	for i := range labels {
		labels[i] = uint32(order[i])
	}
	return labels
}

// wakeOrder orders vertices by the octave of their lightest weight. Vertices with one weight in the
// octave come last in it: see firstonly.go.
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
