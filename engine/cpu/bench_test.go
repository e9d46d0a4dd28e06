package cpu

import (
	"context"
	"os"
	"strconv"
	"testing"
	"time"

	"github.com/gohops/hops"
	"github.com/gohops/hops/edge"
)

// BenchmarkSearch measures single searches from 64 roots on the three kinds of graph
// that results are given for. Kronecker and uniform graphs have scale HOPS_SCALE, or
// 18, and edge factor 16; trees are emptied outside the clock, as the benchmark's rules
// have it. GTEPS are unique edges by the mean time of a search.
func BenchmarkSearch(b *testing.B) {
	scale := benchScale(b)
	kronecker, err := edge.NewKronecker(scale, 16, 2, 3)
	if err != nil {
		b.Fatal(err)
	}
	uniform, err := edge.NewUniform(1<<scale, 32, 1)
	if err != nil {
		b.Fatal(err)
	}
	for _, graph := range []struct {
		name string
		src  hops.Source
	}{
		{"kronecker", kronecker},
		{"uniform", uniform},
		{"grid", grid(1000)},
	} {
		b.Run(graph.name, func(b *testing.B) { benchmarkSearch(b, graph.src) })
	}
}

// benchScale is what graphs of benchmarks have, unless the environment wants another.
func benchScale(b *testing.B) int {
	text, ok := os.LookupEnv("HOPS_SCALE")
	if !ok {
		return 18
	}
	scale, err := strconv.Atoi(text)
	if err != nil {
		b.Fatalf("HOPS_SCALE: %v", err)
	}
	return scale
}

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

// grid is a square one, of some 1.5 side levels from a vertex.
func grid(side hops.Vertex) hops.Source {
	var edges []hops.Edge
	for v := range side * side {
		if v%side+1 < side {
			edges = append(edges, hops.Edge{U: v, V: v + 1})
		}
		if v+side < side*side {
			edges = append(edges, hops.Edge{U: v, V: v + side})
		}
	}
	return edge.List(edges, side*side)
}
