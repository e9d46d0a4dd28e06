package cpu

import (
	"context"
	"testing"
	"time"

	"github.com/gohops/hops"
	"github.com/gohops/hops/edge"
)

// BenchmarkSearch measures single searches from 64 roots on the kinds of graph
// that results are given for. make graphs measures the sizes of the results, in turn with
// other programs. Trees are emptied outside the clock, as in the benchmark. GTEPS are unique
// edges by the mean time of a search.
func BenchmarkSearch(b *testing.B) {
	kronecker, err := edge.NewKronecker(benchScale, 16, 2, 3)
	if err != nil {
		b.Fatal(err)
	}
	uniform, err := edge.NewUniform(1<<benchScale, 32, 1)
	if err != nil {
		b.Fatal(err)
	}
	grid, err := edge.NewGrid(1000, 1000)
	if err != nil {
		b.Fatal(err)
	}
	roads, err := edge.NewThinned(grid, .3, 1)
	if err != nil {
		b.Fatal(err)
	}
	for _, graph := range []struct {
		name string
		src  hops.Source
	}{
		{"kronecker", kronecker},
		{"uniform", uniform},
		{"grid", grid},
		{"permuted", edge.NewPermuted(grid, 1)},
		{"roads", roads},
		{"chains", withChains(b, kronecker, 20_000)},
	} {
		b.Run(graph.name, func(b *testing.B) { benchmarkSearch(b, graph.src) })
	}
}

// benchScale is the scale of the generated graphs of benchmarks: 8 M row entries,
// which do not fit in the caches of small hosts.
const benchScale = 18

func benchmarkSearch(b *testing.B, src hops.Source) {
	s, err := Build(context.Background(), src, Options{})
	if err != nil {
		b.Fatal(err)
	}
	defer s.Close()
	var roots []hops.Vertex
	for v := hops.Vertex(0); len(roots) < 64; v = (v*6364136223846793005 + 1442695040888963407) % src.NumVertices() {
		if s.graph.Out.Degree(uint32(v)) > 0 {
			roots = append(roots, v)
		}
	}
	tree := hops.NewTree(src.NumVertices())
	var sum time.Duration
	searches := 0
	for b.Loop() {
		tree.Reset()
		start := time.Now()
		if _, err := s.Search(context.Background(), roots[searches%len(roots)], tree); err != nil {
			b.Fatal(err)
		}
		sum += time.Since(start)
		searches++
	}
	b.ReportMetric(float64(s.graph.NumEntries()/2)*float64(searches)/float64(sum.Nanoseconds()), "GTEPS")
}

// withChains returns a graph like those of web crawls: src with chains of up to 400 further
// vertices, which hang on vertices drawn at random. Its labels are permuted.
func withChains(tb testing.TB, src hops.Source, chains int) hops.Source {
	tb.Helper()
	hung, err := edge.NewChained(src, chains, 400, 1)
	if err != nil {
		tb.Fatal(err)
	}
	return edge.NewPermuted(hung, 1)
}
