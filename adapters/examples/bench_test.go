package examples

import (
	"context"
	"fmt"

	"github.com/gohops/hops/edge"
	"github.com/gohops/hops/graph500"
	"github.com/gohops/hops/papers/bench"
)

// Engines are compared by searches in turn.
func Example_bench() {
	ctx := context.Background()
	src := must(edge.NewKronecker(8, 16, 2, 3))
	roots := must(bench.Roots(ctx, src, 2))
	all := must(bench.Compare(ctx, src, []graph500.Engine{serialEngine(), serialEngine()}, bench.Options{Roots: roots, Rounds: 3}))
	result := must(bench.Summarize(all, 3))
	fmt.Println(len(result.Engines), result.Engines[0].HarmonicTEPS > 0)
	// Output: 2 true
}
