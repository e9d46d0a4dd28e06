package bench

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/gohops/hops"
	"github.com/gohops/hops/graph500"
)

// Median searches from a root as often as runs says and returns the search that took
// the median time, by the clock of its levels.
func Median(ctx context.Context, s graph500.Searcher, root hops.Vertex, tree *hops.Tree, runs int) (graph500.Search, error) {
	if runs < 1 {
		return graph500.Search{}, fmt.Errorf("bench: %d runs have no median", runs)
	}
	all := make([]graph500.Search, runs)
	for i := range all {
		var err error
		if all[i], err = graph500.Time(ctx, s, root, tree); err != nil {
			return graph500.Search{}, err
		}
	}
	byLevels := func(s graph500.Search) int64 { return int64(hops.Trace{Levels: s.Levels}.Time()) }
	slices.SortFunc(all, func(a, b graph500.Search) int { return cmp.Compare(byLevels(a), byLevels(b)) })
	return all[runs/2], nil
}
