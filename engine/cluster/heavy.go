package cluster

import (
	"math/bits"
	"slices"

	"github.com/gohops/hops/internal/bitset"
)

// Heavy vertices are those with the longest rows. Nobody owns their rows: an edge
// of a heavy vertex is stored with the owner of its other end, so that following
// it, in either direction, takes no message. All ranks know which heavy vertices
// are visited and which are in the frontier; what each has found is combined at
// the end of every level, and the parents that each has found at the end of the
// search.
type heavy struct {
	labels  []uint32 // ascending
	degrees []int64
	table   []uint32 // open addressing: index+1 of a label, or 0
	shift   uint

	visited bitset.Set // by index; the same on all ranks, as is
	front   bitset.Set
	done    bool // all are visited

	first, end int // those that this rank owns as vertices
}

// count sees whether there are any left.
func (h *heavy) count() { h.done = h.visited.Count() == int64(len(h.labels)) }

func newHeavy(labels []uint32) heavy {
	log := bits.Len(uint(2*len(labels) + 1))
	h := heavy{
		labels: labels, table: make([]uint32, 1<<log), shift: uint(32 - log),
		visited: bitset.New(int64(len(labels))), front: bitset.New(int64(len(labels))),
	}
	for i, v := range labels {
		at := h.slot(v)
		for h.table[at] != 0 {
			at = (at + 1) % len(h.table)
		}
		h.table[at] = uint32(i) + 1
	}
	return h
}

// own notes which of them are the vertices from first up to end.
func (h *heavy) own(first, end uint32) {
	h.first, _ = slices.BinarySearch(h.labels, first)
	h.end, _ = slices.BinarySearch(h.labels, end)
}

func (h *heavy) slot(v uint32) int { return int(v * 0x9e3779b1 >> h.shift) }

// index returns the number of a vertex among the heavy ones.
func (h *heavy) index(v uint32) (i uint32, ok bool) {
	for at := h.slot(v); h.table[at] != 0; at = (at + 1) % len(h.table) {
		if i := h.table[at] - 1; h.labels[i] == v {
			return i, true
		}
	}
	return 0, false
}
