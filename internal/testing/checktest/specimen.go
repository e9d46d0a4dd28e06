package checktest

import (
	"math/rand/v2"

	"github.com/gohops/hops"
	"github.com/gohops/hops/internal/testing/oracle"
)

// A Specimen is a graph with a correct tree, which a fault then spoils.
type Specimen struct {
	Name  string
	N     hops.Vertex
	Edges []hops.Edge
	Right *hops.Tree
	Tree  *hops.Tree // to be spoilt

	levels []int32
	around [][]hops.Vertex
	order  []int // in which vertices are looked through
}

func newSpecimen(name string, n hops.Vertex, edges []hops.Edge, root hops.Vertex, seed uint64) *Specimen {
	rows := Neighbours(n, edges)
	levels, _ := oracle.BFS(len(rows), oracle.Heads(rows), root)
	return &Specimen{
		Name: name, N: n, Edges: edges, Right: Search(rows, root), Tree: Search(rows, root),
		levels: levels, around: rows, order: rand.New(rand.NewPCG(seed, 2)).Perm(int(n)),
	}
}

// find returns some vertex that fits.
func (s *Specimen) find(fits func(v hops.Vertex) bool) (hops.Vertex, bool) {
	for _, v := range s.order {
		if fits(hops.Vertex(v)) {
			return hops.Vertex(v), true
		}
	}
	return 0, false
}

// attach gives some vertex that fits a parent that suits it.
func (s *Specimen) attach(fits func(v hops.Vertex) bool, suits func(v, p hops.Vertex) bool) bool {
	for _, v := range s.order {
		v := hops.Vertex(v)
		if !fits(v) {
			continue
		}
		if p, ok := s.find(func(p hops.Vertex) bool { return p != v && suits(v, p) }); ok {
			s.Tree.SetParent(v, p)
			return true
		}
	}
	return false
}

func (s *Specimen) inside(v hops.Vertex) bool  { return s.levels[v] >= 0 }
func (s *Specimen) outside(v hops.Vertex) bool { return s.levels[v] < 0 }
func (s *Specimen) below(v hops.Vertex) bool   { return s.levels[v] > 0 }

// alone tells that v has no edge to another vertex.
func (s *Specimen) alone(v hops.Vertex) bool {
	for _, u := range s.around[v] {
		if u != v {
			return false
		}
	}
	return true
}

func (s *Specimen) looped(v hops.Vertex) bool { return s.alone(v) && len(s.around[v]) > 0 }

// children are those of v in the tree.
func (s *Specimen) children(v hops.Vertex) (found []hops.Vertex) {
	for c := range s.N {
		if c != v && s.Tree.Parent(c) == v {
			found = append(found, c)
		}
	}
	return found
}

func (s *Specimen) leaf(v hops.Vertex) bool  { return s.below(v) && len(s.children(v)) == 0 }
func (s *Specimen) inner(v hops.Vertex) bool { return s.below(v) && len(s.children(v)) > 0 }

// under tells whether v is a, or descends from it.
func (s *Specimen) under(v, a hops.Vertex) bool {
	if s.outside(v) {
		return false
	}
	for v != a && v != s.Tree.Root {
		v = s.Tree.Parent(v)
	}
	return v == a
}

// cut takes v and all its descendants out of the tree.
func (s *Specimen) cut(v hops.Vertex) {
	for _, c := range s.children(v) {
		s.cut(c)
	}
	s.Tree.SetParent(v, hops.NoVertex)
}

// set changes the parent of a vertex that fits.
func (s *Specimen) set(fits func(hops.Vertex) bool, parent func(v hops.Vertex) hops.Vertex) bool {
	v, ok := s.find(fits)
	if ok {
		s.Tree.SetParent(v, parent(v))
	}
	return ok
}

func itself(v hops.Vertex) hops.Vertex { return v }

// Specimens are graphs in which every fault has room somewhere, made anew.
func Specimens() []*Specimen {
	star := Pairs(30, 31, 32, 33, 33, 33, 35, 35)
	for v := hops.Vertex(1); v < 30; v++ {
		star = append(star, hops.Edge{U: 0, V: v})
	}
	var all []*Specimen
	for i, g := range []struct {
		name  string
		n     hops.Vertex
		edges []hops.Edge
	}{
		{"random, in pieces", 130, append(Random(3, 0, 100, 130), Pairs(101, 101, 102, 102, 110, 111, 111, 112)...)},
		{"grid, path and loops", 97, append(Grid(0, 9, 8), append(Path(72, 20), Pairs(93, 93, 3, 3, 3, 4)...)...)},
		{"path", 65, append(Path(0, 60), Pairs(61, 62, 62, 62, 63, 63)...)},
		{"star", 40, star},
	} {
		seed := uint64(i)
		other := Relabel(g.n, g.edges, seed)
		all = append(all, newSpecimen(g.name, g.n, g.edges, g.edges[0].U, seed),
			newSpecimen(g.name+", relabelled", g.n, other, other[0].V, seed))
	}
	return all
}
