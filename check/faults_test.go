package check

import (
	"context"
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/gohops/hops"
)

// A specimen is a graph with a correct tree, which a fault then spoils.
type specimen struct {
	graph
	right  *hops.Tree
	tree   *hops.Tree // to be spoilt
	levels []int64
	around [][]hops.Vertex
	order  []int // in which vertices are looked through
}

func newSpecimen(g graph, root hops.Vertex, seed uint64) *specimen {
	return &specimen{
		graph: g, right: search(g.rows(), root), tree: search(g.rows(), root), levels: distances(g, root), around: g.rows(),
		order: rand.New(rand.NewPCG(seed, 2)).Perm(int(g.n)),
	}
}

// find returns some vertex that fits.
func (s *specimen) find(fits func(v hops.Vertex) bool) (hops.Vertex, bool) {
	for _, v := range s.order {
		if fits(hops.Vertex(v)) {
			return hops.Vertex(v), true
		}
	}
	return 0, false
}

// attach gives some vertex that fits a parent that suits it.
func (s *specimen) attach(fits func(v hops.Vertex) bool, suits func(v, p hops.Vertex) bool) bool {
	for _, v := range s.order {
		v := hops.Vertex(v)
		if !fits(v) {
			continue
		}
		if p, ok := s.find(func(p hops.Vertex) bool { return p != v && suits(v, p) }); ok {
			s.tree.SetParent(v, p)
			return true
		}
	}
	return false
}

func (s *specimen) inside(v hops.Vertex) bool  { return s.levels[v] >= 0 }
func (s *specimen) outside(v hops.Vertex) bool { return s.levels[v] < 0 }
func (s *specimen) below(v hops.Vertex) bool   { return s.levels[v] > 0 }

// alone tells that v has no edge to another vertex.
func (s *specimen) alone(v hops.Vertex) bool {
	for _, u := range s.around[v] {
		if u != v {
			return false
		}
	}
	return true
}

func (s *specimen) looped(v hops.Vertex) bool { return s.alone(v) && len(s.around[v]) > 0 }

// children are those of v in the tree.
func (s *specimen) children(v hops.Vertex) (found []hops.Vertex) {
	for c := range s.n {
		if c != v && s.tree.Parent(c) == v {
			found = append(found, c)
		}
	}
	return found
}

func (s *specimen) leaf(v hops.Vertex) bool  { return s.below(v) && len(s.children(v)) == 0 }
func (s *specimen) inner(v hops.Vertex) bool { return s.below(v) && len(s.children(v)) > 0 }

// under tells whether v is a, or descends from it.
func (s *specimen) under(v, a hops.Vertex) bool {
	if s.outside(v) {
		return false
	}
	for v != a && v != s.tree.Root {
		v = s.tree.Parent(v)
	}
	return v == a
}

// cut takes v and all its descendants out of the tree.
func (s *specimen) cut(v hops.Vertex) {
	for _, c := range s.children(v) {
		s.cut(c)
	}
	s.tree.SetParent(v, hops.NoVertex)
}

// set changes the parent of a vertex that fits.
func (s *specimen) set(fits func(hops.Vertex) bool, parent func(v hops.Vertex) hops.Vertex) bool {
	v, ok := s.find(fits)
	if ok {
		s.tree.SetParent(v, parent(v))
	}
	return ok
}

func itself(v hops.Vertex) hops.Vertex { return v }

// specimens are graphs in which every fault has room somewhere.
func specimens() []*specimen {
	cluster := graph{"random, in pieces", 130, append(random(3, 0, 100, 130), pairs(101, 101, 102, 102, 110, 111, 111, 112)...)}
	lattice := graph{"grid, path and loops", 97, append(grid(0, 9, 8), append(path(72, 20), pairs(93, 93, 3, 3, 3, 4)...)...)}
	line := graph{"path", 65, append(path(0, 60), pairs(61, 62, 62, 62, 63, 63)...)}
	star := graph{"star", 40, pairs(30, 31, 32, 33, 33, 33, 35, 35)}
	for v := hops.Vertex(1); v < 30; v++ {
		star.edges = append(star.edges, hops.Edge{U: 0, V: v})
	}
	var all []*specimen
	for i, g := range []graph{cluster, lattice, line, star} {
		seed := uint64(i)
		all = append(all, newSpecimen(g, g.edges[0].U, seed))
		g = g.relabel(seed)
		all = append(all, newSpecimen(g, g.edges[0].V, seed))
	}
	return all
}

// Each fault spoils the tree of a specimen, or returns false where the graph has
// no room for it. It must be caught under its rule wherever it fits, also by a
// checker that has just seen the right tree.
func TestSeededFaults(t *testing.T) {
	for _, f := range faults {
		t.Run(f.name, func(t *testing.T) {
			fitted := 0
			for _, s := range specimens() {
				if !f.spoil(s) {
					continue
				}
				fitted++
				c := newChecker(t, s.source(), 2)
				if _, err := c.Tree(context.Background(), s.right); err != nil {
					t.Fatalf("%s: before: %v", s.name, err)
				}
				if _, valid := oracle(s.graph, s.tree); valid {
					t.Fatalf("%s: the tree is still valid", s.name)
				}
				for _, tree := range []*hops.Tree{s.tree, widen(s.tree)} {
					_, err := c.Tree(context.Background(), tree)
					var fault *Error
					if !errors.As(err, &fault) || fault.Rule != f.rule {
						t.Errorf("%s: got %v, want rule %v", s.name, err, f.rule)
					} else if err := substantiate(s.graph, tree, fault); err != nil {
						t.Errorf("%s: %v", s.name, err)
					}
				}
			}
			if fitted < 2 {
				t.Errorf("fits %d specimens, want at least 2", fitted)
			}
		})
	}
}
