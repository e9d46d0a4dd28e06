package oracle

import (
	"iter"
	"slices"
)

// Breadth-first search, in its plainest form, to compare others with.
//
// A queue holds the vertices that have been found and not yet left. The search takes the first
// of them, goes along its arcs, and puts each vertex that it sees for the first time at the end.
// The queue is ordered by level at all times, and holds at most two levels: when the first
// vertex of level d leaves, all vertices of level d are in the queue. So the arc along which a vertex
// is seen first is the last arc of a path with the fewest arcs, and its tail is a parent.
//
// Every faster search finds the same levels. Parents may differ: any vertex one level nearer
// with an arc to a vertex may be its parent.

// A Vertex is a number from 0 on.
type Vertex interface {
	~int | ~uint32 | ~uint64
}

// BFS searches a graph of n vertices from some roots, given the ends of the arcs that leave a
// vertex. It returns the level of every vertex, which is the fewest arcs from a root to it, or -1
// where there is no path, and its parent: a root is its own, and ^0 stands for none.
func BFS[V Vertex](n int, heads func(tail V) iter.Seq[V], roots ...V) (level []int32, parent []V) {
	level, parent = slices.Repeat([]int32{-1}, n), slices.Repeat([]V{^V(0)}, n)
	queue := make([]V, 0, n)
	for _, root := range roots {
		level[root], parent[root] = 0, root
		queue = append(queue, root)
	}
	for len(queue) > 0 {
		tail := queue[0]
		queue = queue[1:]
		for head := range heads(tail) {
			if level[head] < 0 {
				level[head], parent[head] = level[tail]+1, tail
				queue = append(queue, head)
			}
		}
	}
	return level, parent
}

// Heads are those of a graph that is the row of neighbours of every vertex.
func Heads[V Vertex](rows [][]V) func(tail V) iter.Seq[V] {
	return func(tail V) iter.Seq[V] { return slices.Values(rows[tail]) }
}
