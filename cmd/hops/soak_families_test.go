//go:build unix

package main

import (
	"math/rand/v2"
)

// families are the graphs that are drawn, by name, each with about n vertices and at most some
// multiple of that in edges. Engines have steps that only some of them take: long paths, shallow
// frontiers, hubs, many components.
var families = []struct {
	name string
	draw func(r *rand.Rand, n int) shape
}{
	{"empty", func(_ *rand.Rand, n int) shape { return shape{n: n} }},
	{"chain", func(_ *rand.Rand, n int) shape { return chain(n) }},
	{"chains", func(r *rand.Rand, n int) (s shape) {
		for s.n < n {
			s.add(chain(1 + r.IntN(n)))
		}
		return s
	}},
	{"cycle", func(_ *rand.Rand, n int) shape { return cycle(n) }},
	{"binary tree", func(_ *rand.Rand, n int) shape { return tree(n, func(v int) int { return (v - 1) / 2 }) }},
	{"random tree", func(r *rand.Rand, n int) shape { return tree(n, func(v int) int { return r.IntN(v) }) }},
	{"deep tree", func(r *rand.Rand, n int) shape {
		return tree(n, func(v int) int { return max(0, v-1-r.IntN(4)) })
	}},
	{"caterpillar", func(r *rand.Rand, n int) shape {
		spine := 1 + r.IntN(n)
		return tree(n, func(v int) int {
			if v < spine {
				return v - 1
			}
			return r.IntN(spine)
		})
	}},
	{"lattice", func(r *rand.Rand, n int) shape { return lattice(r, n, false) }},
	{"torus", func(r *rand.Rand, n int) shape { return lattice(r, n, true) }},
	{"small world", smallWorld},
	{"hypercube", func(_ *rand.Rand, n int) (s shape) {
		for s.n = 1; s.n < min(n, 1<<12); s.n *= 2 {
			for v := range s.n {
				s.join(v, v+s.n)
			}
			for _, e := range s.edges[:len(s.edges)-s.n] {
				s.join(e[0]+s.n, e[1]+s.n)
			}
		}
		return s
	}},
	{"geometric", geometric},
	{"star", func(_ *rand.Rand, n int) shape { return tree(n, func(int) int { return 0 }) }},
	{"stars", func(r *rand.Rand, n int) shape {
		hubs := 1 + r.IntN(5)
		return tree(n, func(v int) int { return r.IntN(min(v, hubs)) })
	}},
	{"broom", func(r *rand.Rand, n int) shape {
		handle := r.IntN(n)
		return tree(n, func(v int) int { return min(v-1, handle) })
	}},
	{"lollipop", func(r *rand.Rand, n int) shape {
		s := clique(1 + r.IntN(min(n, 60)))
		s.hang(r, n-s.n)
		return s
	}},
	{"ring of cliques", func(r *rand.Rand, n int) (s shape) {
		size, before := 2+r.IntN(12), -1
		for s.n < n {
			first := s.add(clique(size))
			if before >= 0 {
				s.join(before, first)
			}
			before = first + size - 1
		}
		s.join(before, 0)
		return s
	}},
	{"complete", func(_ *rand.Rand, n int) shape { return clique(min(n, 120)) }},
	{"bipartite", func(r *rand.Rand, n int) shape {
		left, s := 1+r.IntN(n), shape{n: n}
		for range r.IntN(4 * n) {
			if left < n {
				s.join(r.IntN(left), left+r.IntN(n-left))
			}
		}
		return s
	}},
	{"kronecker", recursive},
	{"uniform", func(r *rand.Rand, n int) shape {
		s := shape{n: n}
		for range r.IntN(1 + n*pick(r, 1, 2, 4, 8)) {
			s.join(r.IntN(n), r.IntN(n))
		}
		return s
	}},
	{"preferential", func(r *rand.Rand, n int) shape {
		s, each := shape{n: n}, 1+r.IntN(4)
		for v := 1; v < n; v++ {
			for range each {
				u := r.IntN(v)
				if len(s.edges) > 0 && !chance(r, 4) {
					u = s.edges[r.IntN(len(s.edges))][r.IntN(2)]
				}
				s.join(v, u)
			}
		}
		return s
	}},
	{"kronecker with chains", func(r *rand.Rand, n int) shape {
		s := recursive(r, n)
		for range 1 + r.IntN(4) {
			s.hang(r, r.IntN(n))
		}
		return s
	}},
}

// randomShape draws a graph of a family, of two of them side by side, or with what files may have too:
// self-loops, edges that come again, vertices without an edge.
func randomShape(r *rand.Rand, n int, c counts) (s shape, name string) {
	if n == 0 {
		c["family: no vertex"]++
		return shape{}, "no vertex"
	}
	family := pick(r, families...)
	s, name = family.draw(r, n), family.name
	c["family: "+name]++
	if chance(r, 8) {
		other := pick(r, families...)
		s.add(other.draw(r, 1+r.IntN(n)))
		name += " beside " + other.name
		c["family: "+other.name]++
	}
	if chance(r, 4) {
		name += " +again"
		for range min(len(s.edges), 1+r.IntN(100)) {
			e := s.edges[r.IntN(len(s.edges))]
			s.join(e[0], e[1])
			s.join(e[1], e[0])
		}
	}
	if chance(r, 4) {
		name += " +loops"
		for range 1 + r.IntN(5) {
			v := r.IntN(s.n)
			s.join(v, v)
		}
	}
	if chance(r, 4) {
		name += " +isolated"
		s.n += 1 + r.IntN(s.n)
	}
	return s, name
}
