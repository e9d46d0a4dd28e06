package cluster

import (
	"unsafe"

	"github.com/gohops/hops"
)

// parents are those of a worker's vertices, in the tree of the search. Labels of 32 bits are
// stored as they are, labels of 64 bits as trees of large graphs have them.
type parents[L label] struct {
	narrow []uint32
	wide   []hops.WideParent
}

// parentsIn are the parents of count vertices from entry first of a tree on.
func parentsIn[L label](t *hops.Tree, first hops.Vertex, count uint32) (p parents[L]) {
	if p.isNarrow() {
		p.narrow = t.Narrow[first:][:count]
	} else {
		p.wide = t.Wide[first:][:count]
	}
	return p
}

// isNarrow is known to the compiler.
func (*parents[L]) isNarrow() bool { return unsafe.Sizeof(L(0)) == unsafe.Sizeof(uint32(0)) }

func (p *parents[L]) len() int {
	if p.isNarrow() {
		return len(p.narrow)
	}
	return len(p.wide)
}

func (p *parents[L]) set(v uint32, u L) {
	if p.isNarrow() {
		p.narrow[v] = uint32(u)
	} else {
		p.wide[v] = hops.Widen(hops.Vertex(u))
	}
}
