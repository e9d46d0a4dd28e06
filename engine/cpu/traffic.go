package cpu

import (
	"math"

	"github.com/gohops/hops"
	"github.com/gohops/hops/level"
)

// A Traffic is a lower bound of the memory that a level touches in the arrays of this
// engine, computed from the work that its trace counts. It is not a measurement.
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

// Traffic is the traffic of a level that began with so many unvisited vertices. The
// caller computes unvisited from the levels before.
func (s *Searcher) Traffic(l *hops.Level, unvisited int64) Traffic {
	n := int64(s.graph.NumVertices())
	bitmap := (n + 7) / 8
	t := Traffic{Probes: l.Examined}
	up, down := l.Step != steps[level.TopDown].Name, l.Step != steps[level.BottomUp].Name
	switch {
	case l.Step == steps[level.BottomUp].Name && unvisited <= s.m.maxUnvisited():
		t.Streamed, t.Lines = bitmap, unvisited
	case up:
		touched := linesTouched(n, unvisited) + bothWays*linesTouched(n, l.Found)
		t.Streamed += mapsUp*bitmap + lineBytes*touched + 4*max(0, l.Examined-unvisited)
	}
	if down {
		t.Lines += linesOfRow * l.Frontier
	}
	if down && !up {
		t.Streamed += 4 * l.Examined
		t.Lines += l.Found
		if l.Examined+l.Frontier >= s.m.serialBelow() {
			t.Streamed += mapsDown*bitmap + perBinned*l.Found
		}
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
