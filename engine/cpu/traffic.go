package cpu

import (
	"context"
	"math"

	"github.com/gohops/hops"
	"github.com/gohops/hops/internal/base/bottomup"
)

// A Traffic is a lower bound of the memory that a level touches in the arrays of this
// engine, computed from the work that the level counted. It is not a measurement.
type Traffic struct {
	Streamed int64 // bytes of arrays that are read or written in order
	Lines    int64 // cache lines that are read at random
	Probes   int64 // bits looked up in the bitmap of the frontier or of the visited set
}

const (
	lineBytes  = 64
	perLine    = lineBytes / 4 // heads or parents in a cache line
	bothWays   = 2             // a line that is written is read first
	perBinned  = 2 * 8         // bytes of a pair that is written to a bin and read from it
	mapsUp     = 3             // bitmaps that a bottom-up level passes over: visited, next, more
	mapsDown   = 5             // passes over bitmaps to copy visited and to compare with the copy
	linesOfRow = 2             // lines of a short row: its offset and its entries
)

// counts are what a level did beyond what its trace tells.
type counts struct {
	maps    int64            // passes over bitmaps
	listed  bool             // it went through the list of unvisited vertices
	upward  int64            // entries that were examined bottom-up
	binned  int64            // pairs that went through bins
	again   int64            // entries of long rows that more workers than one read, once for each of the others
	ordered int64            // vertices found in rows that are in ascending order
	tails   bottomup.Touched // of tails and of rows that go on behind them
}

// add adds what one worker did.
func (c *counts) add(w *worker) {
	c.binned += w.counts.binned
	c.again += w.counts.again
	c.ordered += w.counts.ordered
	c.tails.Streamed += w.misses.Touched.Streamed
	c.tails.Lines += w.misses.Touched.Lines
}

// beginCounts begins the counts of a level.
func (m *machine) beginCounts() {
	m.counts = counts{}
	for w := range m.workers {
		m.workers[w].counts, m.workers[w].misses.Touched = counts{}, bottomup.Touched{}
	}
}

// keepCounts keeps the counts of a level that is done.
func (m *machine) keepCounts() {
	for w := range m.workers {
		m.counts.add(&m.workers[w])
	}
	m.counted = append(m.counted, m.counts)
}

// Traffic is Search, and returns the traffic of every level too.
func (s *Searcher) Traffic(ctx context.Context, root hops.Vertex, t *hops.Tree) (hops.Trace, []Traffic, error) {
	var counted []counts
	trace, err := s.search(ctx, root, t, &counted)
	if err != nil {
		return trace, nil, err
	}
	all := make([]Traffic, len(trace.Levels))
	open := s.m.domain.vertices - 1 // all but the root
	for i := range trace.Levels {
		l, c := &trace.Levels[i], counts{}
		if i < len(counted) {
			c = counted[i]
		}
		all[i] = s.traffic(l, c, open)
		open = max(open-l.Found, 0)
	}
	return trace, all, nil
}

// traffic is the traffic of a level that began with so many unvisited vertices.
func (s *Searcher) traffic(l *hops.Level, c counts, open int64) Traffic {
	n := int64(s.graph.NumVertices())
	t := Traffic{
		Streamed: c.maps*((n+7)/8) + perBinned*c.binned + 4*c.again + c.tails.Streamed,
		Lines:    c.tails.Lines,
		Probes:   l.Examined,
	}
	if c.listed {
		t.Lines += open
		return t
	}
	if l.Step == stepBottomUp || l.Step == stepSplit {
		t.Streamed += lineBytes * (linesTouched(n, open) + bothWays*linesTouched(n, l.Found))
	} else {
		t.Streamed += lineBytes * bothWays * linesTouched(n, c.ordered)
		t.Lines += l.Found - c.ordered
	}
	if l.Step != stepBottomUp {
		t.Streamed += 4 * (l.Examined - c.upward)
		t.Lines += linesOfRow * l.Frontier
	}
	return t
}

// A Footprint is the sizes of the arrays that a search uses.
type Footprint struct {
	Vertices int64 // vertices that are not isolated
	Bitmap   int64 // bytes of a bitmap of all vertices
	Arrays   int64 // bytes that a bottom-up level passes over: heads, parents, bitmaps
	All      int64 // bytes of all arrays, the rows included
}

// Footprint is the footprint of all searches of this graph.
func (s *Searcher) Footprint() Footprint {
	n := int64(s.graph.NumVertices())
	f := Footprint{Vertices: s.m.domain.vertices, Bitmap: (n + 7) / 8}
	f.Arrays = 2*4*n + mapsUp*f.Bitmap
	f.All, _ = s.Memory()
	return f
}

// linesTouched is the expected number of cache lines that k random entries of an array
// of n entries lie on.
func linesTouched(n, k int64) int64 {
	lines := float64(n) / perLine
	return int64(lines * (1 - math.Pow(1-float64(k)/float64(max(n, 1)), perLine)))
}
