package gpu

import (
	"flag"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/gohops/hops"
	"github.com/gohops/hops/check"
	"github.com/gohops/hops/edge"
)

var directedScale = flag.Int("directed.scale", 10, "of the Kronecker graph of BenchmarkDirected")

// BenchmarkDirected searches a directed Kronecker graph and has the first trees checked on
// the host. The rate is that of the edges that a search leads to, over the device's time.
func BenchmarkDirected(b *testing.B) {
	list, err := edge.NewKronecker(*directedScale, 16, 2, 3)
	if err != nil {
		b.Fatal(err)
	}
	src := hops.Directed(list)
	began := time.Now()
	s, err := Build(b.Context(), src, Options{})
	if err != nil {
		b.Skip(err)
	}
	defer s.Close()
	b.Logf("built in %v", time.Since(began))
	r := rand.New(rand.NewPCG(1, 1))
	checker, tree, some := check.New(src, 0), hops.NewTree(src.NumVertices()), make([]hops.Edge, 1)
	searched, checked, inverse := 0, 0, 0.0
	for b.Loop() {
		if _, err := src.EdgesAt(some, r.Int64N(src.NumEdges())); err != nil {
			b.Fatal(err)
		}
		trace, err := s.Search(b.Context(), some[0].U, tree)
		if err != nil {
			b.Fatal(err)
		}
		if checked == 4 {
			continue
		}
		b.StopTimer()
		found, err := checker.Tree(b.Context(), tree)
		if err != nil {
			b.Fatal(err)
		}
		checked++
		if took := trace.Time(); found.Edges > src.NumEdges()/2 {
			inverse += took.Seconds() / float64(found.Edges)
			searched++
			b.Logf("root %d: %d levels, %d vertices, %d edges, %v on the device", some[0].U, len(trace.Levels), trace.Found(), found.Edges, took)
		}
		b.StartTimer()
	}
	if searched > 0 {
		b.ReportMetric(float64(searched)/inverse/1e9, "GTEPS")
	}
}
