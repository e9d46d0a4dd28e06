package cpu

import (
	"context"
	"io"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/gohops/hops"
	"github.com/gohops/hops/edge"
)

// BenchmarkSearch measures single searches from 64 roots on the kinds of graph
// that results are given for, and on one like the web. hops bench measures other sizes, in turn with other
// engines. Trees are emptied outside the clock, as in the benchmark. GTEPS are unique
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
	for _, graph := range []struct {
		name string
		src  hops.Source
	}{
		{"kronecker", kronecker},
		{"uniform", uniform},
		{"grid", grid},
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

// withChains returns a graph like those of web crawls: the edges of src with chains of
// up to 400 further vertices, which hang on vertices drawn at random. Its labels are
// permuted.
func withChains(tb testing.TB, src hops.Source, chains int) hops.Source {
	tb.Helper()
	random := rand.New(rand.NewPCG(1, 2))
	edges := make([]hops.Edge, src.NumEdges())
	if _, err := src.EdgesAt(edges, 0); err != nil && err != io.EOF {
		tb.Fatal(err)
	}
	n := src.NumVertices()
	for range chains {
		at := random.Uint64N(uint64(src.NumVertices()))
		for range 1 + random.IntN(400) {
			edges = append(edges, hops.Edge{U: hops.Vertex(at), V: n})
			at, n = uint64(n), n+1
		}
	}
	labels := random.Perm(int(n))
	for i, e := range edges {
		edges[i] = hops.Edge{U: hops.Vertex(labels[e.U]), V: hops.Vertex(labels[e.V])}
	}
	return edge.List(edges, n)
}
