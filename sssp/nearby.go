package sssp

import (
	"github.com/gohops/hops/graph"
	"github.com/gohops/hops/internal/base/arena"
)

// number gives slots to the vertices that have edges, so that neighbours have slots near each
// other: in the order of labels if neighbours have labels near each other, otherwise by regions.
func (r *shortRows) number(g *graph.Graph, mem *arena.Arena) (err error) {
	n := int(g.NumVertices())
	if r.slot, err = arena.Make[uint32](mem, n); err != nil {
		return err
	}
	if r.label, err = arena.Make[uint32](mem, n+1); err != nil {
		return err
	}
	for v := range r.slot {
		r.slot[v] = none
	}
	if r.inOrder = labelsAreNear(g); r.inOrder {
		r.numberInOrder(g)
	} else {
		r.numberByRegions(g)
	}
	count := uint32(r.slots())
	for v, s := range r.slot {
		r.slot[v] = min(s, count)
	}
	r.label[count] = none
	return nil
}

const (
	// nearLabels is the difference of labels up to which two vertices are near each other, as a share
	// of all labels. In a graph of fewNear vertices all are near: their states stay in a second-level
	// cache.
	nearLabels = 1.0 / 256
	fewNear    = 1 << 16
)

// labelsAreNear tells whether three of four entries lead to labels nearby.
func labelsAreNear(g *graph.Graph) bool {
	near, all, reach := 0, 0, int64(max(float64(g.NumVertices())*nearLabels, fewNear/2))
	for v := range uint32(g.NumVertices()) {
		for _, u := range g.Out.Row(v) {
			all++
			if d := int64(v) - int64(u); max(d, -d) <= reach {
				near++
			}
		}
	}
	return 4*near >= 3*all
}

// take gives the next slot to a vertex. Until all are taken, label has those taken so far.
func (r *shortRows) take(v uint32) {
	r.slot[v] = uint32(len(r.label))
	r.label = append(r.label, v)
}

// numberInOrder numbers the vertices by their labels. Vertices with in-edges only have slots too.
func (r *shortRows) numberInOrder(g *graph.Graph) {
	r.label = r.label[:0]
	for v := range uint32(g.NumVertices()) {
		if hasEdges(g, v) {
			r.take(v)
		}
	}
	r.label = append(r.label, none)
}

func hasEdges(g *graph.Graph, v uint32) bool {
	return g.Out.Degree(v) > 0 || g.Directed && g.In.Degree(v) > 0
}

// regionSize is the number of vertices of a region: their segments and states, 80 KiB, stay in a
// second-level cache.
const regionSize = 2048

// numberByRegions searches from a vertex on, breadth first, until a region is full, and goes on with
// the first vertex that has neighbours without a slot. The vertices of a chain follow each other.
func (r *shortRows) numberByRegions(g *graph.Graph) {
	r.label = r.label[:0]
	seed := 0 // the neighbours of all slots before it have slots
	for root := range uint32(g.NumVertices()) {
		if r.slot[root] != none || !hasEdges(g, root) {
			continue
		}
		r.take(root)
		for ; seed < len(r.label); seed++ {
			region := len(r.label)
			r.takeNeighbors(g, r.label[seed])
			for head := region; head < len(r.label) && len(r.label) < region+regionSize; head++ {
				r.takeNeighbors(g, r.label[head])
			}
		}
	}
	r.label = append(r.label, none)
}

// takeNeighbors gives slots to the neighbours of a vertex, and to the chains that begin with them.
func (r *shortRows) takeNeighbors(g *graph.Graph, v uint32) {
	for _, next := range g.Out.Row(v) {
		for r.slot[next] == none {
			r.take(next)
			row := g.Out.Row(next)
			if len(row) != 2 {
				break
			}
			if next = row[0]; r.slot[next] != none {
				next = row[1]
			}
		}
	}
}
