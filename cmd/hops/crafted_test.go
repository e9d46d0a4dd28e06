//go:build unix

package main

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/gohops/hops"
	"github.com/gohops/hops/csr"
	"github.com/gohops/hops/edge"
	"github.com/gohops/hops/graph"
)

// A crafted file has right checksums and arrays that contradict each other. No verb panics: each
// answers, or names the file and fails.
func TestCraftedFiles(t *testing.T) {
	seeds := uint64(40)
	if testing.Short() {
		seeds = 15
	}
	refused := 0
	for seed := range seeds {
		refused += askCrafted(t, seed)
	}
	if refused == 0 {
		t.Error("no question was refused: the files have no faults")
	}
}

// FuzzCraftedFiles is the same with seeds without end.
func FuzzCraftedFiles(f *testing.F) {
	f.Add(uint64(1))
	f.Fuzz(func(t *testing.T, seed uint64) { askCrafted(t, seed) })
}

// askCrafted asks all questions of one file, and returns how many were refused.
func askCrafted(t *testing.T, seed uint64) (refused int) {
	t.Helper()
	r := rand.New(rand.NewPCG(seed, 11))
	g := anyGraph(t, r)
	n := int(g.NumVertices())
	for range 1 + r.IntN(3) {
		spoil(r, g)
	}
	folder := t.TempDir()
	path := filepath.Join(folder, "crafted.hops")
	var file bytes.Buffer
	if _, err := g.WriteTo(&file); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, file.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
	list := filepath.Join(folder, "list")
	if err := os.WriteFile(list, fmt.Appendf(nil, "%d\n%d\n", r.IntN(n), r.IntN(n)), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, q := range questions {
		args := strings.Fields(q)
		for i, a := range args {
			switch a {
			case "GRAPH":
				args[i] = path
			case "V":
				args[i] = strconv.Itoa(r.IntN(n))
			case "LIST":
				args[i] = list
			case "OUT":
				args[i] = filepath.Join(folder, "out.csv")
			}
		}
		refused += askOne(t, seed, args)
	}
	return refused
}

// questions are asked in all the ways in which verbs read a graph.
var questions = strings.Split(`info GRAPH
info GRAPH --verify
bfs GRAPH --root V
bfs GRAPH --root V --root V --root V --levels OUT
bfs GRAPH --root V --within 2
bfs GRAPH --root V --avoid LIST
bfs GRAPH --root V --only LIST
bfs GRAPH --root V --engine cluster:ranks=2
bfs GRAPH --root V --engine grid:rows=2,columns=2
path GRAPH V V
path GRAPH V V --within 3
path GRAPH V V --all
path GRAPH V V --all --json --limit 3
path GRAPH V V --all --count
path GRAPH V V --k 4
path GRAPH V V --weighted
path GRAPH V V --weighted --k 4
path GRAPH V V --weighted --k 20 --json
path GRAPH V V --weighted --max-distance 2
path GRAPH V V --avoid LIST
path GRAPH V V --weighted --avoid LIST
near GRAPH V --hops 2
near GRAPH V --max-distance 1.5
near GRAPH V --hops 3 --avoid LIST
sssp GRAPH --root V --distances OUT
sssp GRAPH --root V --engine cluster:ranks=2
components GRAPH --top 3
components GRAPH --strong --output OUT
closeness GRAPH V V
closeness GRAPH --within 2 --samples 3
betweenness GRAPH
betweenness GRAPH --exact --raw
diameter GRAPH --eccentricities OUT
degrees GRAPH
degrees GRAPH --by in --distribution
levels GRAPH --engine cpu --runs 1
convert GRAPH OUT --weights
convert GRAPH OUT`, "\n")

// askOne returns 1 if a question was refused. With one thread, a panic is that of this goroutine.
func askOne(t *testing.T, seed uint64, args []string) int {
	t.Helper()
	defer func() {
		if fault := recover(); fault != nil {
			t.Errorf("seed %d: hops %s: %v\n%s", seed, strings.Join(args, " "), fault, debug.Stack())
		}
	}()
	var out, message bytes.Buffer
	switch code := run(append(args, "--quiet", "--threads", "1"), &out, &message); {
	case code == exitOK || code == exitNone:
		return 0
	case message.Len() == 0:
		t.Errorf("seed %d: hops %s: exit code %d without a word", seed, strings.Join(args, " "), code)
	}
	return 1
}

// anyGraph draws a small graph, whose arrays may be changed.
func anyGraph(t *testing.T, r *rand.Rand) *graph.Graph {
	t.Helper()
	n := hops.Vertex(2 + r.IntN(90))
	var edges []hops.Edge
	var weights []float32
	for range 1 + r.IntN(5*int(n)) {
		u := hops.Vertex(r.IntN(int(n)))
		if r.IntN(3) == 0 {
			u /= 16 // some have many edges
		}
		edges, weights = append(edges, hops.Edge{U: u, V: hops.Vertex(r.IntN(int(n)))}), append(weights, float32(r.IntN(5))/2)
	}
	src := hops.Source(edge.List(edges, n))
	if r.IntN(3) > 0 {
		src = hops.Directed(src)
	}
	build := func() (*graph.Graph, error) { return csr.Build(context.Background(), src, 1) }
	if r.IntN(4) > 0 {
		build = func() (*graph.Graph, error) {
			return csr.BuildWeighted(context.Background(), edge.WithWeights(src, weights), 1)
		}
	}
	g, err := build()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = g.Close() })
	c := graph.NewGraph(nil)
	c.Out, c.In, c.Directed, c.Tuples, c.Loops, c.Duplicates = cloneRows(g.Out), cloneRows(g.In), g.Directed, g.Tuples, g.Loops, g.Duplicates
	c.Isolated, c.Parents.Head, c.Parents.More = slices.Clone(g.Isolated), slices.Clone(g.Parents.Head), slices.Clone(g.Parents.More)
	c.Parents.Hub, c.Parents.HubPrefix = slices.Clone(g.Parents.Hub), slices.Clone(g.Parents.HubPrefix)
	return c
}

func cloneRows(r graph.Rows) graph.Rows {
	return graph.Rows{Offsets: slices.Clone(r.Offsets), Neighbors: slices.Clone(r.Neighbors), Weights: slices.Clone(r.Weights)}
}

// spoil changes one thing of a graph. The file of an undirected graph has the rows Out alone.
func spoil(r *rand.Rand, g *graph.Graph) {
	n := int(g.NumVertices())
	rows := &g.Out
	if g.Directed && r.IntN(2) == 0 {
		rows = &g.In
	}
	v := r.IntN(n)
	entries := rows.Neighbors[rows.Offsets[v]:rows.Offsets[v+1]]
	if len(entries) == 0 {
		entries = rows.Neighbors[:1:1]
	}
	at := r.IntN(len(rows.Neighbors))
	switch r.IntN(16) {
	case 0, 1, 2, 3:
		rows.Neighbors[at] = uint32(r.IntN(n))
	case 4:
		rows.Neighbors[at] = pick(r, uint32(n), uint32(n+r.IntN(200)), 1<<31, math.MaxUint32)
	case 5: // all entries of a row lead to one vertex
		for i := range entries {
			entries[i] = uint32(v)
		}
	case 6:
		entries[0] = uint32(r.IntN(n))
		g.Parents.Head[v] = entries[0]
	case 7, 8, 9:
		if g.Weighted() {
			rows.Weights[at] = pick[float32](r, 0, 1e-45, 7, math.MaxFloat32)
		}
	case 10:
		if g.Weighted() {
			rows.Weights[at] = pick(r, float32(math.NaN()), float32(math.Inf(1)), float32(math.Inf(-1)), -1, float32(math.Copysign(0, -1)))
		}
	case 11: // a row takes an entry of the next, or gives one
		rows.Offsets[v] = min(max(0, rows.Offsets[v]+int64(r.IntN(3))-1), int64(len(rows.Neighbors)))
	case 12:
		rows.Offsets[r.IntN(n+1)] = pick(r, -1, math.MinInt64, math.MaxInt64, int64(len(rows.Neighbors))+1)
	case 13:
		g.Parents.Head[v] = pick(r, uint32(r.IntN(n)), uint32(n), 1<<31, math.MaxUint32)
	case 14:
		pick(r, g.Isolated, g.Parents.More, g.Parents.Hub)[v>>6] ^= 1 << (v & 63)
	case 15:
		g.Parents.HubPrefix[v] += uint8(1 + r.IntN(255))
	}
}
