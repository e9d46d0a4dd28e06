package cpu

import (
	"github.com/gohops/hops/graph"
	"github.com/gohops/hops/internal/base/placement"
)

// placeParts moves the memory of every part to its NUMA node: the rows of its
// vertices and their words of the bitmaps. Only the frontier is then read across parts,
// and only pairs for vertices of another part are sent.
func (m *machine) placeParts(places placement.Placement) {
	n := int64(m.graph.NumVertices())
	for w, p := range places {
		me := &m.workers[w]
		for _, set := range [][]uint64{m.visited, m.front, m.next, m.graph.Parents.More, m.graph.Isolated, m.graph.Parents.Hub} {
			placement.Move(set, me.lo, me.hi, p.Node)
		}
		lo, hi := min(me.lo*64, n), min(me.hi*64, n)
		placement.Move(m.graph.Parents.Head, lo, hi, p.Node)
		placement.Move(m.graph.Parents.HubPrefix, lo, hi, p.Node)
		placement.Move(me.divided.entries, 0, int64(len(me.divided.entries)), p.Node)
		entries := m.rows.Tails.Entries(lo, hi)
		placement.Move(entries, 0, int64(len(entries)), p.Node)
		for _, rows := range []*graph.Rows{&m.graph.Out, &m.graph.In} {
			placement.Move(rows.Offsets, lo, hi, p.Node)
			placement.Move(rows.Neighbors, rows.Offsets[lo], rows.Offsets[hi], p.Node)
		}
	}
}
