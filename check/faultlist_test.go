package check

import (
	"slices"

	"github.com/gohops/hops"
)

var faults = []struct {
	name  string
	rule  Rule
	spoil func(s *specimen) bool
}{
	{"root has another parent", Root, func(s *specimen) bool {
		s.tree.SetParent(s.tree.Root, s.around[s.tree.Root][0])
		return true
	}},
	{"root has no parent", Root, func(s *specimen) bool {
		s.tree.SetParent(s.tree.Root, hops.NoVertex)
		return true
	}},
	{"root's parent is out of range", Root, func(s *specimen) bool {
		s.tree.SetParent(s.tree.Root, s.n)
		return true
	}},
	{"empty tree of a root", Root, func(s *specimen) bool {
		root := s.tree.Root
		s.tree.Reset()
		s.tree.Root = root
		return true
	}},
	{"empty tree of no root", Root, func(s *specimen) bool {
		s.tree.Reset()
		return true
	}},
	{"root named is another vertex of the tree", Root, func(s *specimen) (ok bool) {
		s.tree.Root, ok = s.find(s.below)
		return ok
	}},
	{"root named is outside the tree", Root, func(s *specimen) (ok bool) {
		s.tree.Root, ok = s.find(s.outside)
		return ok
	}},
	{"root named is out of range", Root, func(s *specimen) bool {
		s.tree.Root = s.n
		return true
	}},
	{"parent just out of range", Range, func(s *specimen) bool {
		return s.set(s.below, func(hops.Vertex) hops.Vertex { return s.n })
	}},
	{"parent far out of range", Range, func(s *specimen) bool {
		return s.set(s.below, func(hops.Vertex) hops.Vertex { return 1<<32 - 2 })
	}},
	{"leaf is its own parent", Self, func(s *specimen) bool { return s.set(s.leaf, itself) }},
	{"inner vertex is its own parent", Self, func(s *specimen) bool { return s.set(s.inner, itself) }},
	{"outer vertex is its own parent", Self, func(s *specimen) bool { return s.set(s.outside, itself) }},
	{"lone loop is its own parent", Self, func(s *specimen) bool {
		return s.set(func(v hops.Vertex) bool { return s.outside(v) && s.looped(v) }, itself)
	}},
	{"parent outside the tree", Orphan, func(s *specimen) bool {
		return s.attach(s.below, func(_, p hops.Vertex) bool { return s.outside(p) })
	}},
	{"outer vertex with an outer parent", Orphan, func(s *specimen) bool {
		return s.attach(s.outside, func(v, p hops.Vertex) bool { return slices.Contains(s.around[v], p) })
	}},
	{"inner vertex missing", Orphan, func(s *specimen) bool {
		return s.set(s.inner, func(hops.Vertex) hops.Vertex { return hops.NoVertex })
	}},
	{"cycle of two", Cycle, func(s *specimen) bool {
		return s.set(s.inner, func(v hops.Vertex) hops.Vertex { return s.children(v)[0] })
	}},
	{"cycle of three", Cycle, func(s *specimen) bool {
		return s.attach(s.inner, func(v, p hops.Vertex) bool {
			return s.under(p, v) && s.levels[p] == s.levels[v]+2
		})
	}},
	{"long cycle", Cycle, func(s *specimen) bool {
		return s.attach(s.inner, func(v, p hops.Vertex) bool {
			return s.under(p, v) && s.levels[p] >= s.levels[v]+6
		})
	}},
	{"cycle with a tail", Cycle, func(s *specimen) bool {
		return s.attach(s.inner, func(v, p hops.Vertex) bool {
			return s.under(p, v) && s.inner(p)
		})
	}},
	{"cycle apart from the tree", Cycle, func(s *specimen) bool {
		return s.attach(s.outside, func(v, p hops.Vertex) bool {
			if !s.outside(p) || !slices.Contains(s.around[v], p) {
				return false
			}
			s.tree.SetParent(p, v)
			return true
		})
	}},
	{"neighbour on the same level as parent", Levels, func(s *specimen) bool {
		return s.attach(s.below, func(v, p hops.Vertex) bool {
			return slices.Contains(s.around[v], p) && s.levels[p] == s.levels[v]
		})
	}},
	{"neighbour on the next level as parent", Levels, func(s *specimen) bool {
		return s.attach(s.below, func(v, p hops.Vertex) bool {
			return slices.Contains(s.around[v], p) && s.levels[p] == s.levels[v]+1 && !s.under(p, v)
		})
	}},
	{"stranger on the same level as parent", Levels, func(s *specimen) bool {
		return s.attach(s.below, func(v, p hops.Vertex) bool {
			return !slices.Contains(s.around[v], p) && s.levels[p] == s.levels[v]
		})
	}},
	{"stranger far below as parent", Levels, func(s *specimen) bool {
		return s.attach(s.below, func(v, p hops.Vertex) bool {
			return s.levels[p] > s.levels[v]+2 && !s.under(p, v)
		})
	}},
	{"shortcut from far down to the root", Levels, func(s *specimen) bool {
		return s.attach(func(v hops.Vertex) bool { return s.levels[v] > 3 },
			func(_, p hops.Vertex) bool { return p == s.tree.Root })
	}},
	{"leaf missing", Span, func(s *specimen) bool {
		return s.set(s.leaf, func(hops.Vertex) hops.Vertex { return hops.NoVertex })
	}},
	{"subtree missing", Span, func(s *specimen) bool {
		v, ok := s.find(s.inner)
		if ok {
			s.cut(v)
		}
		return ok
	}},
	{"everything but the root missing", Span, func(s *specimen) bool {
		s.cut(s.tree.Root)
		s.tree.SetParent(s.tree.Root, s.tree.Root)
		return true
	}},
	{"last level missing", Span, func(s *specimen) bool {
		last := slices.Max(s.levels)
		for v := range s.n {
			if s.levels[v] == last {
				s.tree.SetParent(v, hops.NoVertex)
			}
		}
		return true
	}},
	{"vertex of another component attached", Span, func(s *specimen) bool {
		return s.attach(func(v hops.Vertex) bool { return s.outside(v) && !s.alone(v) },
			func(_, p hops.Vertex) bool { return s.inside(p) })
	}},
	{"component replaced by another", Span, func(s *specimen) bool {
		outer := func(v hops.Vertex) bool { return s.outside(v) && !s.alone(v) }
		root, ok := s.find(outer)
		if ok {
			other := search(s.around, root)
			other.SetParent(root, s.tree.Root)
			other.SetParent(s.tree.Root, s.tree.Root)
			s.tree.Narrow = other.Narrow
		}
		return ok
	}},
	{"whole component attached", Branch, func(s *specimen) bool {
		root, ok := s.find(func(v hops.Vertex) bool { return s.outside(v) && !s.alone(v) })
		if ok {
			other := search(s.around, root)
			other.SetParent(root, s.tree.Root)
			for v := range s.n {
				if s.inside(v) {
					other.SetParent(v, s.tree.Parent(v))
				}
			}
			s.tree.Narrow = other.Narrow
		}
		return ok
	}},
	{"isolated vertex attached", Branch, func(s *specimen) bool {
		return s.attach(func(v hops.Vertex) bool { return s.outside(v) && len(s.around[v]) == 0 },
			func(_, p hops.Vertex) bool { return s.inside(p) })
	}},
	{"lone loop attached", Branch, func(s *specimen) bool {
		return s.attach(func(v hops.Vertex) bool { return s.outside(v) && s.looped(v) },
			func(_, p hops.Vertex) bool { return s.inside(p) })
	}},
	{"stranger on the right level as parent", Branch, func(s *specimen) bool {
		return s.attach(s.below, func(v, p hops.Vertex) bool {
			return s.levels[p] == s.levels[v]-1 && !slices.Contains(s.around[v], p)
		})
	}},
	{"parents swapped", Branch, (*specimen).swapParents},
}

// swapParents exchanges the parents of two vertices on one level, neither being
// joined to the other's.
func (s *specimen) swapParents() bool {
	for v := range s.n {
		for w := range v {
			p, q := s.tree.Parent(v), s.tree.Parent(w)
			if s.below(v) && s.levels[v] == s.levels[w] &&
				!slices.Contains(s.around[v], q) && !slices.Contains(s.around[w], p) {
				s.tree.SetParent(v, q)
				s.tree.SetParent(w, p)
				return true
			}
		}
	}
	return false
}
