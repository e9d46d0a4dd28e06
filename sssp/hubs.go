package sssp

import (
	"cmp"
	"math/bits"
	"slices"

	"github.com/gohops/hops/internal/ranks/deal"
)

// mostHubs is the number of hubs at most: their distances and parents, half a mebibyte,
// stay in a second-level cache.
const mostHubs = 1 << 16

// hubDegree is the number of entries that a hub has at least: in a graph without long rows
// there are no hubs.
const hubDegree = 64

// hubs number the hubs by falling degree.
type hubs struct {
	labels []uint32
	table  []uint32 // open addressing: number+1 of a label, or 0
	shift  uint
}

func newHubs(vertices []deal.Vertex) hubs {
	slices.SortFunc(vertices, func(a, b deal.Vertex) int {
		return cmp.Or(cmp.Compare(b.Out+b.In, a.Out+a.In), cmp.Compare(a.Label, b.Label))
	})
	log := bits.Len(uint(2*len(vertices) + 1))
	h := hubs{table: make([]uint32, 1<<log), shift: uint(64 - log)}
	for i, v := range vertices {
		h.labels = append(h.labels, uint32(v.Label))
		at := h.start(uint32(v.Label))
		for h.table[at] != 0 {
			at = (at + 1) % len(h.table)
		}
		h.table[at] = uint32(i) + 1
	}
	return h
}

func (h *hubs) start(label uint32) int { return int(uint64(label) * 0x9e3779b97f4a7c15 >> h.shift) }

// index is the number of a hub.
func (h *hubs) index(label uint32) (i uint32, ok bool) {
	for at := h.start(label); h.table[at] != 0; at = (at + 1) % len(h.table) {
		if i := h.table[at] - 1; h.labels[i] == label {
			return i, true
		}
	}
	return 0, false
}
