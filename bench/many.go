package bench

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/gohops/hops"
	"github.com/gohops/hops/engine/many"
)

// Many returns an Extra that searches from all roots at a time, as many as share a
// search. What it finds is compared with what validation found of the same roots.
func Many(s *many.Searcher, n hops.Vertex, roots []hops.Vertex) Extra {
	d := many.NewDepths(n)
	return Extra{Name: fmt.Sprintf("many:roots=%d", len(roots)), Kind: "many", Run: func(ctx context.Context, known []Search) (time.Duration, error) {
		var sum time.Duration
		for batch := range slices.Chunk(roots, many.MaxRoots) {
			start := time.Now()
			if _, err := s.Search(ctx, batch, d); err != nil {
				return 0, err
			}
			sum += time.Since(start)
			if err := compareDepths(d, known); err != nil {
				return 0, err
			}
		}
		return sum / time.Duration(len(roots)), nil
	}}
}

// compareDepths compares how many vertices each root reaches, and in how many hops,
// with validated searches from the same root.
func compareDepths(d *many.Depths, known []Search) error {
	validated := map[hops.Vertex]many.DepthSum{}
	for _, s := range known {
		if len(s.Depths) == 0 {
			continue
		}
		want := many.DepthSum{Reached: s.Vertices, Depth: len(s.Depths) - 1}
		for depth, count := range s.Depths {
			want.Hops += int64(depth) * count
		}
		validated[s.Root] = want
	}
	for i, got := range d.Sums() {
		if want, ok := validated[d.Roots[i]]; ok && got != want {
			return fmt.Errorf("root %d: found %+v, want %+v", d.Roots[i], got, want)
		}
	}
	return nil
}
