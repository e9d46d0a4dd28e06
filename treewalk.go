package hops

import "iter"

// Levels, paths and order are worked out from the parents when they are asked for:
// nothing is kept, so nothing can be out of date when the tree is used again.
// These methods are for trees that cover all vertices.

// Has tells whether v is in the tree.
func (t *Tree) Has(v Vertex) bool { return t.Parent(v) != NoVertex }

// Level returns the number of hops from the root to v, or -1 if v is not in the
// tree. It follows the parents of v; Levels is faster for many vertices.
func (t *Tree) Level(v Vertex) int {
	for depth := range t.Len() {
		p := t.Parent(v)
		if p == v {
			return depth
		}
		if p >= Vertex(t.Len()) {
			break
		}
		v = p
	}
	return -1
}

// PathTo returns the vertices on the way from the root to v, both included, or
// nil if v is not in the tree.
func (t *Tree) PathTo(v Vertex) []Vertex {
	depth := t.Level(v)
	if depth < 0 {
		return nil
	}
	path := make([]Vertex, depth+1)
	for i := depth; i >= 0; i-- {
		path[i] = v
		v = t.Parent(v)
	}
	return path
}

// unknown is a level that is still to be found.
const unknown = -2

// Levels writes the level of every vertex, -1 outside the tree, into dst, which
// is replaced if it is too short, and returns it.
func (t *Tree) Levels(dst []int32) []int32 {
	if cap(dst) < t.Len() {
		dst = make([]int32, t.Len())
	}
	dst = dst[:t.Len()]
	for v := range dst {
		dst[v] = unknown
	}
	var line []Vertex
	for v := range dst {
		level := int32(0)
		line, level = t.climb(Vertex(v), dst, line[:0])
		for i := len(line) - 1; i >= 0; i-- {
			if level >= 0 {
				level++
			}
			dst[line[i]] = level
		}
	}
	return dst
}

// climb appends v and its ancestors to line, up to the first whose level is
// known, and returns that level: -1 where the parents lead nowhere.
func (t *Tree) climb(v Vertex, levels []int32, line []Vertex) ([]Vertex, int32) {
	for v < Vertex(len(levels)) && levels[v] == unknown {
		p := t.Parent(v)
		if p == v {
			levels[v] = 0
			break
		}
		levels[v] = -1 // so that a cycle of parents ends
		line = append(line, v)
		v = p
	}
	if v >= Vertex(len(levels)) {
		return line, -1
	}
	return line, levels[v]
}

// Order yields the vertices of the tree with their levels: the root, then level
// after level, each in ascending order of its vertices.
func (t *Tree) Order() iter.Seq2[Vertex, int] {
	return func(yield func(Vertex, int) bool) {
		order, ends := byLevel(t.Levels(nil))
		start := 0
		for level, end := range ends {
			for _, v := range order[start:end] {
				if !yield(v, level) {
					return
				}
			}
			start = end
		}
	}
}

// byLevel sorts the vertices by level and returns where each level ends.
func byLevel(levels []int32) (order []Vertex, ends []int) {
	for _, d := range levels {
		for int(d) >= len(ends) {
			ends = append(ends, 0)
		}
		if d >= 0 {
			ends[d]++
		}
	}
	sum := 0
	for d, count := range ends {
		ends[d], sum = sum, sum+count
	}
	order = make([]Vertex, sum)
	for v, d := range levels {
		if d >= 0 {
			order[ends[d]] = Vertex(v)
			ends[d]++
		}
	}
	return order, ends
}
