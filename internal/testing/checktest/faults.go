package checktest

import (
	"slices"

	"github.com/gohops/hops"
)

// A Fault is one kind of broken tree.
type Fault struct {
	Name string
	Rule string // of package check under which the fault is found
	// Spoil breaks the tree of a specimen, or returns false where the graph has no
	// room for the fault.
	Spoil func(s *Specimen) bool
}

// Faults are all kinds of broken trees.
var Faults = []Fault{
	{"root has another parent", "root", func(s *Specimen) bool {
		s.Tree.SetParent(s.Tree.Root, s.around[s.Tree.Root][0])
		return true
	}},
	{"root has no parent", "root", func(s *Specimen) bool {
		s.Tree.SetParent(s.Tree.Root, hops.NoVertex)
		return true
	}},
	{"root's parent is out of range", "root", func(s *Specimen) bool {
		s.Tree.SetParent(s.Tree.Root, s.N)
		return true
	}},
	{"empty tree of a root", "root", func(s *Specimen) bool {
		root := s.Tree.Root
		s.Tree.Reset()
		s.Tree.Root = root
		return true
	}},
	{"empty tree of no root", "root", func(s *Specimen) bool {
		s.Tree.Reset()
		return true
	}},
	{"root named is another vertex of the tree", "root", func(s *Specimen) (ok bool) {
		s.Tree.Root, ok = s.find(s.below)
		return ok
	}},
	{"root named is outside the tree", "root", func(s *Specimen) (ok bool) {
		s.Tree.Root, ok = s.find(s.outside)
		return ok
	}},
	{"root named is out of range", "root", func(s *Specimen) bool {
		s.Tree.Root = s.N
		return true
	}},
	{"parent just out of range", "range", func(s *Specimen) bool {
		return s.set(s.below, func(hops.Vertex) hops.Vertex { return s.N })
	}},
	{"parent far out of range", "range", func(s *Specimen) bool {
		return s.set(s.below, func(hops.Vertex) hops.Vertex { return 1<<32 - 2 })
	}},
	{"leaf is its own parent", "self", func(s *Specimen) bool { return s.set(s.leaf, itself) }},
	{"inner vertex is its own parent", "self", func(s *Specimen) bool { return s.set(s.inner, itself) }},
	{"outer vertex is its own parent", "self", func(s *Specimen) bool { return s.set(s.outside, itself) }},
	{"lone loop is its own parent", "self", func(s *Specimen) bool {
		return s.set(func(v hops.Vertex) bool { return s.outside(v) && s.looped(v) }, itself)
	}},
	{"parent outside the tree", "orphan", func(s *Specimen) bool {
		return s.attach(s.below, func(_, p hops.Vertex) bool { return s.outside(p) })
	}},
	{"outer vertex with an outer parent", "orphan", func(s *Specimen) bool {
		return s.attach(s.outside, func(v, p hops.Vertex) bool { return slices.Contains(s.around[v], p) })
	}},
	{"inner vertex missing", "orphan", func(s *Specimen) bool {
		return s.set(s.inner, func(hops.Vertex) hops.Vertex { return hops.NoVertex })
	}},
	{"cycle of two", "cycle", func(s *Specimen) bool {
		return s.set(s.inner, func(v hops.Vertex) hops.Vertex { return s.children(v)[0] })
	}},
	{"cycle of three", "cycle", func(s *Specimen) bool {
		return s.attach(s.inner, func(v, p hops.Vertex) bool {
			return s.under(p, v) && s.levels[p] == s.levels[v]+2
		})
	}},
	{"long cycle", "cycle", func(s *Specimen) bool {
		return s.attach(s.inner, func(v, p hops.Vertex) bool {
			return s.under(p, v) && s.levels[p] >= s.levels[v]+6
		})
	}},
	{"cycle with a tail", "cycle", func(s *Specimen) bool {
		return s.attach(s.inner, func(v, p hops.Vertex) bool {
			return s.under(p, v) && s.inner(p)
		})
	}},
	{"cycle apart from the tree", "cycle", func(s *Specimen) bool {
		return s.attach(s.outside, func(v, p hops.Vertex) bool {
			if !s.outside(p) || !slices.Contains(s.around[v], p) {
				return false
			}
			s.Tree.SetParent(p, v)
			return true
		})
	}},
	{"neighbour on the same level as parent", "levels", func(s *Specimen) bool {
		return s.attach(s.below, func(v, p hops.Vertex) bool {
			return slices.Contains(s.around[v], p) && s.levels[p] == s.levels[v]
		})
	}},
	{"neighbour on the next level as parent", "levels", func(s *Specimen) bool {
		return s.attach(s.below, func(v, p hops.Vertex) bool {
			return slices.Contains(s.around[v], p) && s.levels[p] == s.levels[v]+1 && !s.under(p, v)
		})
	}},
	{"stranger on the same level as parent", "levels", func(s *Specimen) bool {
		return s.attach(s.below, func(v, p hops.Vertex) bool {
			return !slices.Contains(s.around[v], p) && s.levels[p] == s.levels[v]
		})
	}},
	{"stranger far below as parent", "levels", func(s *Specimen) bool {
		return s.attach(s.below, func(v, p hops.Vertex) bool {
			return s.levels[p] > s.levels[v]+2 && !s.under(p, v)
		})
	}},
	{"shortcut from far down to the root", "levels", func(s *Specimen) bool {
		return s.attach(func(v hops.Vertex) bool { return s.levels[v] > 3 },
			func(_, p hops.Vertex) bool { return p == s.Tree.Root })
	}},
	{"leaf missing", "span", func(s *Specimen) bool {
		return s.set(s.leaf, func(hops.Vertex) hops.Vertex { return hops.NoVertex })
	}},
	{"subtree missing", "span", func(s *Specimen) bool {
		v, ok := s.find(s.inner)
		if ok {
			s.cut(v)
		}
		return ok
	}},
	{"everything but the root missing", "span", func(s *Specimen) bool {
		s.cut(s.Tree.Root)
		s.Tree.SetParent(s.Tree.Root, s.Tree.Root)
		return true
	}},
	{"last level missing", "span", func(s *Specimen) bool {
		last := slices.Max(s.levels)
		for v := range s.N {
			if s.levels[v] == last {
				s.Tree.SetParent(v, hops.NoVertex)
			}
		}
		return true
	}},
	{"vertex of another component attached", "span", func(s *Specimen) bool {
		return s.attach(func(v hops.Vertex) bool { return s.outside(v) && !s.alone(v) },
			func(_, p hops.Vertex) bool { return s.inside(p) })
	}},
	{"component replaced by another", "span", func(s *Specimen) bool {
		outer := func(v hops.Vertex) bool { return s.outside(v) && !s.alone(v) }
		root, ok := s.find(outer)
		if ok {
			other := Search(s.around, root)
			other.SetParent(root, s.Tree.Root)
			other.SetParent(s.Tree.Root, s.Tree.Root)
			s.Tree.Narrow = other.Narrow
		}
		return ok
	}},
	{"whole component attached", "branch", func(s *Specimen) bool {
		root, ok := s.find(func(v hops.Vertex) bool { return s.outside(v) && !s.alone(v) })
		if ok {
			other := Search(s.around, root)
			other.SetParent(root, s.Tree.Root)
			for v := range s.N {
				if s.inside(v) {
					other.SetParent(v, s.Tree.Parent(v))
				}
			}
			s.Tree.Narrow = other.Narrow
		}
		return ok
	}},
	{"isolated vertex attached", "branch", func(s *Specimen) bool {
		return s.attach(func(v hops.Vertex) bool { return s.outside(v) && len(s.around[v]) == 0 },
			func(_, p hops.Vertex) bool { return s.inside(p) })
	}},
	{"lone loop attached", "branch", func(s *Specimen) bool {
		return s.attach(func(v hops.Vertex) bool { return s.outside(v) && s.looped(v) },
			func(_, p hops.Vertex) bool { return s.inside(p) })
	}},
	{"stranger on the right level as parent", "branch", func(s *Specimen) bool {
		return s.attach(s.below, func(v, p hops.Vertex) bool {
			return s.levels[p] == s.levels[v]-1 && !slices.Contains(s.around[v], p)
		})
	}},
	{"parents swapped", "branch", (*Specimen).swapParents},
}

// swapParents exchanges the parents of two vertices on one level, neither being
// joined to the other's.
func (s *Specimen) swapParents() bool {
	for v := range s.N {
		for w := range v {
			p, q := s.Tree.Parent(v), s.Tree.Parent(w)
			if s.below(v) && s.levels[v] == s.levels[w] &&
				!slices.Contains(s.around[v], q) && !slices.Contains(s.around[w], p) {
				s.Tree.SetParent(v, q)
				s.Tree.SetParent(w, p)
				return true
			}
		}
	}
	return false
}
