package cygraph

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/gohops/hops"
	"github.com/gohops/hops/csr"
	"github.com/gohops/hops/graph"
	"github.com/gohops/hops/internal/base/arena"
	"github.com/gohops/hops/internal/base/par"
	"github.com/gohops/hops/internal/base/spec"
	"github.com/gohops/hops/internal/base/turn"
)

// A Searcher is a machine with a graph in its memory. It runs one search at a
// time.
type Searcher struct {
	opts   Options
	graph  *graph.Graph
	mem    arena.Arena
	m      *machine
	levels []hops.Level
	turn   turn.Turn // of a search, or of Close
}

// Build is kernel 1: it puts the graph of src into the memory of the machine.
func Build(ctx context.Context, src hops.Source, opts Options) (*Searcher, error) {
	if err := opts.Check(); err != nil {
		return nil, spec.Refuse(err)
	}
	opts = opts.withDefaults()
	if hops.IsDirected(src) {
		return nil, fmt.Errorf("cygraph: the graph is directed; this engine searches undirected graphs")
	}
	if src.NumVertices() > hops.NarrowLimit {
		return nil, fmt.Errorf("cygraph: %d vertices: an entry has 32 bits", src.NumVertices())
	}
	g, err := csr.Build(ctx, src, 0)
	if err != nil {
		return nil, err
	}
	if !opts.ByDegree {
		team := par.NewTeam(0, nil)
		defer team.Close()
		team.For(int64(g.NumVertices()), 512, func(_ int, lo, hi int64) {
			for v := lo; v < hi; v++ {
				slices.Sort(g.Out.Row(uint32(v)))
			}
		})
	}
	s := &Searcher{opts: opts, graph: g}
	capacity := opts.Queue
	if capacity == 0 && opts.Design == "" {
		capacity = firstQueue(src.NumVertices())
	}
	if err := s.newMachine(capacity); err != nil {
		_ = s.Close()
		return nil, err
	}
	return s, nil
}

// newMachine makes the machine and its memory, with queues of the given length.
func (s *Searcher) newMachine(capacity int64) error {
	if err := s.mem.Close(); err != nil {
		return err
	}
	im, err := newImage(&s.mem, s.graph, capacity, s.opts)
	if err != nil {
		return err
	}
	s.m = newMachine(s.opts, im)
	return nil
}

// Memory returns the bytes of the finished graph, including the machine's memory, and
// the peak while it was built.
func (s *Searcher) Memory() (finished, peak int64) {
	finished, peak = s.graph.Memory()
	return finished + s.mem.Live(), max(peak, finished+s.mem.Peak())
}

// Close releases the graph and the machine's memory.
func (s *Searcher) Close() error {
	return s.turn.Close(func() error { return errors.Join(s.mem.Close(), s.graph.Close()) })
}

// An image is the memory of the machine, in words: the row words of all vertices,
// the entries, and the two queues. In Betkaoui's design, visited words and bitmaps
// stand in the place of the queues.
type image struct {
	mem       []uint64
	vertices  int
	connected int64 // vertices with neighbours
	rowsAt    uint64
	entriesAt uint64
	queueAt   [2]uint64
	capacity  uint64 // words in each queue
	statusAt  uint64 // visited words: the row words, except in Betkaoui's design

	// Betkaoui's design.
	share      uint64 // words of a bitmap that belong to one kernel
	visitedAt  uint64
	frontierAt [2]uint64 // the bitmap of the current level, by parity of the level number
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
func newImage(mem *arena.Arena, g *graph.Graph, capacity int64, o Options) (image, error) {
	if g.NumEntries() > maxEntries {
		return image{}, fmt.Errorf("cygraph: %d entries: a row word addresses at most %d", g.NumEntries(), int64(maxEntries))
	}
	n, entryWords := uint64(g.NumVertices()), uint64(g.NumEntries()+1)/2
	im := image{vertices: int(g.NumVertices()), connected: g.NumConnected(), capacity: uint64(capacity)}
	// A burst must not cross the end of a memory line, so the entries are aligned to one.
	im.entriesAt = (n + lineWords - 1) / lineWords * lineWords
	im.queueAt[0] = im.entriesAt + (entryWords+lineWords-1)/lineWords*lineWords
	im.queueAt[1] = im.queueAt[0] + im.capacity
	size := im.queueAt[1] + im.capacity
	if o.Design == Betkaoui {
		size = im.addBitmaps(size, uint64(o.Kernels))
	}
	var err error
	if im.mem, err = arena.Make[uint64](mem, int(size)); err != nil {
		return image{}, fmt.Errorf("cygraph: %w", err)
	}
	words := im.mem[im.entriesAt:im.queueAt[0]]
	for i, id := range g.Out.Neighbors {
		words[i/2] |= uint64(id) << (32 * (i & 1))
	}
	return im, nil
}

// addBitmaps lays out visited words and bitmaps from an address on, and returns their end.
func (im *image) addBitmaps(at, kernels uint64) uint64 {
	im.statusAt, im.visitedAt = at, at+uint64(im.vertices)
	im.share = (uint64(im.vertices) + 64*kernels - 1) / (64 * kernels)
	im.frontierAt[0] = im.visitedAt + kernels*im.share
	im.frontierAt[1] = im.frontierAt[0] + kernels*im.share
	return im.frontierAt[1] + kernels*im.share
}

// lineWords is the length of a memory line in words.
const lineWords = 8

// firstQueue returns the initial length of the queues in words: one for each vertex, a
// quarter more for vertices that are pushed twice, and a minimum.
func firstQueue(n hops.Vertex) int64 { return min(int64(n)+int64(n)/4+1<<14, maxEntries) }
