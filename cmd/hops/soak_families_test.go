//go:build unix

package main

import (
	"math"
	"math/rand/v2"
)

// A shape is a graph without names: vertices from 0 on, and their edges.
type shape struct {
	n     int
	edges [][2]int
}

func (s *shape) join(u, v int) { s.edges = append(s.edges, [2]int{u, v}) }

// add puts another shape beside this one, and returns its first vertex.
func (s *shape) add(other shape) (first int) {
	first = s.n
	for _, e := range other.edges {
		s.join(e[0]+first, e[1]+first)
	}
	s.n += other.n
	return first
}

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

// hang hangs a chain of so many vertices on a vertex.
func (s *shape) hang(r *rand.Rand, length int) {
	if length > 0 {
		at := r.IntN(s.n)
		s.join(at, s.add(chain(length)))
	}
}

func chain(n int) shape { return tree(n, func(v int) int { return v - 1 }) }

// tree has an edge from every vertex but the first to its parent, a lower one.
func tree(n int, parent func(v int) int) shape {
	s := shape{n: n}
	for v := 1; v < n; v++ {
		s.join(parent(v), v)
	}
	return s
}

func cycle(n int) shape {
	s := chain(n)
	s.join(n-1, 0)
	return s
}

func clique(n int) shape {
	s := shape{n: n}
	for v := range n {
		for u := range v {
			s.join(u, v)
		}
	}
	return s
}

// lattice has one to four dimensions, of any sides, perhaps with some edges missing.
func lattice(r *rand.Rand, n int, around bool) shape {
	d := 1 + r.IntN(4)
	s, missing := shape{n: 1}, pick(r, 0, 0, 0.1, 0.4)
	for i := range d {
		side := max(1, int(math.Pow(float64(n)/float64(s.n), 1/float64(d-i))*(0.5+r.Float64())))
		line, step := s, s.n
		for range side - 1 {
			first := s.add(line)
			for v := range step {
				if r.Float64() >= missing {
					s.join(first-step+v, first+v)
				}
			}
		}
		for v := range step {
			if around {
				s.join(s.n-step+v, v)
			}
		}
	}
	return s
}

// smallWorld is a ring in which some edges lead elsewhere, after Watts and Strogatz.
func smallWorld(r *rand.Rand, n int) shape {
	s, each, elsewhere := shape{n: n}, 1+r.IntN(3), pick(r, 0, 0.01, 0.1)
	for v := range n {
		for d := 1; d <= each; d++ {
			to := (v + d) % n
			if r.Float64() < elsewhere {
				to = r.IntN(n)
			}
			s.join(v, to)
		}
	}
	return s
}

// geometric joins points in a square that share a cell or are in cells beside each other, as on a map.
func geometric(r *rand.Rand, n int) shape {
	s, side := shape{n: n}, max(1, int(math.Sqrt(float64(n))))
	cells := map[[2]int][]int{}
	for v := range n {
		x, y := r.IntN(side), r.IntN(side)
		for _, cell := range [][2]int{{x, y}, {x - 1, y}, {x, y - 1}} {
			for _, u := range cells[cell] {
				s.join(u, v)
			}
		}
		cells[[2]int{x, y}] = append(cells[[2]int{x, y}], v)
	}
	return s
}

// recursive draws each edge quarter by quarter, as the benchmark does, with its probabilities.
func recursive(r *rand.Rand, n int) shape {
	scale := int(math.Log2(float64(n)))
	s := shape{n: 1 << scale}
	for range s.n * pick(r, 1, 4, 16) / (1 + s.n/4096) {
		u, v := 0, 0
		for range scale {
			x := r.Float64()
			u, v = 2*u, 2*v
			switch {
			case x < 0.57:
			case x < 0.76:
				v++
			case x < 0.95:
				u++
			default:
				u, v = u+1, v+1
			}
		}
		s.join(u, v)
	}
	return s
}
