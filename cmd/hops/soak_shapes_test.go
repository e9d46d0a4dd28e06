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
