package check

import (
	"context"
	"sync/atomic"

	"github.com/gohops/hops"
	"github.com/gohops/hops/internal/par"
)

// filterBits is the size of the filter that most vertices fail to pass: it stays
// in the first-level cache.
const filterBits = 1 << 16

// Joined tells which of a few candidates have an edge to another vertex in a
// source, which it reads with so many threads, one for each CPU if that is 0. It takes no memory for the vertices of the graph, so that the answers
// for parts of a list can be put together on ranks that have only those.
func Joined(ctx context.Context, src hops.Source, threads int, candidates []hops.Vertex) ([]bool, error) {
	team := par.NewTeam(threads, nil)
	defer team.Close()
	places := make(map[hops.Vertex]int, len(candidates))
	filter := make([]uint64, filterBits/64)
	for i, v := range candidates {
		places[v] = i
		filter[v%filterBits/64] |= 1 << (v % 64)
	}
	found := make([]atomic.Bool, len(candidates))
	look := func(v hops.Vertex) {
		if filter[v%filterBits/64]>>(v%64)&1 == 0 {
			return
		}
		if i, ok := places[v]; ok && !found[i].Load() {
			found[i].Store(true)
		}
	}
	list, n := newTuples(src, team), src.NumVertices()
	err := list.each(ctx, func(_ int, first int64, block []hops.Edge) error {
		for i, e := range block {
			if e.U >= n || e.V >= n {
				return strayEdge(e, first+int64(i), src)
			}
			if e.U != e.V {
				look(e.U)
				look(e.V)
			}
		}
		return nil
	})
	answers := make([]bool, len(candidates))
	for i := range found {
		answers[i] = found[i].Load()
	}
	return answers, err
}
