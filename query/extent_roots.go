package query

import (
	"slices"

	"github.com/gohops/hops"
)

// choose returns up to so many vertices to search from next, half of them for the diameter
// and half for the radius where both are open.
func (m *measure) choose(count int) []hops.Vertex {
	x := m.extent
	var forDiameter, forRadius []hops.Vertex
	if m.opts.All || !x.Diameter.Exact() {
		forDiameter = m.best(count, func(v int) (bool, int32) {
			return m.opts.All || int(x.Most[v]) > x.Diameter.Least, x.Most[v]
		})
	}
	if m.opts.All || !x.Radius.Exact() {
		forRadius = m.best(count, func(v int) (bool, int32) {
			return m.opts.All || int(x.Least[v]) < x.Radius.Most, -x.Least[v]
		})
	}
	if x.Searches == 0 { // nothing is known: the vertex with the most edges
		return forDiameter
	}
	var roots []hops.Vertex
	for i := 0; len(roots) < count && i < max(len(forDiameter), len(forRadius)); i++ {
		for _, list := range [][]hops.Vertex{forDiameter, forRadius} {
			if i < len(list) && len(roots) < count && !slices.Contains(roots, list[i]) {
				roots = append(roots, list[i])
			}
		}
	}
	return roots
}

// best returns up to count open vertices that are wanted, those with the largest key first
// and of equal ones those with the most edges, then the lowest.
func (m *measure) best(count int, key func(v int) (wanted bool, key int32)) []hops.Vertex {
	type candidate struct {
		key    int32
		degree int64
		vertex hops.Vertex
	}
	var all []candidate
	for v, least := range m.extent.Least {
		if least == m.extent.Most[v] {
			continue
		}
		wanted, k := key(v)
		if !wanted {
			continue
		}
		c := candidate{k, m.graph.Out.Degree(uint32(v)), hops.Vertex(v)}
		place := len(all)
		for place > 0 && (all[place-1].key < c.key || all[place-1].key == c.key && all[place-1].degree < c.degree) {
			place--
		}
		if place < count {
			if len(all) == count {
				all = all[:count-1]
			}
			all = slices.Insert(all, place, c)
		}
	}
	vertices := make([]hops.Vertex, len(all))
	for i, c := range all {
		vertices[i] = c.vertex
	}
	return vertices
}

// levelBlock is how many vertices a worker looks at at a time: their levels and bounds stay
// in the first-level cache.
const levelBlock = 1024

// An extentWorker has room for the levels of a block from one root.
type extentWorker struct {
	from, to [levelBlock]int32
	farthest [hops.MaxRoots]int32 // from each root, of the vertices this worker has seen
}

// each calls do for all blocks of vertices.
func (m *measure) each(do func(w *extentWorker, lo, hi int64)) {
	m.team.For(int64(len(m.extent.Least)), levelBlock, func(worker int, lo, hi int64) {
		do(&m.workers[worker], lo, hi)
	})
}

// levels are the hops from root i to the vertices of a block, and from them to the root.
func (w *extentWorker) levels(m *measure, i int, lo, hi int64) (from, to []int32) {
	from = blockLevels(m.from, i, lo, hi, w.from[:hi-lo])
	if !m.graph.Directed {
		return from, from
	}
	return from, blockLevels(m.to, i, lo, hi, w.to[:hi-lo])
}

// blockLevels writes the levels from root i into dst, which are right where it reaches.
func blockLevels(d *hops.Depths, i int, lo, hi int64, dst []int32) []int32 {
	clear(dst)
	for k, words := range d.Bits {
		for v, word := range words[lo:hi] {
			dst[v] |= int32(word>>i&1) << k
		}
	}
	return dst
}
