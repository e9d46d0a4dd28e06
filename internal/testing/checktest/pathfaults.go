package checktest

import (
	"math"

	"github.com/gohops/hops"
)

// A PathFault is one kind of broken shortest paths.
type PathFault struct {
	Name  string
	Rules string // of package check, any of which may find the fault
	Spoil func(s *PathSpecimen) bool
}

var infinite, notANumber = float32(math.Inf(1)), float32(math.NaN())

// PathFaults are kinds of broken results that are about distances. All Faults of trees
// but those about levels apply too.
var PathFaults = []PathFault{
	{"root at a distance", "distance", func(s *PathSpecimen) bool { *s.far(s.Tree.Root) = 1; return true }},
	{"root at no distance", "distance", func(s *PathSpecimen) bool { *s.far(s.Tree.Root) = infinite; return true }},
	{"root's distance is not a number", "distance", func(s *PathSpecimen) bool { *s.far(s.Tree.Root) = notANumber; return true }},
	{"distance is not a number", "distance", func(s *PathSpecimen) bool {
		return s.change(s.below, func(float32) float32 { return notANumber })
	}},
	{"negative distance", "distance", func(s *PathSpecimen) bool {
		return s.change(s.below, func(float32) float32 { return -1 })
	}},
	{"infinite distance in the tree", "distance", func(s *PathSpecimen) bool {
		return s.change(s.leaf, func(float32) float32 { return infinite })
	}},
	{"distance outside the tree", "distance", func(s *PathSpecimen) bool {
		return s.change(s.outside, func(float32) float32 { return 3 })
	}},
	{"distance outside the tree is the reference's -1", "distance", func(s *PathSpecimen) bool {
		return s.change(s.outside, func(float32) float32 { return -1 })
	}},
	{"distance one bit too large", "relaxed", func(s *PathSpecimen) bool {
		return s.change(s.leaf, func(far float32) float32 { return ulp(far, 9) })
	}},
	{"distance one bit too small", "branch relaxed", func(s *PathSpecimen) bool {
		return s.change(func(v hops.Vertex) bool { return s.below(v) && *s.far(v) > 0 }, func(far float32) float32 { return ulp(far, 0) })
	}},
	{"all distances doubled", "relaxed", func(s *PathSpecimen) bool {
		return s.changeAll(func(far float32) float32 { return 2 * far })
	}},
	{"all distances halved", "branch", func(s *PathSpecimen) bool {
		return s.changeAll(func(far float32) float32 { return far / 2 })
	}},
	{"all distances zero", "branch", func(s *PathSpecimen) bool {
		return s.changeAll(func(float32) float32 { return 0 })
	}},
	{"all distances too large by one", "relaxed", func(s *PathSpecimen) bool {
		return s.changeAll(func(far float32) float32 { return far + 1 })
	}},
	{"subtree too far", "relaxed", func(s *PathSpecimen) bool { return s.shift(1) }},
	{"subtree too near", "branch relaxed", func(s *PathSpecimen) bool { return s.shift(-1.0 / 8) }},
	{"hops in place of distances", "branch relaxed", func(s *PathSpecimen) bool {
		for v := range s.N {
			if s.below(v) {
				*s.far(v) = float32(s.levels[v])
			}
		}
		return true
	}},
	{"longer way to a leaf", "relaxed", func(s *PathSpecimen) bool {
		return s.each(func(u, v hops.Vertex, w float32) bool {
			if u == v || !s.leaf(v) || u == s.Tree.Parent(v) || *s.far(u)+w <= *s.far(v) {
				return false
			}
			s.Tree.SetParent(v, u)
			*s.far(v) = *s.far(u) + w
			return true
		})
	}},
	{"heavier of two parallel edges", "relaxed", func(s *PathSpecimen) bool {
		return s.each(func(u, v hops.Vertex, w float32) bool {
			if !s.leaf(v) || u != s.Tree.Parent(v) || *s.far(u)+w <= *s.far(v) {
				return false
			}
			*s.far(v) = *s.far(u) + w
			return true
		})
	}},
	{"neighbour as parent that is no shortest way", "branch", func(s *PathSpecimen) bool {
		return s.each(func(u, v hops.Vertex, w float32) bool {
			if u == v || !s.leaf(v) || u == s.Tree.Parent(v) || *s.far(u)+w <= *s.far(v) {
				return false
			}
			s.Tree.SetParent(v, u)
			return !s.joinedTightly(u, v)
		})
	}},
	{"stranger as parent", "branch", func(s *PathSpecimen) bool {
		return s.attach(s.leaf, func(v, p hops.Vertex) bool {
			return s.inside(p) && !s.each(func(a, b hops.Vertex, _ float32) bool { return a == v && b == p })
		})
	}},
	{"parents over a zero weight", "cycle", func(s *PathSpecimen) bool { return s.turnZero(1) }},
	{"parents over a zero weight, and too near", "cycle", func(s *PathSpecimen) bool { return s.turnZero(0.5) }},
	{"leaf missing, its distance still there", "distance", func(s *PathSpecimen) bool {
		return s.set(s.leaf, func(hops.Vertex) hops.Vertex { return hops.NoVertex })
	}},
	{"leaf missing", "span", func(s *PathSpecimen) bool {
		v, ok := s.find(s.leaf)
		if ok {
			s.Tree.SetParent(v, hops.NoVertex)
			*s.far(v) = infinite
		}
		return ok
	}},
	{"everything but the root missing", "span", func(s *PathSpecimen) bool {
		root := s.Tree.Root
		s.Paths.Reset()
		s.Tree.Root = root
		s.Tree.SetParent(root, root)
		*s.far(root) = 0
		return true
	}},
	{"other component at a distance that absorbs weights", "branch", func(s *PathSpecimen) bool { return s.attachComponent(1 << 26) }},
	{"other component at infinity", "distance", func(s *PathSpecimen) bool { return s.attachComponent(infinite) }},
	{"isolated vertex attached", "branch", func(s *PathSpecimen) bool {
		v, ok := s.find(func(v hops.Vertex) bool { return s.outside(v) && len(s.around[v]) == 0 })
		if ok {
			s.Tree.SetParent(v, s.Tree.Root)
			*s.far(v) = 1
		}
		return ok
	}},
}

// joinedTightly tells whether some edge from u makes the distance of v.
func (s *PathSpecimen) joinedTightly(u, v hops.Vertex) bool {
	return s.each(func(a, b hops.Vertex, w float32) bool { return a == u && b == v && *s.far(u)+w == *s.far(v) })
}
