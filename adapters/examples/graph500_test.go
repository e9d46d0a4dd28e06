package examples

import (
	"context"
	"fmt"

	"github.com/gohops/hops"
	"github.com/gohops/hops/edge"
	"github.com/gohops/hops/graph500"
)

// The benchmark runs any engine, also one of another module.
func Example_graph500() {
	res := must(graph500.Run(context.Background(), graph500.Config{Scale: 8, Roots: 4}, serialEngine(), nil))
	fmt.Println(len(res.Searches), res.Invalid == "", res.Summary.TEPS.HarmonicMean > 0)
	// Output: 4 true true
}

// One search is timed as the benchmark times its searches.
func Example_graph500Time() {
	src := must(edge.NewKronecker(8, 16, 2, 3))
	s := must(buildSerial(context.Background(), src))
	tree := must(graph500.NewTree(s, src.NumVertices()))
	search := must(graph500.Time(context.Background(), s, 0, tree))
	fmt.Println(search.Time > 0, tree.Root == hops.Vertex(0))
	// Output: true true
}

// An engine may have any of the abilities that the benchmark asks for.
type able struct{ serial }

func (a *able) NewTree() (*hops.Tree, error) { return hops.NewTree(hops.Vertex(len(a.rows))), nil }
func (a *able) Clear(t *hops.Tree)           { t.Reset() }

var (
	_ graph500.TreeMaker   = (*able)(nil)
	_ graph500.TreeClearer = (*able)(nil)
)
