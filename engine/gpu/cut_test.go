package gpu

import (
	"testing"

	"github.com/gohops/hops"
	"github.com/gohops/hops/check"
	"github.com/gohops/hops/edge"
)

// Rows that do not fit in one allocation are cut into parts (section 4.3 of Zhang et al.).
// The graphs of other tests fit in theirs: here the limit is so small that there are
// several parts, in each way to search and to build.
func TestRowsCutIntoParts(t *testing.T) {
	openclOrSkip(t)
	const limit = 32 << 10 // bytes: the graph below takes three parts
	src, err := edge.NewKronecker(10, 16, 2, 3)
	if err != nil {
		t.Fatal(err)
	}
	list, err := finished(t, t.Context(), src)
	if err != nil {
		t.Fatal(err)
	}
	for name, o := range map[string]Options{
		"fused":       {},
		"alternating": {Stepped: plans["alternating"], Blocks: 3},
		"top-down":    {Stepped: plans["topDown"], Blocks: 3},
	} {
		o.Driver, o.defines, o.MaxAlloc = "opencl", smallLimits, limit
		for from, input := range map[string]hops.Source{"made on the device": src, "made by the host": list} {
			t.Run(name+" "+from, func(t *testing.T) { searchCut(t, src, input, o) })
		}
	}
}

// searchCut searches a graph built from input, whose rows must have been cut, and checks
// the trees by the edges of src.
func searchCut(t *testing.T, src, input hops.Source, o Options) {
	s, err := Build(t.Context(), input, o)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if g := s.graph; g.parts[1] == g.parts[0] || g.parts[2] == g.parts[0] || g.entries <= int64(2)<<g.shift {
		t.Fatalf("%d entries in parts of %d: the rows are not cut", g.entries, int64(1)<<g.shift)
	}
	checker, tree := check.New(src, 1), hops.NewTree(src.NumVertices())
	for root := hops.Vertex(0); root < src.NumVertices(); root += 101 {
		tree.Reset()
		if _, err := s.Search(t.Context(), root, tree); err != nil {
			t.Fatal(err)
		}
		if _, err := checker.Tree(t.Context(), tree); err != nil {
			t.Errorf("root %d: %v", root, err)
		}
	}
}

// Rows that need more parts than there can be are refused.
func TestRowsOfTooManyParts(t *testing.T) {
	openclOrSkip(t)
	src, err := edge.NewKronecker(10, 16, 2, 3)
	if err != nil {
		t.Fatal(err)
	}
	if s, err := Build(t.Context(), src, Options{Driver: "opencl", MaxAlloc: 4 << 10}); err == nil {
		_ = s.Close()
		t.Error("rows in more parts than there are were accepted")
	}
}
