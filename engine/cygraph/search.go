package cygraph

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/gohops/hops"
)

// A Level counts what the machine did in one level.
type Level struct {
	BottomUp bool
	Length   uint64 // words in the current queue at the start, with duplicates and pieces of split rows
	Examined int64  // entries whose row word was read
	Found    int64  // vertices visited, each counted once
	Pushed   int64  // words written to the next queue
	Requests int64  // memory requests
	Cycles   uint64

	ahead int64 // entries of the pushed words
}

// Levels returns the levels of the last search. The slice is valid until the next
// search.
func (s *Searcher) Levels() []Level { return s.m.log }

// Search is kernel 2: it fills t, which must be empty and of the right size. The
// Trace is on the model's clock.
//
// The host does what it would do with an accelerator card: it restores the row words,
// visits the root, starts the machine, and reads the tree out of memory. The clock of
// the Trace runs from the start of the machine to the end of the last level. If queues
// of automatic length overflow, they are doubled and the search starts again; the Trace
// covers the last attempt only.
func (s *Searcher) Search(ctx context.Context, root hops.Vertex, t *hops.Tree) (hops.Trace, error) {
	if err := s.turn.Begin("cygraph"); err != nil {
		return hops.Trace{}, err
	}
	defer s.turn.End()
	n := s.graph.NumVertices()
	if root >= n {
		return hops.Trace{}, fmt.Errorf("cygraph: root %d: the graph has %d vertices", root, n)
	}
	if err := t.Fits(n, false); err != nil {
		return hops.Trace{}, fmt.Errorf("cygraph: %w", err)
	}
	for {
		length, err := s.prepare(uint32(root))
		if err == nil {
			err = s.m.run(ctx, length)
		}
		if !errors.Is(err, errOverflow) {
			if err != nil {
				return s.trace(), fmt.Errorf("cygraph: search from %d: %w", root, err)
			}
			break
		}
		if s.opts.Queue != 0 || s.m.capacity >= maxEntries {
			return s.trace(), fmt.Errorf("cygraph: search from %d, level %d: %w: a queue holds %d words",
				root, len(s.m.log), err, s.m.capacity)
		}
		if err := s.newMachine(min(2*int64(s.m.capacity), maxEntries)); err != nil {
			return hops.Trace{}, err
		}
	}
	t.Root = root
	s.readTree(t)
	return s.trace(), nil
}

// prepare restores the row words, visits the root and queues its word, in pieces
// where rows are split. It returns the length of the queue.
func (s *Searcher) prepare(root uint32) (length uint64, err error) {
	m, offsets := s.m, s.graph.Out.Offsets
	m.reset()
	for v := range m.vertices {
		m.mem[m.rowsAt+uint64(v)] = rowWord(uint32(offsets[v]), uint32(offsets[v+1]-offsets[v]))
	}
	first, count := uint32(offsets[root]), uint32(s.graph.Out.Degree(root))
	if s.opts.Design == Betkaoui {
		clear(m.mem[m.statusAt:])
		word, mask := m.bit(root, m.Kernels)
		m.mem[m.visitedAt+word], m.mem[m.frontierAt[0]+word] = mask, mask
		count, length = 0, 1
	}
	m.mem[m.statusAt+uint64(root)] = visitedWord(first, 1)
	for count > 0 {
		piece := count
		if s.opts.Split > 0 {
			piece = min(piece, uint32(s.opts.Split))
		}
		if length >= m.capacity {
			return length, errOverflow
		}
		m.mem[m.queue(2)+length] = rowWord(first, piece)
		length++
		first += piece
		count -= piece
	}
	return length, nil
}

// readTree fills the tree with the parents that the origins of visited words stand for.
func (s *Searcher) readTree(t *hops.Tree) {
	g := s.graph
	for v, word := range s.m.mem[s.m.statusAt : s.m.statusAt+uint64(s.m.vertices)] {
		if word&1 == 0 {
			continue
		}
		at := int64(wordOrigin(word))
		switch {
		case hops.Vertex(v) == t.Root:
			t.Narrow[v] = uint32(v)
		case at >= g.Out.Offsets[v] && at < g.Out.Offsets[v+1]:
			t.Narrow[v] = g.Out.Neighbors[at]
		default:
			t.Narrow[v] = rowOf(g.Out.Offsets, at)
		}
	}
}

// rowOf returns the vertex whose row holds the entry at an index: the last row that
// starts at or before it. An empty row starts where the next one does and comes before
// it, so it is never the last.
func rowOf(offsets []int64, at int64) uint32 {
	i, _ := slices.BinarySearch(offsets, at+1)
	return uint32(i - 1)
}

// trace returns the levels as a Trace.
func (s *Searcher) trace() hops.Trace {
	s.levels = s.levels[:0]
	frontier := int64(1)
	for _, l := range s.m.log {
		step := "top-down"
		if l.BottomUp {
			step = "bottom-up"
		}
		s.levels = append(s.levels, hops.Level{
			Step: step, Frontier: frontier, Examined: l.Examined, Found: l.Found,
			Messages: l.Requests, Bytes: 8 * l.Requests, Time: s.duration(l.Cycles),
		})
		frontier = l.Found
	}
	return hops.Trace{Clock: hops.Model, Levels: s.levels}
}

// duration converts cycles to time.
func (s *Searcher) duration(cycles uint64) time.Duration {
	return time.Duration(float64(cycles) * 1e3 / s.opts.Clock)
}
