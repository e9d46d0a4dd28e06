package sssp

import (
	"slices"

	"github.com/gohops/hops/graph"
)

const (
	// shortRow is the mean length of the row at the end of an entry up to which rows are short.
	shortRow = 6
	// ballSize is the number of vertices within which levels are counted, ballRoots the number of vertices
	// from which, and manyLevels the number from which on a graph is one of many levels. A square grid
	// has 45 of them, a cube of vertices 15, a random graph of four entries a row about eight.
	ballSize   = 1 << 12
	ballRoots  = 16
	manyLevels = 24
)

// forQueues tells whether a graph is better searched by queues than by buckets in two
// directions: its rows are short, so that light entries are not worth a look of their own,
// and the vertices near any one are a small part of the graph. Where a search reaches most of the graph in
// a few levels, pulls read less: a random graph of a million vertices with four entries each
// takes 114 ms by buckets and 160 by queues.
func forQueues(g *graph.Graph) bool {
	n, squares, all := uint32(g.NumVertices()), 0.0, len(g.Out.Neighbors)
	for v := range n {
		d := float64(g.Out.Degree(v))
		squares += d * d
	}
	if squares > shortRow*float64(all) || uint64(n)+uint64(all)/3 >= none {
		return false
	}
	levels := make([]int, 0, ballRoots)
	step := n/ballRoots + 1
	for v := uint32(0); v < n; v += step {
		root := v
		for root < n && g.Out.Degree(root) == 0 {
			root++
		}
		if root < n {
			levels = append(levels, levelsNear(g, root))
		}
	}
	slices.Sort(levels)
	return len(levels) > 0 && levels[len(levels)/2] >= manyLevels
}

// levelsNear counts the levels of a breadth-first search until it has found ballSize vertices.
func levelsNear(g *graph.Graph, root uint32) (levels int) {
	found, ball := map[uint32]bool{root: true}, []uint32{root}
	for next := 0; next < len(ball) && len(ball) < ballSize; levels++ {
		for end := len(ball); next < end; next++ {
			for _, u := range g.Out.Row(ball[next]) {
				if !found[u] {
					found[u] = true
					ball = append(ball, u)
				}
			}
		}
	}
	return levels
}
