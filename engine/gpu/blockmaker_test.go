package gpu

import (
	"maps"
	"slices"
	"testing"

	"github.com/gohops/hops"
	"github.com/gohops/hops/edge"
	"github.com/gohops/hops/internal/ranks/block"
)

// A device makes rows and columns of exactly the entries of its block, each once, with the
// vertex of the highest degree first, whether it has room for all edges or not.
func TestBlockMaker(t *testing.T) {
	eachDriver(t, func(t *testing.T, driver string) {
		src, err := edge.NewKronecker(12, 160, 2, 3)
		if err != nil {
			t.Fatal(err)
		}
		t.Run("undirected", func(t *testing.T) { makeBlock(t, driver, src, []uint64{0, 1, 4, 5, 6, 7, 11, 12, 14, 15}) })
		t.Run("directed", func(t *testing.T) { makeBlock(t, driver, hops.Directed(src), []uint64{1, 2, 4, 5, 6, 7, 11, 12, 14}) })
	})
}

// makeBlock has a device make a block whose column has these granules of 256 labels, and compares
// all of it.
func makeBlock(t *testing.T, driver string, src hops.Source, granules []uint64) {
	b := block.Block{First: 704, Height: 3001, Width: 256 * int64(len(granules)), Labels: [][]uint64{nil, nil}, Me: 1, Ranks: 2, Shift: 8}
	number := map[hops.Vertex]uint32{}
	for k, g := range granules {
		b.Labels[1] = append(b.Labels[1], (g-uint64(k))<<8)
		for i := range uint32(256) {
			number[hops.Vertex(g<<8)+hops.Vertex(i)] = uint32(k)<<8 + i
		}
	}
	edges := make([]hops.Edge, src.NumEdges())
	if _, err := src.EdgesAt(edges, 0); err != nil {
		t.Fatal(err)
	}
	degree, out, rows := make([]uint32, src.NumVertices()), make([]uint32, src.NumVertices()), make([]map[uint32]bool, b.Height)
	columns, entries := make([]map[uint32]bool, b.Width), make([]int, b.Height) // entries of rows, with duplicates
	enter := func(u, v hops.Vertex) {
		x, ok := number[u]
		if row := uint64(v) - b.First; ok && row < uint64(b.Height) {
			entries[row]++
			for _, l := range []struct {
				of *map[uint32]bool
				to uint32
			}{{&rows[row], x}, {&columns[x], uint32(row)}} {
				if *l.of == nil {
					*l.of = map[uint32]bool{}
				}
				(*l.of)[l.to] = true
			}
		}
	}
	for _, e := range edges {
		if e.U == e.V {
			continue
		}
		degree[e.U]++
		degree[e.V]++
		out[e.U]++
		enter(e.U, e.V)
		if !hops.IsDirected(src) {
			enter(e.V, e.U)
		}
	}
	k, err := (&deviceBlocks{Driver: driver, extreme: 500}).Maker(src, 0, 1, 4)
	if err != nil || k == nil {
		t.Fatalf("no maker: %v", err)
	}
	defer k.Close()
	gotDegree, gotOut := make([]uint32, 1000), []uint32(nil)
	if hops.IsDirected(src) {
		gotOut = make([]uint32, 1000)
	}
	if err := k.Count(t.Context(), 700, gotDegree, gotOut); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(gotDegree, degree[700:1700]) || gotOut != nil && !slices.Equal(gotOut, out[700:1700]) {
		t.Error("wrong degrees")
	}
	k.loader.whole, k.loader.chunk = false, 250_000 // from now on edges come in three chunks
	made, err := k.Make(t.Context(), b)
	if err != nil {
		t.Fatal(err)
	}
	longest := compareLines(t, "row", k.rows, rows)
	compareLines(t, "column", k.columns, columns)
	if all := slices.Max(entries); !k.hasExtreme || longest <= 500 || all <= sortedRow {
		t.Errorf("the longest row has %d entries, %d with duplicates", longest, all)
	}
	label := func(x uint32) uint64 { return uint64(x) + b.Labels[1][x>>8] }
	for v, row := range rows {
		best := uint32(0)
		for x := range row {
			best = max(best, degree[label(x)])
		}
		if int(made[v].Length) != len(row) || made[v].Head != best {
			t.Fatalf("row %d: %+v, want %d entries, the first of degree %d", v, made[v], len(row), best)
		}
	}
}

// compareLines holds the lines of a graph on the device against those that are wanted, and
// returns the length of the longest.
func compareLines(t *testing.T, what string, g *graph, want []map[uint32]bool) (longest int) {
	t.Helper()
	index, place, base := make([]uint32, 2*g.words()), make([]uint32, 2*g.rows), make([]uint64, g.rows/group+1)
	entries, heads := make([]uint32, g.entries), make([]uint32, g.rows)
	for to, from := range map[*[]uint32]buffer{&index: g.index, &place: g.place, &entries: g.parts[0], &heads: g.head} {
		if err := g.dev.read(bytesOf(*to), from, 0); err != nil {
			t.Fatal(err)
		}
	}
	if err := g.dev.read(bytesOf(base), g.base, 0); err != nil {
		t.Fatal(err)
	}
	at := 0
	for v, line := range want {
		if has := index[2*(v/32)]>>(v%32)&1 != 0; has != (len(line) > 0) {
			t.Fatalf("%s %d is there: %v, want %d entries", what, v, has, len(line))
		}
		if len(line) == 0 {
			continue
		}
		got := entries[base[at/group]+uint64(place[2*at]):][:place[2*at+1]]
		head := got[0]
		if len(got) == 1 {
			head |= leaf
		}
		if sorted := slices.Sorted(slices.Values(got)); !slices.Equal(sorted, slices.Sorted(maps.Keys(line))) || heads[at] != head {
			t.Fatalf("%s %d has %d entries, want %d; head %d", what, v, len(got), len(line), heads[at])
		}
		longest = max(longest, len(got))
		at++
	}
	if at != int(g.rows) {
		t.Errorf("%d lines of %ss, want %d", g.rows, what, at)
	}
	return longest
}

// There is no maker for edges that a device cannot generate, or has no room for.
func TestNoBlockMaker(t *testing.T) {
	openclOrSkip(t)
	all := &deviceBlocks{Driver: "opencl"}
	if k, err := all.Maker(edge.List(nil, 64), 0, 1, 1); k != nil || err != nil {
		t.Errorf("a list of edges: %v, %v", k, err)
	}
	src, err := edge.NewKronecker(30, 1<<16, 2, 3)
	if err != nil {
		t.Fatal(err)
	}
	if k, err := all.Maker(src, 0, 1, 1); k != nil || err != nil {
		t.Errorf("a graph that is too large: %v, %v", k, err)
	}
	if all.users != 0 {
		t.Error("the device was not given back")
	}
}
