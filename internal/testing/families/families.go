// Package families draws graphs of every kind that differs in its levels: their number, their
// sizes and their degrees. Engines have steps that only some of them take: long paths, shallow
// frontiers, hubs, many components.
package families

import "math/rand/v2"

// A Family draws graphs of one kind, of about n vertices and at most some multiple of that in
// edges.
type Family struct {
	Name string
	Draw func(r *rand.Rand, n int) Shape
}

// All are the families.
var All = []Family{
	{"empty", func(_ *rand.Rand, n int) Shape { return Shape{N: n} }},
	{"chain", func(_ *rand.Rand, n int) Shape { return chain(n) }},
	{"chains", func(r *rand.Rand, n int) (s Shape) {
		for s.N < n {
			s.Add(chain(1 + r.IntN(n)))
		}
		return s
	}},
	{"cycle", func(_ *rand.Rand, n int) Shape { return cycle(n) }},
	{"binary tree", func(_ *rand.Rand, n int) Shape { return tree(n, func(v int) int { return (v - 1) / 2 }) }},
	{"random tree", func(r *rand.Rand, n int) Shape { return tree(n, func(v int) int { return r.IntN(v) }) }},
	{"deep tree", func(r *rand.Rand, n int) Shape {
		return tree(n, func(v int) int { return max(0, v-1-r.IntN(4)) })
	}},
	{"caterpillar", func(r *rand.Rand, n int) Shape {
		spine := 1 + r.IntN(n)
		return tree(n, func(v int) int {
			if v < spine {
				return v - 1
			}
			return r.IntN(spine)
		})
	}},
	{"lattice", func(r *rand.Rand, n int) Shape { return lattice(r, n, false) }},
	{"torus", func(r *rand.Rand, n int) Shape { return lattice(r, n, true) }},
	{"small world", smallWorld},
	{"hypercube", func(_ *rand.Rand, n int) (s Shape) {
		for s.N = 1; s.N < min(n, 1<<12); s.N *= 2 {
			for v := range s.N {
				s.Join(v, v+s.N)
			}
			for _, e := range s.Edges[:len(s.Edges)-s.N] {
				s.Join(e[0]+s.N, e[1]+s.N)
			}
		}
		return s
	}},
	{"geometric", geometric},
	{"star", func(_ *rand.Rand, n int) Shape { return tree(n, func(int) int { return 0 }) }},
	{"stars", func(r *rand.Rand, n int) Shape {
		hubs := 1 + r.IntN(5)
		return tree(n, func(v int) int { return r.IntN(min(v, hubs)) })
	}},
	{"broom", func(r *rand.Rand, n int) Shape {
		handle := r.IntN(n)
		return tree(n, func(v int) int { return min(v-1, handle) })
	}},
	{"lollipop", func(r *rand.Rand, n int) Shape {
		s := clique(1 + r.IntN(min(n, 60)))
		s.hang(r, n-s.N)
		return s
	}},
	{"ring of cliques", func(r *rand.Rand, n int) (s Shape) {
		size, before := 2+r.IntN(12), -1
		for s.N < n {
			first := s.Add(clique(size))
			if before >= 0 {
				s.Join(before, first)
			}
			before = first + size - 1
		}
		s.Join(before, 0)
		return s
	}},
	{"complete", func(_ *rand.Rand, n int) Shape { return clique(min(n, 120)) }},
	{"bipartite", func(r *rand.Rand, n int) Shape {
		left, s := 1+r.IntN(n), Shape{N: n}
		for range r.IntN(4 * n) {
			if left < n {
				s.Join(r.IntN(left), left+r.IntN(n-left))
			}
		}
		return s
	}},
	{"kronecker", recursive},
	{"uniform", func(r *rand.Rand, n int) Shape {
		s := Shape{N: n}
		for range r.IntN(1 + n*pick(r, 1, 2, 4, 8)) {
			s.Join(r.IntN(n), r.IntN(n))
		}
		return s
	}},
	{"preferential", func(r *rand.Rand, n int) Shape {
		s, each := Shape{N: n}, 1+r.IntN(4)
		for v := 1; v < n; v++ {
			for range each {
				u := r.IntN(v)
				if len(s.Edges) > 0 && !chance(r, 4) {
					u = s.Edges[r.IntN(len(s.Edges))][r.IntN(2)]
				}
				s.Join(v, u)
			}
		}
		return s
	}},
	{"kronecker with chains", func(r *rand.Rand, n int) Shape {
		s := recursive(r, n)
		for range 1 + r.IntN(4) {
			s.hang(r, r.IntN(n))
		}
		return s
	}},
}

// Random draws a graph of a family, of two of them side by side, or with what files may have too:
// self-loops, edges that come again, vertices without an edge.
func Random(r *rand.Rand, n int, count func(family string)) (s Shape, name string) {
	if n == 0 {
		count("no vertex")
		return Shape{}, "no vertex"
	}
	family := pick(r, All...)
	s, name = family.Draw(r, n), family.Name
	count(name)
	if chance(r, 8) {
		other := pick(r, All...)
		s.Add(other.Draw(r, 1+r.IntN(n)))
		name += " beside " + other.Name
		count(other.Name)
	}
	if chance(r, 4) {
		name += " +again"
		for range min(len(s.Edges), 1+r.IntN(100)) {
			e := s.Edges[r.IntN(len(s.Edges))]
			s.Join(e[0], e[1])
			s.Join(e[1], e[0])
		}
	}
	if chance(r, 4) {
		name += " +loops"
		for range 1 + r.IntN(5) {
			v := r.IntN(s.N)
			s.Join(v, v)
		}
	}
	if chance(r, 4) {
		name += " +isolated"
		s.N += 1 + r.IntN(s.N)
	}
	return s, name
}

// chance is true once in n times.
func chance(r *rand.Rand, n int) bool { return r.IntN(n) == 0 }

// pick returns one of a list.
func pick[T any](r *rand.Rand, list ...T) T { return list[r.IntN(len(list))] }
