package checktest

import (
	"iter"
	"math"
	"math/rand/v2"

	"github.com/gohops/hops"
	"github.com/gohops/hops/internal/testing/oracle"
)

// A PathSpecimen is a graph with weights and correct shortest paths, which a fault then
// spoils.
type PathSpecimen struct {
	*Specimen
	Weights []float32
	Correct *hops.Paths
	Paths   *hops.Paths // to be spoilt
}

// Arcs are those that leave each vertex, with weights of the width of the sums.
func Arcs[D oracle.Distance](n hops.Vertex, edges []hops.Edge, weights []float32, directed bool) func(hops.Vertex) iter.Seq2[hops.Vertex, D] {
	heads, along := make([][]hops.Vertex, n), make([][]float32, n)
	for i, e := range edges {
		heads[e.U], along[e.U] = append(heads[e.U], e.V), append(along[e.U], weights[i])
		if !directed {
			heads[e.V], along[e.V] = append(heads[e.V], e.U), append(along[e.V], weights[i])
		}
	}
	return oracle.Arcs[D](func(v hops.Vertex) ([]hops.Vertex, []float32) { return heads[v], along[v] })
}

// Shortest returns the paths of the oracle, with sums of 32 bits.
func Shortest(n hops.Vertex, edges []hops.Edge, weights []float32, root hops.Vertex, directed bool) *hops.Paths {
	p := hops.NewSinglePaths(n)
	far, parents := oracle.Dijkstra(int(n), Arcs[float32](n, edges, weights, directed), root)
	copy(p.Single, far)
	p.Root = root
	setParents(&p.Tree, parents)
	return p
}

// PathSpecimens are the graphs of Specimens with weights: multiples of 1/8 up to 2, a
// quarter of them zero, and heavier copies of some edges.
func PathSpecimens() (all []*PathSpecimen) {
	for i, s := range Specimens() {
		r := rand.New(rand.NewPCG(uint64(i), 9))
		p := &PathSpecimen{Specimen: s}
		for range s.Edges {
			p.Weights = append(p.Weights, float32(max(0, r.IntN(20)-4))/8)
		}
		for k := 0; k < len(p.Weights); k += 3 {
			s.Edges, p.Weights = append(s.Edges, s.Edges[k]), append(p.Weights, p.Weights[k]+1)
		}
		p.Correct = Shortest(s.N, s.Edges, p.Weights, s.Tree.Root, false)
		p.Paths = Shortest(s.N, s.Edges, p.Weights, s.Tree.Root, false)
		s.Tree = &p.Paths.Tree // so that the faults of trees apply
		all = append(all, p)
	}
	return all
}

// far returns the distance of a vertex to be spoilt.
func (s *PathSpecimen) far(v hops.Vertex) *float32 { return &s.Paths.Single[v] }

// change sets the distance of a vertex that fits.
func (s *PathSpecimen) change(fits func(hops.Vertex) bool, to func(float32) float32) bool {
	v, ok := s.find(fits)
	if ok {
		*s.far(v) = to(*s.far(v))
	}
	return ok
}

// changeAll sets all distances but that of the root.
func (s *PathSpecimen) changeAll(to func(float32) float32) bool {
	for v := range s.N {
		if s.below(v) {
			*s.far(v) = to(*s.far(v))
		}
	}
	return true
}

// shift adds to the distances of a vertex and its descendants.
func (s *PathSpecimen) shift(by float32) bool {
	top, ok := s.find(func(v hops.Vertex) bool { return s.inner(v) && *s.far(v) > -by })
	for v := range s.N {
		if ok && s.under(v, top) {
			*s.far(v) += by
		}
	}
	return ok
}

// each calls f for the edges in both directions until it returns true.
func (s *PathSpecimen) each(f func(u, v hops.Vertex, w float32) bool) bool {
	for i, e := range s.Edges {
		if f(e.U, e.V, s.Weights[i]) || f(e.V, e.U, s.Weights[i]) {
			return true
		}
	}
	return false
}

// attachComponent gives another component a parent in the tree and one distance.
func (s *PathSpecimen) attachComponent(far float32) bool {
	root, ok := s.find(func(v hops.Vertex) bool { return s.outside(v) && !s.alone(v) })
	if !ok {
		return false
	}
	other := Search(s.around, root)
	for v := range s.N {
		if other.Has(v) {
			s.Tree.SetParent(v, other.Parent(v))
			*s.far(v) = far
		}
	}
	s.Tree.SetParent(root, s.Tree.Root)
	return true
}

// turnZero makes both ends of an edge of weight zero each other's parents, with their
// distances multiplied.
func (s *PathSpecimen) turnZero(factor float32) bool {
	return s.each(func(u, v hops.Vertex, w float32) bool {
		if w != 0 || u == v || !s.below(u) || !s.below(v) {
			return false
		}
		s.Tree.SetParent(u, v)
		s.Tree.SetParent(v, u)
		*s.far(u), *s.far(v) = *s.far(u)*factor, *s.far(v)*factor
		return true
	})
}

func ulp(far, toward float32) float32 { return math.Nextafter32(far, toward) }
