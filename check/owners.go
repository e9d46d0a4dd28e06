package check

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/gohops/hops"
)

// An owner is a rank and the vertices whose parents it has.
type owner struct {
	first, end hops.Vertex
	rank       int
}

// agreeOnOwners tells the ranks about each other's parts, which must make up the
// tree of one root.
func agreeOnOwners(ranks Ranks, t *hops.Tree, n hops.Vertex) ([]owner, error) {
	size := ranks.Size()
	told := make([]uint64, 3*size)
	me := told[3*ranks.Rank():]
	me[0], me[1], me[2] = uint64(t.First), uint64(t.Len()), uint64(t.Root)
	if err := ranks.Sum(told); err != nil {
		return nil, err
	}
	owners := make([]owner, size)
	for r := range owners {
		first := hops.Vertex(told[3*r])
		owners[r] = owner{first, first + hops.Vertex(told[3*r+1]), r}
		if told[3*r+2] != told[2] {
			return nil, fmt.Errorf("check: rank %d has a tree of root %d, rank 0 one of %d", r, told[3*r+2], told[2])
		}
	}
	if size > math.MaxUint16 {
		return nil, fmt.Errorf("check: %d ranks: want at most %d", size, math.MaxUint16)
	}
	owners = slices.DeleteFunc(owners, func(o owner) bool { return o.first == o.end })
	slices.SortFunc(owners, func(a, b owner) int { return cmp.Compare(a.first, b.first) })
	next := hops.Vertex(0)
	for _, o := range owners {
		if o.first != next {
			return nil, fmt.Errorf("check: rank %d has the vertices from %d on, those before end at %d", o.rank, o.first, next)
		}
		next = o.end
	}
	if next != n {
		return nil, fmt.Errorf("check: the parts of the tree end at %d, the graph has %d vertices", next, n)
	}
	return owners, nil
}
