package check

import "github.com/gohops/hops"

// Directed tuples bind in one direction only: (u, v) lets v be at most one level
// below u, puts v into the tree if u is in it, and can be the tree edge of v. A
// tuple that leads into the tree, or back to a level far above, is no fault. The
// argument of the package comment holds as it stands: levels grow by at most one
// along any path from the root, and tree edges are steps of such a path.

// compareDirected is compare for directed tuples. It counts those that start in
// the tree, which then end in it too.
func (l layout) compareDirected(block []ends) (inside int64, bad int) {
	for i, e := range block {
		if e.u == 0 {
			continue
		}
		if e.v == 0 || l.code(e.v) > l.code(e.u)+1 {
			return 0, i
		}
		inside++
	}
	return inside, -1
}

// markTargets is markChildren for directed tuples.
func (t *trial[P]) markTargets(edges []hops.Edge) {
	for _, e := range edges {
		if t.parents[e.V] == P(e.U) {
			mark(t.marked, e.V)
		}
	}
}
