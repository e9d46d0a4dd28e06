package examples

import (
	"context"
	"fmt"

	"github.com/gohops/hops"
	"github.com/gohops/hops/csr"
	"github.com/gohops/hops/edge"
	"github.com/gohops/hops/sssp"
)

// The heavy edge from 0 to 2 is longer than the way round.
func Example_sssp() {
	ctx := context.Background()
	src := edge.WithWeights(edge.List([]hops.Edge{{U: 0, V: 1}, {U: 1, V: 2}, {U: 0, V: 2}}, 3), []float32{1.5, 2, 4})
	g := must(csr.BuildWeighted(ctx, src, 0))
	defer g.Close()
	s := must(sssp.New(g, sssp.Options{}))
	defer s.Close()
	p := hops.NewPaths(src.NumVertices())
	must(s.Search(ctx, 0, p))
	fmt.Println(p.Distance(2), p.Parent(2))
	// Output: 3.5 1
}

// Three ranks inside this process divide the vertices among them.
func Example_ssspOnRanks() {
	ctx := context.Background()
	src := edge.WithWeights(edge.List([]hops.Edge{{U: 0, V: 1}, {U: 1, V: 2}, {U: 0, V: 2}}, 3), []float32{1.5, 2, 4})
	s := must(sssp.Build(ctx, src, 3, sssp.Options{}))
	defer s.Close()
	p := must(s.NewPaths())
	must(s.Search(ctx, 0, p))
	fmt.Println(p.Distance(2), p.Parent(2))
	// Output: 3.5 1
}
