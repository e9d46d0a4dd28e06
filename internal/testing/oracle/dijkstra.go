package oracle

import (
	"container/heap"
	"iter"
	"math"
	"slices"
)

// Shortest paths after Dijkstra, in their plainest form, to compare others with.
//
// A heap holds candidates: a vertex and the length of some path to it. The search takes the
// nearest candidate. No path to its vertex is shorter, because every other path has yet to leave
// the heap at a candidate that is no nearer, and weights are not negative. So the distance of the
// vertex is decided, and each of its arcs makes a candidate if it leads to a shorter path than
// was known. A vertex may be in the heap several times; all but its nearest candidate
// come too late and are dropped.
//
// Sums are rounded to the type of the distances after every addition, from the root on. That
// is well defined: rounded sums never decrease along a path, so the least of them is
// found by any right search, to the last bit. Parents may differ where sums are equal.

// A Distance is a sum of weights.
type Distance interface{ float32 | float64 }

// Dijkstra searches a graph of n vertices from a root, given the ends and weights of the arcs
// that leave a vertex. It returns the distance of every vertex, +Inf where there is no path, and its
// parent: the root is its own, and ^0 stands for none.
func Dijkstra[V Vertex, D Distance](n int, arcs func(tail V) iter.Seq2[V, D], root V) (far []D, parent []V) {
	far, parent = slices.Repeat([]D{D(math.Inf(1))}, n), slices.Repeat([]V{^V(0)}, n)
	far[root], parent[root] = 0, root
	near := &candidates[V, D]{{root, 0}}
	for near.Len() > 0 {
		tail := heap.Pop(near).(candidate[V, D])
		if tail.far > far[tail.vertex] {
			continue
		}
		for head, weight := range arcs(tail.vertex) {
			if sum := tail.far + weight; sum < far[head] {
				far[head], parent[head] = sum, tail.vertex
				heap.Push(near, candidate[V, D]{head, sum})
			}
		}
	}
	return far, parent
}

type candidate[V Vertex, D Distance] struct {
	vertex V
	far    D
}

// candidates are a heap; container/heap calls its methods.
type candidates[V Vertex, D Distance] []candidate[V, D]

func (c candidates[V, D]) Len() int           { return len(c) }
func (c candidates[V, D]) Less(i, j int) bool { return c[i].far < c[j].far }
func (c candidates[V, D]) Swap(i, j int)      { c[i], c[j] = c[j], c[i] }
func (c *candidates[V, D]) Push(x any)        { *c = append(*c, x.(candidate[V, D])) }
func (c *candidates[V, D]) Pop() any {
	last := (*c)[len(*c)-1]
	*c = (*c)[:len(*c)-1]
	return last
}

// Arcs are those of a graph that has the neighbours of every vertex and their weights.
func Arcs[D Distance, V Vertex](row func(tail V) ([]V, []float32)) func(tail V) iter.Seq2[V, D] {
	return func(tail V) iter.Seq2[V, D] {
		return func(yield func(V, D) bool) {
			heads, weights := row(tail)
			for i, head := range heads {
				if !yield(head, D(weights[i])) {
					return
				}
			}
		}
	}
}
