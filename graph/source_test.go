package graph_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/gohops/hops"
	"github.com/gohops/hops/csr"
	"github.com/gohops/hops/edge"
	"github.com/gohops/hops/graph"
)

func sourceOf(t fataler, g *graph.Graph) *graph.Source {
	t.Helper()
	src, err := g.Source()
	if err != nil {
		t.Fatal(err)
	}
	return src
}

// sameRows builds the graph again from its list and compares the rows. Neighbours are
// ordered by a degree that counts duplicates, which the list has no more.
func sameRows(t fataler, g *graph.Graph) {
	t.Helper()
	src := sourceOf(t, g)
	again := buildGraph(t, src)
	defer again.Close()
	if again.Directed != g.Directed || again.NumVertices() != g.NumVertices() || again.Duplicates+again.Loops != 0 {
		t.Fatalf("built again: directed %t, %d vertices, %d duplicates, %d loops", again.Directed, again.NumVertices(), again.Duplicates, again.Loops)
	}
	for v := range g.NumVertices() {
		for _, rows := range [][2]*graph.Rows{{&g.Out, &again.Out}, {&g.In, &again.In}} {
			if want, got := sorted(rows[0].Row(uint32(v))), sorted(rows[1].Row(uint32(v))); !slices.Equal(got, want) {
				t.Fatalf("vertex %d: row %v, want %v", v, got, want)
			}
		}
	}
}

func sorted(row []uint32) []uint32 { return slices.Sorted(slices.Values(row)) }

func TestSourceOfSmallGraphs(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		src, _ := drawSource(t)
		g := buildGraph(t, src)
		defer g.Close()
		sameRows(t, g)
	})
}

// The list is longer than the index has elements, and comes from a file too.
func TestSourceOfLargeGraphs(t *testing.T) {
	for _, src := range []hops.Source{kronecker(t, 12), hops.Directed(kronecker(t, 12)), line(3000)} {
		g := buildGraph(t, src)
		defer g.Close()
		sameRows(t, g)
		opened, err := graph.ReadGraph(bytes.NewReader(fileOf(t, g)), "graph")
		if err != nil {
			t.Fatal(err)
		}
		defer opened.Close()
		sameRows(t, opened)
	}
}

// Any part of the list is what the whole has there.
func TestSourceIsRandomAccess(t *testing.T) {
	for _, src := range []hops.Source{kronecker(t, 12), hops.Directed(kronecker(t, 12))} {
		g := buildGraph(t, src)
		defer g.Close()
		list := sourceOf(t, g)
		whole := make([]hops.Edge, list.NumEdges())
		if n, err := list.EdgesAt(whole, 0); n != len(whole) || err != nil {
			t.Fatalf("%d of %d edges: %v", n, len(whole), err)
		}
		r := rand.New(rand.NewPCG(1, 2))
		for range 200 {
			off := r.Int64N(list.NumEdges())
			part := make([]hops.Edge, r.IntN(30_000))
			n, err := list.EdgesAt(part, off)
			left := int(list.NumEdges() - off)
			if n != min(len(part), left) || errors.Is(err, io.EOF) != (left < len(part)) || !slices.Equal(part[:n], whole[off:][:n]) {
				t.Fatalf("%d edges at %d of %d: got %d, %v", len(part), off, len(whole), n, err)
			}
		}
		if n, err := list.EdgesAt(make([]hops.Edge, 1), list.NumEdges()); n != 0 || !errors.Is(err, io.EOF) {
			t.Errorf("past the end: %d edges, %v", n, err)
		}
	}
}

// A damaged file has no list.
func TestSourceOfDamagedFile(t *testing.T) {
	g := buildGraph(t, kronecker(t, 8))
	defer g.Close()
	file := fileOf(t, g)
	file[len(file)/2] ^= 1
	damaged, err := graph.ReadGraph(bytes.NewReader(file), "graph")
	if err != nil {
		t.Fatal(err)
	}
	defer damaged.Close()
	if _, err := damaged.Source(); err == nil {
		t.Error("the list of a damaged file")
	}
}

func BenchmarkSource(b *testing.B) {
	g := buildGraph(b, kronecker(b, 17))
	defer g.Close()
	src := sourceOf(b, g)
	for _, size := range []int{1 << 12, 1 << 16} { // as the cpu and the gpu engine read
		b.Run(fmt.Sprint(size), func(b *testing.B) {
			block := make([]hops.Edge, size)
			for b.Loop() {
				for off := int64(0); off < src.NumEdges(); off += int64(size) {
					if n, err := src.EdgesAt(block, off); n == 0 {
						b.Fatal(err)
					}
				}
			}
			b.ReportMetric(b.Elapsed().Seconds()*1e9/float64(b.N)/float64(src.NumEdges()), "ns/edge")
		})
	}
}

// The list with weights has the edges of the list without, each with the weight of its entry,
// from whatever edge on it is read.
func TestWeightedSource(t *testing.T) {
	edges := kronecker(t, 10).(hops.WeightedSource)
	for _, src := range []hops.WeightedSource{edges, edge.WithWeights(hops.Directed(edges), weightsOf(t, edges))} {
		g, err := csr.BuildWeighted(t.Context(), src, 2)
		if err != nil {
			t.Fatal(err)
		}
		list, err := g.WeightedSource()
		if err != nil {
			t.Fatal(err)
		}
		want, got, weights := make([]hops.Edge, g.NumEdges()), make([]hops.Edge, g.NumEdges()), weightsOf(t, list)
		if _, err := list.EdgesAt(want, 0); err != nil {
			t.Fatal(err)
		}
		for off := 0; off < len(got); off += 777 {
			some := got[off:min(off+777, len(got))]
			again := make([]float32, len(some))
			if n, err := list.TuplesAt(some, again, int64(off)); n < len(some) || !slices.Equal(again, weights[off:off+n]) {
				t.Fatalf("%d edges from %d on, or other weights: %v", n, off, err)
			}
		}
		if !slices.Equal(got, want) {
			t.Fatal("other edges than without weights")
		}
		for i, e := range want {
			row, of, _ := g.OutEdges(e.U)
			if at := slices.Index(row, uint32(e.V)); of[at] != weights[i] {
				t.Fatalf("edge %v has weight %v, its entry %v", e, weights[i], of[at])
			}
		}
	}
	if _, err := buildGraph(t, edge.List(nil, 2)).WeightedSource(); err == nil {
		t.Error("a graph without weights has a list of them")
	}
}

func weightsOf(t *testing.T, src hops.WeightedSource) []float32 {
	t.Helper()
	weights := make([]float32, src.NumEdges())
	if _, err := src.WeightsAt(weights, 0); err != nil {
		t.Fatal(err)
	}
	return weights
}
