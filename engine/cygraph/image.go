package cygraph

import (
	"fmt"

	"github.com/gohops/hops"
	"github.com/gohops/hops/graph"
	"github.com/gohops/hops/internal/arena"
)

// An image is the memory of the machine, in words: the row words of all vertices,
// the entries, and the two queues.
type image struct {
	mem       []uint64
	vertices  int
	connected int64 // vertices with neighbours
	rowsAt    uint64
	entriesAt uint64
	queueAt   [2]uint64
	capacity  uint64 // words in each queue
}

// rowWord returns the word of a vertex that was not visited.
func rowWord(first, count uint32) uint64 { return uint64(first)<<32 | uint64(count)<<1 }

// visitedWord returns the word of a vertex that was visited.
func visitedWord(origin, level uint32) uint64 { return uint64(origin)<<32 | uint64(level)<<1 | 1 }

func rowCount(word uint64) uint32 { return uint32(word) >> 1 }
func wordOrigin(w uint64) uint32  { return uint32(w >> 32) }
func wordLevel(w uint64) uint32   { return uint32(w) >> 1 }

// queue returns the address of the queue that is read in the level whose newly visited
// vertices get the given level number.
func (im *image) queue(level uint32) uint64 { return im.queueAt[level&1] }

// newImage lays out the memory for a graph and copies its entries.
func newImage(mem *arena.Arena, g *graph.Graph, capacity int64) (image, error) {
	if g.NumEntries() > maxEntries {
		return image{}, fmt.Errorf("cygraph: %d entries: a row word addresses at most %d", g.NumEntries(), int64(maxEntries))
	}
	n, entryWords := uint64(g.NumVertices()), uint64(g.NumEntries()+1)/2
	im := image{vertices: int(g.NumVertices()), connected: g.NumConnected(), capacity: uint64(capacity)}
	// A burst must not cross the end of a memory line, so the entries are aligned to one.
	im.entriesAt = (n + lineWords - 1) / lineWords * lineWords
	im.queueAt[0] = im.entriesAt + (entryWords+lineWords-1)/lineWords*lineWords
	im.queueAt[1] = im.queueAt[0] + im.capacity
	var err error
	if im.mem, err = arena.Make[uint64](mem, int(im.queueAt[1]+im.capacity)); err != nil {
		return image{}, fmt.Errorf("cygraph: %w", err)
	}
	words := im.mem[im.entriesAt:im.queueAt[0]]
	for i, id := range g.Out.Neighbors {
		words[i/2] |= uint64(id) << (32 * (i & 1))
	}
	return im, nil
}

// lineWords is the length of a memory line in words.
const lineWords = 8

// firstQueue returns the initial length of the queues in words: one for each vertex, a
// quarter more for vertices that are pushed twice, and a minimum.
func firstQueue(n hops.Vertex) int64 { return min(int64(n)+int64(n)/4+1<<14, maxEntries) }
