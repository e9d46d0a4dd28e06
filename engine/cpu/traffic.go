package cpu

import (
	"math"

	"github.com/gohops/hops"
	"github.com/gohops/hops/level"
)

// A Traffic is the memory that a level must touch, computed from the work that its
// trace counts: what a machine of unlimited cleverness could not avoid with these
// arrays, not what went over a bus.
type Traffic struct {
	Streamed int64 // bytes of arrays that are read or written in order
	Lines    int64 // cache lines at places that only the graph knows
	Probes   int64 // bits looked up in the bitmap of the frontier or of the visited
}

const (
	lineBytes  = 64
	perLine    = lineBytes / 4 // heads or parents
	bothWays   = 2             // a line written is read first
	perBinned  = 2 * 8         // bytes of a vertex that goes through a bin
	mapsUp     = 3             // bitmaps that a bottom-up level passes over: visited, next, tail
	mapsDown   = 5             // a large top-down level: a copy of visited, and the difference to it
	linesOfRow = 2             // its offset, and its first entries
)

// Traffic is that of a level of a search that began with open vertices yet to be
// found. Levels of a search come in their order, so that open is what the levels
// before it have left.
func (s *Searcher) Traffic(l *hops.Level, open int64) Traffic {
	n := int64(s.graph.NumVertices())
	bitmap := (n + 7) / 8
	t := Traffic{Probes: l.Examined}
	up, down := l.Step != steps[level.TopDown].Name, l.Step != steps[level.BottomUp].Name
	switch {
	case l.Step == steps[level.BottomUp].Name && open <= s.m.fewLeft():
		t.Streamed, t.Lines = bitmap, open
	case up:
		touched := linesTouched(n, open) + bothWays*linesTouched(n, l.Found)
		t.Streamed += mapsUp*bitmap + lineBytes*touched + 4*max(0, l.Examined-open)
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

// A Footprint is the sizes of what searches of a graph use.
type Footprint struct {
	Vertices int64 // that a search can find, the root included
	Bitmap   int64 // bytes of one bit for every vertex
	Arrays   int64 // bytes that a bottom-up level passes over: heads, parents, bitmaps
	All      int64 // bytes, the rows included
}

// Footprint is that of all searches.
func (s *Searcher) Footprint() Footprint {
	n := int64(s.graph.NumVertices())
	f := Footprint{Vertices: s.m.connected, Bitmap: (n + 7) / 8}
	f.Arrays = 2*4*n + mapsUp*f.Bitmap
	f.All, _ = s.Memory()
	return f
}

// linesTouched is how many lines of an array of n entries, one a vertex, have one
// of k vertices that are spread evenly over it.
func linesTouched(n, k int64) int64 {
	lines := float64(n) / perLine
	return int64(lines * (1 - math.Pow(1-float64(k)/float64(max(n, 1)), perLine)))
}
