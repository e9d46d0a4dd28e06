package csr

import (
	"cmp"
	"context"
	"errors"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/gohops/hops"
	"github.com/gohops/hops/graph"
	"github.com/gohops/hops/internal/base/bitset"
)

// list is the simplest Source.
type list struct {
	n     hops.Vertex
	edges []hops.Edge
}

func (l list) NumVertices() hops.Vertex { return l.n }
func (l list) NumEdges() int64          { return int64(len(l.edges)) }
func (l list) EdgesAt(dst []hops.Edge, off int64) (int, error) {
	n := copy(dst, l.edges[off:])
	if n < len(dst) {
		return n, io.EOF
	}
	return n, nil
}

func build(t testing.TB, src hops.Source, workers int) *graph.Graph {
	t.Helper()
	g, err := Build(context.Background(), src, workers)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = g.Close() })
	return g
}

// rows is the construction of an undirected graph in the plainest way.
func rows(l list) [][]uint32 {
	double := list{n: l.n}
	for _, e := range l.edges {
		double.edges = append(double.edges, e, hops.Edge{U: e.V, V: e.U})
	}
	return outRows(double)
}

// reversed is the list with all edges turned round.
func reversed(l list) list {
	back := list{n: l.n}
	for _, e := range l.edges {
		back.edges = append(back.edges, hops.Edge{U: e.V, V: e.U})
	}
	return back
}

// outRows is the construction of a directed graph in the plainest way: sets of
// neighbours, sorted by falling count of entries at both ends (duplicates
// included), then by label.
func outRows(l list) [][]uint32 {
	counts := make([]int, l.n)
	sets := make([]map[uint32]bool, l.n)
	for v := range sets {
		sets[v] = map[uint32]bool{}
	}
	for _, e := range l.edges {
		if e.U != e.V {
			counts[e.U]++
			counts[e.V]++
			sets[e.U][uint32(e.V)] = true
		}
	}
	out := make([][]uint32, l.n)
	for v, set := range sets {
		for u := range set {
			out[v] = append(out[v], u)
		}
		slices.SortFunc(out[v], func(a, b uint32) int {
			return cmp.Or(cmp.Compare(counts[b], counts[a]), cmp.Compare(a, b))
		})
	}
	return out
}

// checkAgainstRows wants these rows, as In of g, and all that goes with them.
func checkAgainstRows(t interface{ Fatalf(string, ...any) }, g *graph.Graph, want [][]uint32) {
	entries := 0
	for v, row := range want {
		entries += len(row)
		if !slices.Equal(g.In.Row(uint32(v)), row) {
			t.Fatalf("row of %d is %v, want %v", v, g.In.Row(uint32(v)), row)
		}
		head := uint32(v)
		if len(row) > 0 {
			head = row[0]
		}
		hubs := 0
		for hubs < len(row) && bitset.Set(g.Parents.Hub).Has(uint64(row[hubs])) {
			hubs++
		}
		if int(g.Parents.HubPrefix[v]) != min(hubs, 255) || slices.ContainsFunc(row[hubs:], func(u uint32) bool { return bitset.Set(g.Parents.Hub).Has(uint64(u)) }) {
			t.Fatalf("vertex %d: %d hubs neighbours in front, want %d", v, g.Parents.HubPrefix[v], hubs)
		}
		isolated, tail := bitset.Set(g.Isolated).Has(uint64(v)), bitset.Set(g.Parents.More).Has(uint64(v))
		if g.Parents.Head[v] != head || isolated != (len(row) == 0) || tail != (len(row) > 1) {
			t.Fatalf("vertex %d: head %d, isolated %t, tail %t; its row is %v", v, g.Parents.Head[v], isolated, tail, row)
		}
	}
	if g.NumEntries() != int64(entries) {
		t.Fatalf("%d entries, want %d", g.NumEntries(), entries)
	}
}

// checkDirected wants the rows of a directed list in both directions.
func checkDirected(t interface{ Fatalf(string, ...any) }, g *graph.Graph, l list) {
	if !g.Directed {
		t.Fatalf("the graph is not directed")
	}
	checkAgainstRows(t, g, outRows(reversed(l)))
	for v, row := range outRows(l) {
		if !slices.Equal(g.Out.Row(uint32(v)), row) {
			t.Fatalf("row out of %d is %v, want %v", v, g.Out.Row(uint32(v)), row)
		}
	}
}

// someList draws a list of edges.
func someList(t *rapid.T) list {
	n := rapid.IntRange(1, 150).Draw(t, "n")
	vertex := rapid.Uint64Range(0, uint64(n-1))
	l := list{n: hops.Vertex(n)}
	for range rapid.IntRange(0, 400).Draw(t, "m") {
		l.edges = append(l.edges, hops.Edge{U: hops.Vertex(vertex.Draw(t, "u")), V: hops.Vertex(vertex.Draw(t, "v"))})
	}
	return l
}

func TestDirectedMatchesThePlainConstruction(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := someList(t)
		g, err := Build(context.Background(), hops.Directed(l), rapid.IntRange(1, 4).Draw(t, "workers"))
		if err != nil {
			t.Fatalf("%v", err)
		}
		defer g.Close()
		checkDirected(t, g, l)
	})
}

func TestBuildMatchesThePlainConstruction(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := someList(t)
		g, err := Build(context.Background(), l, rapid.IntRange(1, 4).Draw(t, "workers"))
		if err != nil {
			t.Fatalf("%v", err)
		}
		defer g.Close()
		checkAgainstRows(t, g, rows(l))
	})
}

// Plain rows are in the order of labels, without hubs, and otherwise as others.
func TestPlainRows(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := someList(t)
		g, err := BuildPlain(context.Background(), l, rapid.IntRange(1, 4).Draw(t, "workers"))
		if err != nil {
			t.Fatalf("%v", err)
		}
		defer g.Close()
		want := rows(l)
		for _, row := range want {
			slices.Sort(row)
		}
		checkAgainstRows(t, g, want)
		if hubs := bitset.Set(g.Parents.Hub).Count(); hubs > 0 {
			t.Fatalf("%d hubs", hubs)
		}
	})
}

// skewed has short and long rows, and many duplicates.
func skewed(n, m int) list {
	r := rand.New(rand.NewPCG(1, 2))
	l := list{n: hops.Vertex(n)}
	for range m {
		u := hops.Vertex(float64(n) * r.Float64() * r.Float64() * r.Float64() * r.Float64())
		l.edges = append(l.edges, hops.Edge{U: u, V: hops.Vertex(r.IntN(n))})
	}
	return l
}

func TestLongRowsAndManyWorkers(t *testing.T) {
	l := skewed(5000, 60_000)
	want := rows(l)
	for _, workers := range []int{1, 2, 5} {
		checkAgainstRows(t, build(t, l, workers), want)
	}
	checkDirected(t, build(t, hops.Directed(l), 2), l)
}

// Vertices with many entries are in the order of degree and label too.
func TestOrderOfHighDegrees(t *testing.T) {
	const n = 1000
	l := list{n: n}
	for v, degree := range map[hops.Vertex]int{1: 4095, 500: 4096, 7: 4096, 990: 4097, 300: 6000, 20: 6000, 21: 5} {
		for i := range degree {
			l.edges = append(l.edges, hops.Edge{U: v, V: hops.Vertex(i % 60 * 10)})
		}
	}
	for _, workers := range []int{1, 3} {
		checkAgainstRows(t, build(t, l, workers), rows(l))
	}
}

func TestBucketsTooLargeToSort(t *testing.T) {
	defer func(n int) { sortedUpTo = n }(sortedUpTo)
	l := skewed(500, 6000)
	for _, sortedUpTo = range []int{0, 100, 11_000} {
		checkAgainstRows(t, build(t, l, 2), rows(l))
		checkDirected(t, build(t, hops.Directed(l), 2), l)
	}
}

func TestCountsAddUp(t *testing.T) {
	l := list{n: 4, edges: []hops.Edge{{U: 0, V: 1}, {U: 1, V: 0}, {U: 2, V: 2}, {U: 0, V: 1}, {U: 0, V: 2}}}
	g := build(t, l, 2)
	if g.Tuples != 5 || g.Loops != 1 || g.Duplicates != 2 || g.NumEntries() != 4 || g.NumConnected() != 3 {
		t.Fatalf("tuples %d, loops %d, duplicates %d, entries %d, connected %d; want 5, 1, 2, 4, 3",
			g.Tuples, g.Loops, g.Duplicates, g.NumEntries(), g.NumConnected())
	}
}

func TestDirectedCountsAddUp(t *testing.T) {
	l := list{n: 4, edges: []hops.Edge{{U: 0, V: 1}, {U: 1, V: 0}, {U: 2, V: 2}, {U: 0, V: 1}, {U: 0, V: 2}}}
	g := build(t, hops.Directed(l), 2)
	if g.Tuples != 5 || g.Loops != 1 || g.Duplicates != 1 || g.NumEntries() != 3 || g.NumConnected() != 3 {
		t.Fatalf("tuples %d, loops %d, duplicates %d, entries %d, connected %d; want 5, 1, 1, 3, 3",
			g.Tuples, g.Loops, g.Duplicates, g.NumEntries(), g.NumConnected())
	}
}

func TestEmptyGraphs(t *testing.T) {
	for _, n := range []hops.Vertex{0, 1, 64, 65} {
		g := build(t, list{n: n}, 2)
		if g.NumConnected() != 0 || g.NumVertices() != n {
			t.Errorf("%d vertices without edges: %d connected of %d", n, g.NumConnected(), g.NumVertices())
		}
	}
}

func TestPeakMemory(t *testing.T) {
	g := build(t, skewed(1<<18, 1<<22), 2)
	finished, peak := g.Memory()
	if ratio := float64(peak) / float64(finished); ratio > 1.5 {
		t.Errorf("peak %d is %.2f times the finished %d bytes", peak, ratio, finished)
	}
	if need := Need(1<<18, 1<<22); peak > need {
		t.Errorf("peak %d is above the %d bytes that Need promised", peak, need)
	}
}

// short claims more edges than it delivers.
type short struct{ list }

func (s short) NumEdges() int64 { return s.list.NumEdges() + 1 }

func TestBadSources(t *testing.T) {
	edges := []hops.Edge{{U: 0, V: 1}, {U: 1, V: 9}}
	for _, c := range []struct {
		src  hops.Source
		want string
	}{
		{list{2, edges}, "edge 1 joins 1 and 9, but there are only 2 vertices"},
		{short{list{10, edges}}, "edge 2 of 3: unexpected EOF"},
		{list{1 << 32, nil}, "at most 4294967295"},
	} {
		_, err := Build(context.Background(), c.src, 2)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("error %v, want %q", err, c.want)
		}
	}
}

func TestCancel(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Build(ctx, skewed(100, 1000), 2); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want context.Canceled", err)
	}
}

func BenchmarkBuild(b *testing.B) {
	l := skewed(1<<18, 1<<22)
	for b.Loop() {
		g, err := Build(context.Background(), l, 0)
		if err != nil {
			b.Fatal(err)
		}
		_ = g.Close()
	}
	b.ReportMetric(float64(b.N)*(1<<22)/b.Elapsed().Seconds()/1e6, "Medges/s")
}

// Hubs are the fewest vertices that have 40 % of the entries.
func TestFewestHubs(t *testing.T) {
	ring := list{n: 5}
	for v := range ring.n {
		ring.edges = append(ring.edges, hops.Edge{U: v, V: (v + 1) % ring.n})
	}
	g, err := Build(context.Background(), ring, 1)
	if err != nil {
		t.Fatal(err)
	}
	defer g.Close()
	if n := bitset.Set(g.Parents.Hub).Count(); n != 2 {
		t.Errorf("%d of 5 equal vertices are hubs, want 2", n)
	}
}
