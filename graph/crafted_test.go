package graph_test

import (
	"bytes"
	"context"
	"math/bits"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/gohops/hops"
	"github.com/gohops/hops/edge"
	"github.com/gohops/hops/engine/cpu"
	"github.com/gohops/hops/graph"
)

// A crafted graph is one that nobody has built: rows of any content, with all that a
// file says beside them made to fit. Written to a file it has checksums that are right.
type crafted struct {
	directed bool
	out, in  [][]uint32 // in is nil in an undirected graph
	hub      []uint64
	names    *graph.Names
}

func craft(g *graph.Graph) *crafted {
	c := &crafted{directed: g.Directed, hub: slices.Clone(g.Parents.Hub), names: g.Names}
	for v := range uint32(g.NumVertices()) {
		c.out = append(c.out, slices.Clone(g.Out.Row(v)))
		if g.Directed {
			c.in = append(c.in, slices.Clone(g.In.Row(v)))
		}
	}
	return c
}

func rowsOf(lists [][]uint32) (r graph.Rows) {
	r.Offsets = []int64{0}
	for _, row := range lists {
		r.Neighbors = append(r.Neighbors, row...)
		r.Offsets = append(r.Offsets, int64(len(r.Neighbors)))
	}
	return r
}

// graph returns the structure that the rows stand for.
func (c *crafted) graph() *graph.Graph {
	n := len(c.out)
	g := graph.NewGraph(nil)
	g.Directed, g.Names = c.directed, c.names
	g.Out = rowsOf(c.out)
	g.In = g.Out
	if c.directed {
		g.In = rowsOf(c.in)
	}
	g.Tuples = g.NumEdges()
	words := (n + 63) / 64
	g.Isolated, g.Parents.More, g.Parents.Hub = make([]uint64, words), make([]uint64, words), slices.Clone(c.hub)
	for v := n; v < 64*words; v++ {
		g.Isolated[v>>6] |= 1 << (v & 63)
	}
	for v := range uint32(n) {
		row, head := g.In.Row(v), v
		if len(row) == 0 {
			g.Isolated[v>>6] |= 1 << (v & 63)
		} else {
			head = row[0]
		}
		if len(row) > 1 {
			g.Parents.More[v>>6] |= 1 << (v & 63)
		}
		hubs := slices.IndexFunc(row, func(u uint32) bool { return !c.isHub(u) })
		if hubs < 0 {
			hubs = len(row)
		}
		g.Parents.Head = append(g.Parents.Head, head)
		g.Parents.HubPrefix = append(g.Parents.HubPrefix, uint8(min(hubs, 255)))
	}
	return g
}

func (c *crafted) isHub(u uint32) bool {
	return int(u>>6) < len(c.hub) && c.hub[u>>6]>>(u&63)&1 != 0
}

// valid tells, with maps, whether the rows are those of a graph.
func (c *crafted) valid() bool {
	out, in := map[[2]uint32]int{}, map[[2]uint32]int{}
	for v := range uint32(len(c.out)) {
		for _, u := range c.out[v] {
			out[[2]uint32{v, u}]++
		}
		rows := c.in
		if !c.directed {
			rows = c.out
		}
		after := false
		for _, u := range rows[v] {
			in[[2]uint32{u, v}]++
			if c.isHub(u) && after {
				return false
			}
			after = after || !c.isHub(u)
		}
	}
	for e, count := range out {
		if count != 1 || in[e] != 1 || e[0] == e[1] || int(e[1]) >= len(c.out) {
			return false
		}
	}
	return len(out) == len(in)
}

// mutate changes one thing about the rows.
func (c *crafted) mutate(r *rand.Rand) {
	n := uint32(len(c.out))
	rows := c.out
	if c.directed && r.IntN(2) == 0 {
		rows = c.in
	}
	v := uint32(r.IntN(int(n)))
	if r.IntN(2) == 0 { // the longest row
		for u := range n {
			if len(rows[u]) > len(rows[v]) {
				v = u
			}
		}
	}
	row := &rows[v]
	if len(*row) == 0 {
		*row = append(*row, uint32(r.IntN(int(n))))
		return
	}
	at := r.IntN(len(*row))
	switch u := (*row)[at]; r.IntN(8) {
	case 0:
		(*row)[at] = uint32(r.IntN(int(n)))
	case 1:
		*row = slices.Insert(*row, at, slices.Repeat([]uint32{u}, 1+r.IntN(3000))...)
	case 2: // an edge several times, at both of its ends
		times := 1 + r.IntN(3000)
		other := &c.out[u]
		if c.directed {
			other = &c.in[u]
			if &rows[0] == &c.in[0] {
				other = &c.out[u]
			}
		}
		*row = slices.Insert(*row, at, slices.Repeat([]uint32{u}, times)...)
		if i := slices.Index(*other, v); i >= 0 {
			*other = slices.Insert(*other, i, slices.Repeat([]uint32{v}, times)...)
		}
	case 3:
		*row = slices.Delete(*row, at, at+1)
	case 4:
		(*row)[at] = v
	case 5:
		(*row)[at] = n + uint32(r.IntN(1<<30))
	case 6:
		i := r.IntN(len(*row))
		(*row)[at], (*row)[i] = (*row)[i], u
	case 7:
		c.hub[v>>6] ^= 1 << (v & 63)
	}
}

// longRowSources have rows that are long to every engine, and enough vertices for
// all that engines keep by the share.
func longRowSources() []hops.Source {
	r := rand.New(rand.NewPCG(1, 2))
	const n = 6000
	edges := make([]hops.Edge, 0, 3*n)
	for v := range hops.Vertex(n) {
		if v%2 == 1 {
			edges = append(edges, hops.Edge{U: 0, V: v})
		}
		edges = append(edges, hops.Edge{U: v, V: hops.Vertex(r.IntN(n))}, hops.Edge{U: v, V: hops.Vertex(r.IntN(64))})
	}
	return []hops.Source{edge.List(edges, n), hops.Directed(edge.List(edges, n))}
}

// An edge that is in the rows of both its ends several times fits all else that the
// file says. It was searched once, and the queue was too short.
func TestVerifyRefusesRepeatedEntries(t *testing.T) {
	c := repeating()
	_, err := reopen(t, c.graph())
	if err == nil || !strings.Contains(err.Error(), "crafted: the row of vertex") {
		t.Errorf("a graph with an edge 4001 times in the rows of its ends: %v", err)
	}
}

// repeating is a star with an edge that is 4001 times in the rows of its ends, and a
// path from another of its leaves on.
func repeating() *crafted {
	const leaves, length = 70, 100
	c := &crafted{out: make([][]uint32, leaves+length), hub: make([]uint64, 3)}
	join := func(u, v uint32, times int) {
		c.out[u] = append(c.out[u], slices.Repeat([]uint32{v}, times)...)
		c.out[v] = append(c.out[v], slices.Repeat([]uint32{u}, times)...)
	}
	for v := uint32(1); v < leaves; v++ {
		join(0, v, 1)
	}
	join(0, leaves-1, 4000)
	for v := uint32(leaves); v < leaves+length; v++ {
		join(v-1, v, 1)
	}
	return c
}

// Rows that never were in a file are not verified. Engines stay within their queues.
func TestRepeatedEntriesAreSearched(t *testing.T) {
	for root := range hops.Vertex(80) {
		searchAll(t, repeating().graph(), root)
	}
}

// reopen writes the graph, opens it and verifies it.
func reopen(t fataler, g *graph.Graph) (*graph.Graph, error) {
	t.Helper()
	h, err := graph.ReadGraph(bytes.NewReader(fileOf(t, g)), "crafted")
	if err != nil {
		return nil, err
	}
	return h, h.Verify()
}

// Verify accepts what is a graph, and nothing else, however the rows were changed.
func TestVerifyKnowsGraphs(t *testing.T) {
	accepted := 0
	for s, src := range longRowSources() {
		g := buildGraph(t, src)
		seeds := uint64(60)
		if testing.Short() {
			seeds = 12
		}
		for seed := range seeds {
			accepted += tryCrafted(t, g, uint64(s)<<32|seed)
		}
	}
	if !testing.Short() && (accepted < 5 || accepted > 100) {
		t.Errorf("%d of 120 graphs are right: the test does not try both", accepted)
	}
}

// FuzzCrafted is the same with seeds without end.
func FuzzCrafted(f *testing.F) {
	var graphs []*graph.Graph
	for _, src := range longRowSources() {
		graphs = append(graphs, buildGraph(f, src))
	}
	f.Add(uint64(1))
	f.Fuzz(func(t *testing.T, seed uint64) { tryCrafted(t, graphs[seed&1], seed) })
}

// tryCrafted changes a graph one to three times and returns 1 if what came out is one.
func tryCrafted(t *testing.T, g *graph.Graph, seed uint64) int {
	t.Helper()
	r := rand.New(rand.NewPCG(seed, 3))
	c := craft(g)
	for range 1 + r.IntN(3) {
		c.mutate(r)
	}
	h, err := reopen(t, c.graph())
	if (err == nil) != c.valid() {
		t.Fatalf("seed %d: Verify says %v", seed, err)
	}
	if err != nil {
		return 0
	}
	searchAll(t, h, hops.Vertex(r.IntN(len(c.out))))
	return 1
}

// searchAll searches with one thread and with several, and compares with Walk.
func searchAll(t *testing.T, g *graph.Graph, root hops.Vertex) {
	t.Helper()
	want := slices.Repeat([]int32{-1}, int(g.NumVertices()))
	_ = graph.Walk(g, root, func(v hops.Vertex, depth int) bool { want[v] = int32(depth); return true })
	for _, threads := range []int{1, 2, 12} {
		s, err := cpu.New(g, cpu.Options{Threads: threads})
		if err != nil {
			t.Fatal(err)
		}
		tree := hops.NewTree(g.NumVertices())
		if _, err := s.Search(context.Background(), root, tree); err != nil {
			t.Fatal(err)
		}
		_ = s.Close()
		if !slices.Equal(tree.Levels(nil), want) {
			t.Fatalf("%d threads: wrong levels from %d", threads, root)
		}
	}
}

// Every array beside the rows is compared with them.
func TestVerifyComparesArraysWithRows(t *testing.T) {
	names := func(l ...uint32) *graph.Names {
		return &graph.Names{NameSections: graph.NameSections{Count: uint64(len(l)), Narrow: l}}
	}
	for name, change := range map[string]func(g *graph.Graph){
		"first offset":   func(g *graph.Graph) { g.Out.Offsets[0] = 1 },
		"last offset":    func(g *graph.Graph) { g.Out.Neighbors = append(g.Out.Neighbors, 0, 0) },
		"middle offset":  func(g *graph.Graph) { g.Out.Offsets[2]++ },
		"falling offset": func(g *graph.Graph) { g.Out.Offsets[2] = 1 << 40 },
		"head":           func(g *graph.Graph) { g.Parents.Head[1] ^= 2 },
		"more":           func(g *graph.Graph) { g.Parents.More[0] ^= 1 << 3 },
		"isolated":       func(g *graph.Graph) { g.Isolated[0] ^= 1 << 4 },
		"beyond":         func(g *graph.Graph) { g.Isolated[0] ^= 1 << 63 },
		"hub":            func(g *graph.Graph) { g.Parents.Hub[0] ^= 1 << 2 },
		"hub beyond":     func(g *graph.Graph) { g.Parents.Hub[0] ^= 1 << 40 },
		"prefix":         func(g *graph.Graph) { g.Parents.HubPrefix[1]++ },
		"tuples":         func(g *graph.Graph) { g.Tuples++ },
		"loops":          func(g *graph.Graph) { g.Loops, g.Tuples = -1, g.Tuples-1 },
		"narrow names":   func(g *graph.Graph) { g.Names = names(1, 3, 3, 4, 5) },
		"text names": func(g *graph.Graph) {
			g.Names = namesOf(t, 5)
			slot := slices.Index(g.Names.Table, 3)
			g.Names.Table[slot] = 2
		},
		"ends": func(g *graph.Graph) { g.Names = namesOf(t, 5); g.Names.Ends[2], g.Names.Ends[3] = 9, 4 },
	} {
		g := buildGraph(t, line(5))
		if _, err := reopen(t, g); err != nil {
			t.Fatal(err)
		}
		change(g)
		if !g.Directed {
			g.In = g.Out
		}
		if _, err := reopen(t, g); err == nil {
			t.Errorf("%s: accepted", name)
		}
	}
	if bits.OnesCount64(buildGraph(t, line(5)).Parents.Hub[0]) == 0 {
		t.Error("a line without hubs: the test of them tests nothing")
	}
}
