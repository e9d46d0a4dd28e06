package many

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/gohops/hops"
	"github.com/gohops/hops/engine/cpu"
)

// BenchmarkSearch compares 64 searches one by one with 64 at once on a Kronecker
// graph of scale 20, in turn. Trees are emptied outside the clock, as the benchmark
// has it; the clearing and translating of a search from many roots is inside.
func BenchmarkSearch(b *testing.B) {
	g := kroneckerGraph(b, 20)
	one, err := cpu.New(g, cpu.Options{})
	if err != nil {
		b.Fatal(err)
	}
	defer one.Close()
	start := time.Now()
	s, err := New(g, Options{})
	if err != nil {
		b.Fatal(err)
	}
	defer s.Close()
	created := time.Since(start)
	r := rand.New(rand.NewPCG(1, 2))
	roots := make([]hops.Vertex, 0, hops.MaxRoots)
	for len(roots) < hops.MaxRoots {
		if v := hops.Vertex(r.Uint64N(uint64(g.NumVertices()))); g.Degree(v) > 0 {
			roots = append(roots, v)
		}
	}
	tree, d, levels := hops.NewTree(g.NumVertices()), hops.NewDepths(g.NumVertices()), []int32(nil)
	single := func(alsoLevels bool) (sum time.Duration) {
		for _, root := range roots {
			tree.Reset()
			start := time.Now()
			if _, err := one.Search(b.Context(), root, tree); err != nil {
				b.Fatal(err)
			}
			if alsoLevels {
				levels = tree.Levels(levels)
			}
			sum += time.Since(start)
		}
		return sum
	}
	together := func(alsoLevels bool) time.Duration {
		start := time.Now()
		if _, err := s.Search(b.Context(), roots, d); err != nil {
			b.Fatal(err)
		}
		for i := 0; alsoLevels && i < len(roots); i++ {
			levels = d.Levels(i, levels)
		}
		return time.Since(start)
	}
	for name, alsoLevels := range map[string]bool{"trees": false, "levels": true} {
		b.Run(name, func(b *testing.B) {
			var apart, once time.Duration
			for b.Loop() {
				apart += single(alsoLevels)
				once += together(alsoLevels)
			}
			b.ReportMetric(apart.Seconds()*1e3/float64(b.N), "single-ms")
			b.ReportMetric(once.Seconds()*1e3/float64(b.N), "many-ms")
			b.ReportMetric(created.Seconds()*1e3, "new-ms")
			b.ReportMetric(apart.Seconds()/once.Seconds(), "ratio")
		})
	}
}
