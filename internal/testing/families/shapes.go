package families

import (
	"math"
	"math/rand/v2"
)

// A Shape is a graph without names: vertices from 0 on, and their edges.
type Shape struct {
	N     int
	Edges [][2]int
}

func (s *Shape) Join(u, v int) { s.Edges = append(s.Edges, [2]int{u, v}) }

// Add puts another shape beside this one, and returns its first vertex.
func (s *Shape) Add(other Shape) (first int) {
	first = s.N
	for _, e := range other.Edges {
		s.Join(e[0]+first, e[1]+first)
	}
	s.N += other.N
	return first
}

// hang hangs a chain of so many vertices on a vertex.
func (s *Shape) hang(r *rand.Rand, length int) {
	if length > 0 {
		at := r.IntN(s.N)
		s.Join(at, s.Add(chain(length)))
	}
}

func chain(n int) Shape { return tree(n, func(v int) int { return v - 1 }) }

// tree has an edge from every vertex but the first to its parent, a lower one.
func tree(n int, parent func(v int) int) Shape {
	s := Shape{N: n}
	for v := 1; v < n; v++ {
		s.Join(parent(v), v)
	}
	return s
}

func cycle(n int) Shape {
	s := chain(n)
	s.Join(n-1, 0)
	return s
}

func clique(n int) Shape {
	s := Shape{N: n}
	for v := range n {
		for u := range v {
			s.Join(u, v)
		}
	}
	return s
}

// lattice has one to four dimensions, of any sides, perhaps with some edges missing.
func lattice(r *rand.Rand, n int, around bool) Shape {
	d := 1 + r.IntN(4)
	s, missing := Shape{N: 1}, pick(r, 0, 0, 0.1, 0.4)
	for i := range d {
		side := max(1, int(math.Pow(float64(n)/float64(s.N), 1/float64(d-i))*(0.5+r.Float64())))
		line, step := s, s.N
		for range side - 1 {
			first := s.Add(line)
			for v := range step {
				if r.Float64() >= missing {
					s.Join(first-step+v, first+v)
				}
			}
		}
		for v := range step {
			if around {
				s.Join(s.N-step+v, v)
			}
		}
	}
	return s
}

// smallWorld is a ring in which some edges lead elsewhere, after Watts and Strogatz.
func smallWorld(r *rand.Rand, n int) Shape {
	s, each, elsewhere := Shape{N: n}, 1+r.IntN(3), pick(r, 0, 0.01, 0.1)
	for v := range n {
		for d := 1; d <= each; d++ {
			to := (v + d) % n
			if r.Float64() < elsewhere {
				to = r.IntN(n)
			}
			s.Join(v, to)
		}
	}
	return s
}

// geometric joins points in a square that share a cell or are in cells beside each other, as on a map.
func geometric(r *rand.Rand, n int) Shape {
	s, side := Shape{N: n}, max(1, int(math.Sqrt(float64(n))))
	cells := map[[2]int][]int{}
	for v := range n {
		x, y := r.IntN(side), r.IntN(side)
		for _, cell := range [][2]int{{x, y}, {x - 1, y}, {x, y - 1}} {
			for _, u := range cells[cell] {
				s.Join(u, v)
			}
		}
		cells[[2]int{x, y}] = append(cells[[2]int{x, y}], v)
	}
	return s
}

// recursive draws each edge quarter by quarter, as the benchmark does, with its probabilities.
func recursive(r *rand.Rand, n int) Shape {
	scale := int(math.Log2(float64(n)))
	s := Shape{N: 1 << scale}
	for range s.N * pick(r, 1, 4, 16) / (1 + s.N/4096) {
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
		s.Join(u, v)
	}
	return s
}
