package bench

import (
	"context"
	"flag"
	"fmt"
	"runtime"
	"slices"
	"syscall"
	"testing"
	"time"

	dominikbraun "github.com/dominikbraun/graph"
	"gonum.org/v1/gonum/graph"
	"gonum.org/v1/gonum/graph/simple"
	"gonum.org/v1/gonum/graph/traverse"

	"github.com/gohops/hops"
	"github.com/gohops/hops/csr"
	"github.com/gohops/hops/edge"
	"github.com/gohops/hops/engine/cpu"
	hopsgraph "github.com/gohops/hops/graph"
)

var scaleFlag = flag.Int("scale", 18, "of the graph")

// The comparison: one Kronecker graph of the benchmark, of -scale, in the
// structure that each library makes of it, freed of loops and duplicates. All
// search from the same root, one after the other, root by root, and must reach
// the same number of vertices. A search is a callback per vertex with the
// libraries and a tree of parents with hops. Times are of single searches; those
// of hops, which are short, are the median of many. A peer's search takes seconds
// of one core, during which a machine may have other things to do: its time is the
// CPU time of the process if that is less.

// A library searches from a root and says how many vertices it has reached.
type library struct {
	name   string
	search func(root int) (reached int)
	bytes  int64
}

const hopsRepeats = 51

func BenchmarkLibraries(b *testing.B) {
	g := buildGraph(b)
	defer g.Close()
	b.Run("gonum", func(b *testing.B) { compare(b, g, withGonum(g)) })
	b.Run("dominikbraun", func(b *testing.B) { compare(b, g, withDominikbraun(b, g)) })
}

// compare lets hops and a peer take turns.
func compare(b *testing.B, g *hopsgraph.Graph, peer library) {
	ours := withHops(b, g)
	var times, peerTimes, ratios []float64
	roots := pickRoots(g)
	for i := 0; b.Loop(); i++ {
		seconds, reached := timed(ours, roots[i%len(roots)])
		peerSeconds, peerReached := timed(peer, roots[i%len(roots)])
		if reached != peerReached {
			b.Fatalf("%s reaches %d vertices, hops %d", peer.name, peerReached, reached)
		}
		times, peerTimes = append(times, seconds), append(peerTimes, peerSeconds)
		ratios = append(ratios, peerSeconds/seconds)
	}
	b.ReportMetric(0, "ns/op") // the sum of both says nothing
	edges := float64(g.NumEdges())
	b.ReportMetric(edges/median(times)/1e9, "GTEPS-hops")
	b.ReportMetric(edges/median(peerTimes)/1e9, "GTEPS")
	b.ReportMetric(float64(ours.bytes)/edges, "B/edge-hops")
	b.ReportMetric(float64(peer.bytes)/edges, "B/edge")
	b.ReportMetric(median(ratios), "times")
	b.Logf("%s: %.0f times the time of hops in the median of %d roots, from %.0f to %.0f",
		peer.name, median(ratios), len(ratios), slices.Min(ratios), slices.Max(ratios))
}

func median(x []float64) float64 { return slices.Sorted(slices.Values(x))[len(x)/2] }

// timed returns the time of a search, and for short ones the median of many.
func timed(lib library, root int) (seconds float64, reached int) {
	repeats := 1
	if lib.name == "hops" {
		repeats = hopsRepeats
	}
	times := make([]float64, repeats)
	for i := range times {
		start, before := time.Now(), cpuTime()
		reached = lib.search(root)
		times[i] = time.Since(start).Seconds()
		if lib.name != "hops" {
			times[i] = min(times[i], (cpuTime() - before).Seconds())
		}
	}
	slices.Sort(times)
	return times[repeats/2], reached
}

// cpuTime is what the process has used.
func cpuTime() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 1 << 62
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

func buildGraph(b *testing.B) *hopsgraph.Graph {
	src, err := edge.NewKronecker(*scaleFlag, 16, 2, 3)
	if err != nil {
		b.Fatal(err)
	}
	g, err := csr.Build(context.Background(), src, 0)
	if err != nil {
		b.Fatal(err)
	}
	return g
}

// pickRoots are vertices of the largest component.
func pickRoots(g *hopsgraph.Graph) (roots []int) {
	for v := range g.NumVertices() {
		if g.Degree(v) > 8 && len(roots) < 16 {
			roots = append(roots, int(v))
		}
	}
	return roots
}

// edgesOf calls add for every edge, once.
func edgesOf(g *hopsgraph.Graph, add func(u, v int)) {
	for u := range g.NumVertices() {
		for v := range g.Neighbors(u) {
			if u < v {
				add(int(u), int(v))
			}
		}
	}
}

// heap is the memory in use after a collection.
func heap() int64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

func withHops(b *testing.B, g *hopsgraph.Graph) library {
	s, err := cpu.New(g, cpu.Options{})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = s.Close() })
	tree := hops.NewTree(g.NumVertices())
	bytes, _ := s.Memory()
	return library{name: "hops", bytes: bytes + 4*int64(tree.Len()), search: func(root int) int {
		tree.Reset()
		trace, err := s.Search(context.Background(), hops.Vertex(root), tree)
		if err != nil {
			b.Fatal(err)
		}
		return int(trace.Found()) + 1
	}}
}

func withGonum(g *hopsgraph.Graph) library {
	before := heap()
	other := simple.NewUndirectedGraph()
	edgesOf(g, func(u, v int) { other.SetEdge(simple.Edge{F: simple.Node(u), T: simple.Node(v)}) })
	return library{name: "gonum", bytes: heap() - before, search: func(root int) (reached int) {
		var bfs traverse.BreadthFirst
		bfs.Walk(other, simple.Node(root), func(graph.Node, int) bool { reached++; return false })
		return reached
	}}
}

func withDominikbraun(b *testing.B, g *hopsgraph.Graph) library {
	before := heap()
	other := dominikbraun.New(dominikbraun.IntHash)
	for v := range g.NumVertices() {
		if g.Degree(v) > 0 {
			if err := other.AddVertex(int(v)); err != nil {
				b.Fatal(err)
			}
		}
	}
	edgesOf(g, func(u, v int) {
		if err := other.AddEdge(u, v); err != nil {
			b.Fatal(fmt.Errorf("%d, %d: %w", u, v, err))
		}
	})
	return library{name: "dominikbraun", bytes: heap() - before, search: func(root int) (reached int) {
		if err := dominikbraun.BFS(other, root, func(int) bool { reached++; return false }); err != nil {
			b.Fatal(err)
		}
		return reached
	}}
}
