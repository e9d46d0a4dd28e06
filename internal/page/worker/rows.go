package worker

import (
	"context"
	"fmt"

	"github.com/gohops/hops"
)

// rows are the neighbours of every vertex in the order in which the other program gave
// them. A graph.Graph orders them by degree, which is faster to search. But some programs
// promise their users the order in which a queue finds vertices on their own rows, and
// the first parent in that order: NetworkX does.
type rows struct {
	offsets []int64
	targets []uint32
}

// newRows makes rows of the edges of a graph that was made already, so that there is
// memory for it. They must be sorted by source.
func newRows(p pairs) (*rows, error) {
	r := &rows{offsets: make([]int64, p.count+1), targets: p.to}
	last := uint32(0)
	for i, v := range p.from {
		if v < last {
			return nil, requestError{fmt.Errorf("edge %d begins at %d, the one before at %d: want the sources in order", i, v, last)}
		}
		last = v
		r.offsets[v+1]++
	}
	for v := range r.offsets[1:] {
		r.offsets[v+1] += r.offsets[v]
	}
	return r, nil
}

// queue searches from the roots, which must differ, for at most depth levels. It returns
// the vertices in the order of the queue, the parent of each, and where each level ends.
func (r *rows) queue(ctx context.Context, roots []hops.Vertex, depth int) (order, parents []uint32, ends []int64, err error) {
	seen := make([]uint64, len(r.offsets)/64+1)
	for _, root := range roots {
		order, parents = append(order, uint32(root)), append(parents, uint32(root))
		seen[root>>6] |= 1 << (root & 63)
	}
	for start := 0; start < len(order) && ctx.Err() == nil; {
		end := len(order)
		if ends = append(ends, int64(end)); len(ends) > depth {
			break
		}
		for _, v := range order[start:end] {
			for _, u := range r.targets[r.offsets[v]:r.offsets[v+1]] {
				if bit := uint64(1) << (u & 63); seen[u>>6]&bit == 0 {
					seen[u>>6] |= bit
					order, parents = append(order, u), append(parents, v)
				}
			}
		}
		start = end
	}
	return order, parents, ends, ctx.Err()
}
