package cpu

import (
	"context"
	"fmt"
	"math/bits"
	"slices"
	"testing"

	"github.com/gohops/hops"
	"github.com/gohops/hops/edge"
	"github.com/gohops/hops/graph"
	"github.com/gohops/hops/internal/base/bitset"
	"github.com/gohops/hops/level"
)

// Cui et al. look a neighbour up in a summary of the frontier first, with one bit for
// 64 to 1,024 vertices, and in the frontier only where that is set. BenchmarkSummary
// says what that is worth here: it repeats the bottom-up levels of real searches with
// and without, and counts how many looks are saved, one by one and for vectors of 16
// vertices, which save one only if all of their bits are clear.

// A moment is the state of a search before a bottom-up level.
type moment struct{ visited, front bitset.Set }

// A witness is a policy that keeps the moments before bottom-up levels.
type witness struct {
	level.Policy
	m   *machine
	all []moment
}

func (w *witness) Next(f level.Front, steps []level.Step) level.Step {
	s := w.Policy.Next(f, steps)
	if s.Direction == level.BottomUp {
		w.m.needFront()
		w.all = append(w.all, moment{slices.Clone(w.m.visited), slices.Clone(w.m.front)})
	}
	return s
}

// bottomUpMoments collects those of four searches.
func bottomUpMoments(b *testing.B, s *Searcher) []moment {
	w := witness{Policy: s.policy, m: s.m}
	for i := range hops.Vertex(4) {
		root := i * s.graph.NumVertices() / 4
		for s.graph.Out.Degree(uint32(root)) == 0 {
			root++
		}
		s.m.parents = hops.NewTree(s.graph.NumVertices()).Narrow
		if err := level.Search(context.Background(), s.m, &w, root, &hops.Trace{}); err != nil {
			b.Fatal(err)
		}
	}
	return w.all
}

func BenchmarkSummary(b *testing.B) {
	src, err := edge.NewKronecker(benchScale, 16, 2, 3)
	if err != nil {
		b.Fatal(err)
	}
	s, err := Build(context.Background(), src, Options{})
	if err != nil {
		b.Fatal(err)
	}
	defer s.Close()
	moments := bottomUpMoments(b, s)
	b.Run("none", func(b *testing.B) { benchmarkSummary(b, s.graph, moments, 0) })
	for shift := 6; shift <= 10; shift++ {
		b.Run(fmt.Sprint(1<<shift), func(b *testing.B) { benchmarkSummary(b, s.graph, moments, shift) })
	}
}

// benchmarkSummary repeats the levels, with a summary of 1<<shift vertices a bit or,
// where shift is 0, without one.
func benchmarkSummary(b *testing.B, g *graph.Graph, moments []moment, shift int) {
	var c looks
	for b.Loop() {
		c = looks{}
		for _, at := range moments {
			if shift == 0 {
				c.plain(g, at)
			} else {
				c.summarized(g, at, summarize(at.front, shift), uint(shift))
			}
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(c.all), "ns/look")
	if shift > 0 {
		for _, at := range moments {
			c.vectors(g, at, summarize(at.front, shift), uint(shift))
		}
		b.ReportMetric(100*float64(c.saved)/float64(c.all), "%saved")
		b.ReportMetric(100*float64(c.groupsSaved)/float64(c.groups), "%vectors-saved")
	}
}

// looks counts looks into the frontier.
type looks struct{ all, saved, found, groups, groupsSaved int64 }

func summarize(front bitset.Set, shift int) bitset.Set {
	summary := bitset.New(int64(len(front))<<6>>shift + 1)
	for w, word := range front {
		if word != 0 {
			summary.Add(uint64(w) << 6 >> shift)
		}
	}
	return summary
}

func (c *looks) plain(g *graph.Graph, at moment) {
	for w, visited := range at.visited {
		for open := ^visited; open != 0; open &= open - 1 {
			for _, u := range g.In.Row(uint32(w<<6 + bits.TrailingZeros64(open))) {
				c.all++
				if at.front.Has(uint64(u)) {
					c.found++
					break
				}
			}
		}
	}
}

func (c *looks) summarized(g *graph.Graph, at moment, summary bitset.Set, shift uint) {
	for w, visited := range at.visited {
		for open := ^visited; open != 0; open &= open - 1 {
			for _, u := range g.In.Row(uint32(w<<6 + bits.TrailingZeros64(open))) {
				c.all++
				if !summary.Has(uint64(u >> shift)) {
					c.saved++
				} else if at.front.Has(uint64(u)) {
					c.found++
					break
				}
			}
		}
	}
}

// vectors counts the heads of open vertices, 16 at a time.
func (c *looks) vectors(g *graph.Graph, at moment, summary bitset.Set, shift uint) {
	for v := 0; v+16 <= 64*len(at.visited); v += 16 {
		open := uint16(^at.visited[v>>6] >> (v & 63))
		if open == 0 {
			continue
		}
		c.groups++
		needed := false
		for ; open != 0; open &= open - 1 {
			needed = needed || summary.Has(uint64(g.Parents.Head[v+bits.TrailingZeros16(open)]>>shift))
		}
		if !needed {
			c.groupsSaved++
		}
	}
}

// TestSummaryHidesNothing holds the two loops of the benchmark against each other.
func TestSummaryHidesNothing(t *testing.T) {
	src, err := edge.NewKronecker(10, 16, 2, 3)
	if err != nil {
		t.Fatal(err)
	}
	s, err := Build(context.Background(), src, Options{Threads: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	at := moment{visited: slices.Clone(s.graph.Isolated), front: bitset.New(1 << 10)}
	for v := uint64(0); v < 1<<10; v += 37 {
		at.front.Add(v)
	}
	var plain looks
	plain.plain(s.graph, at)
	for shift := 6; shift <= 10; shift++ {
		var c looks
		c.summarized(s.graph, at, summarize(at.front, shift), uint(shift))
		if c.found != plain.found || c.all != plain.all {
			t.Errorf("%d vertices a bit: %+v, without %+v", 1<<shift, c, plain)
		}
	}
}
