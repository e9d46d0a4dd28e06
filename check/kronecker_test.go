package check

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"github.com/gohops/hops"
)

// The benchmark's graphs with its usual seeds. Counts and level histograms are
// of independent implementations, the counts with loops also published.
var kroneckers = []struct {
	scale    int
	isolated int64
	result   Result // without levels
	roots    []hops.Vertex
	levels   [][]int64 // from these roots, where known
}{
	{10, 125, Result{897, 16_239, 16_383 - 16_239, nil}, []hops.Vertex{458, 214}, [][]int64{
		{1, 8, 500, 380, 8}, {1, 1, 463, 427, 5},
	}},
	{12, 743, Result{3_351, 65_327, 65_535 - 65_327, nil}, []hops.Vertex{1834, 858}, [][]int64{
		{1, 33, 1940, 1361, 16}, {1, 47, 2318, 975, 10},
	}},
	{16, 18_721, Result{46_803, 1_048_079, 1_048_570 - 1_048_079, nil}, []hops.Vertex{29348, 8064}, [][]int64{
		{1, 27, 8336, 36624, 1805, 10}, {1, 25, 6931, 37625, 2209, 12},
	}},
	{18, 88_452, Result{173_585, 4_193_472, 4_194_250 - 4_193_472, nil}, nil, nil},
}

func TestKroneckerGraphs(t *testing.T) {
	for _, k := range kroneckers {
		if testing.Short() && k.scale > 16 {
			continue
		}
		src := kronecker(t, k.scale)
		edges := tuplesOf(t, src)
		n := src.NumVertices()
		linked, err := HasEdge(context.Background(), src, 2)
		if err != nil {
			t.Fatal(err)
		}
		isolated := int64(0)
		for v := range n {
			if !linked(v) {
				isolated++
			}
		}
		if isolated != k.isolated {
			t.Errorf("scale %d: %d of %d vertices have no edge, want %d", k.scale, isolated, n, k.isolated)
		}
		if k.roots == nil {
			k.roots = []hops.Vertex{edges[0].U}
		}
		rows := neighbours(n, edges)
		c := newChecker(t, src, 2)
		for i, root := range k.roots {
			got, err := c.Tree(context.Background(), search(rows, root))
			if err != nil {
				t.Errorf("scale %d, root %d: %v", k.scale, root, err)
			}
			if got.Vertices != k.result.Vertices || got.Edges != k.result.Edges || got.Loops != k.result.Loops {
				t.Errorf("scale %d, root %d: got %+v, want %+v", k.scale, root, got, k.result)
			}
			if k.levels != nil && !slices.Equal(got.Levels, k.levels[i]) {
				t.Errorf("scale %d, root %d: levels %v, want %v", k.scale, root, got.Levels, k.levels[i])
			}
		}
	}
}

func BenchmarkTree(b *testing.B) {
	src := packed(b, kronecker(b, 20), 0)
	edges := tuplesOf(b, src)
	tree := search(neighbours(src.NumVertices(), edges), edges[0].U)
	c := newChecker(b, src, 0)
	for b.Loop() {
		if _, err := c.Tree(context.Background(), tree); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(src.NumEdges())*float64(b.N)/b.Elapsed().Seconds()/1e6, "Mtuples/s")
}

func BenchmarkHasEdge(b *testing.B) {
	src := packed(b, kronecker(b, 20), 0)
	for b.Loop() {
		if _, err := HasEdge(context.Background(), src, 0); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(src.NumEdges())*float64(b.N)/b.Elapsed().Seconds()/1e6, "Mtuples/s")
}

// Two workers in all, to be compared with BenchmarkTree: a rank of two threads, two ranks on one
// host, and two on a host each.
func BenchmarkParts(b *testing.B) {
	src := packed(b, kronecker(b, 20), 0)
	edges := tuplesOf(b, src)
	tree := search(neighbours(src.NumVertices(), edges), edges[0].U)
	for _, shape := range []struct{ hosts, ranks, threads int }{{1, 1, 2}, {1, 2, 1}, {2, 2, 1}} {
		b.Run(fmt.Sprintf("hosts=%d/ranks=%d", shape.hosts, shape.ranks), func(b *testing.B) {
			threads := func(int) int { return shape.threads }
			for r, err := range onHosts(b, shape.hosts, threads, src, partsOf(tree, shape.ranks, 3), batchTuples, func(c *PartChecker, part *hops.Tree) (err error) {
				for i := 0; i < b.N && err == nil; i++ {
					err = partTree(c, part)
				}
				return err
			}) {
				if err != nil {
					b.Fatalf("rank %d: %v", r, err)
				}
			}
			b.ReportMetric(float64(src.NumEdges())*float64(b.N)/b.Elapsed().Seconds()/1e6, "Mtuples/s")
		})
	}
}
