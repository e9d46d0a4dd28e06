package format

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/gohops/hops"
)

// A layout is one way to write a random graph as a file.
type layout struct {
	name  string
	opts  Options
	first int  // smallest name; the names have gaps and are text if it is -1
	whole bool // weights are integers
	twice bool // an edge is written from both ends, so that loops are left out
	write func(g fileGraph) string
	read  func(g fileGraph) fileGraph // what is expected back
}

func withoutWeights(g fileGraph) fileGraph {
	g.weighted = false
	g.edges = slices.Clone(g.edges)
	for i := range g.edges {
		g.edges[i].weight = 0
	}
	return g
}

// used counts the vertices that have an edge, as edge lists have no others.
func used(g fileGraph) fileGraph {
	seen := map[string]bool{}
	for _, e := range g.edges {
		seen[e.from], seen[e.to] = true, true
	}
	g.vertices = uint64(len(seen))
	return g
}

func size(g fileGraph) string { return fmt.Sprintf("%d %d", g.vertices, len(g.edges)) }

func matrixText(symmetry string) func(g fileGraph) string {
	return func(g fileGraph) string {
		field := "pattern"
		if g.weighted {
			field = "real"
		}
		return fmt.Sprintf("%%%%MatrixMarket matrix coordinate %s %s\n%% random\n%d %d %d\n", field, symmetry, g.vertices, g.vertices, len(g.edges)) +
			edgeLines(g, "", " ", "\n")
	}
}

func lowerTriangle(g fileGraph) fileGraph {
	g.edges = slices.Clone(g.edges)
	for i, e := range g.edges {
		u, _ := parseName(e.from)
		v, _ := parseName(e.to)
		if u < v {
			g.edges[i].from, g.edges[i].to = e.to, e.from
		}
	}
	return g
}

func directed(g fileGraph) fileGraph {
	g.directed = true
	return g
}

// byRow is the order in which rows have the edges of a graph.
func byRow(g fileGraph) fileGraph {
	rows := map[uint64][]namedEdge{}
	for _, e := range g.edges {
		u, _ := parseName(e.from)
		v, _ := parseName(e.to)
		if u > v && !g.directed {
			u, e.from, e.to = v, e.to, e.from
		}
		rows[u] = append(rows[u], e)
	}
	g.edges = nil
	for u := range g.vertices + 1 {
		g.edges = append(g.edges, rows[u]...)
	}
	return g
}

var layouts = []layout{
	{name: "x.el", first: -2, write: func(g fileGraph) string { return edgeLines(withoutWeights(g), "", " ", "\n") }, read: func(g fileGraph) fileGraph { return used(withoutWeights(g)) }},
	{name: "x.txt", first: -2, write: func(g fileGraph) string { return "# a b\n" + edgeLines(g, "", "\t", "\r\n") }, read: used},
	{name: "x.csv", first: -2, opts: Options{Directed: true}, write: func(g fileGraph) string { return "from,to,w\n" + edgeLines(g, "", ",", "\n") }, read: func(g fileGraph) fileGraph { return directed(used(g)) }},
	{name: "x.csv", first: -1, opts: Options{IDs: TextIDs, Header: NoHeader}, write: func(g fileGraph) string { return edgeLines(g, "", ";", "\n") }, read: used},
	{name: "x.txt", first: -1, opts: Options{IDs: TextIDs, Header: NoHeader}, write: func(g fileGraph) string { return edgeLines(g, "  ", "   ", " \n\n") }, read: used},
	{name: "x.mtx", first: 1, write: matrixText("general"), read: directed},
	{name: "x", first: 1, write: func(g fileGraph) string { return matrixText("symmetric")(lowerTriangle(g)) }, read: lowerTriangle},
	{name: "x.gr", first: 1, whole: true, write: func(g fileGraph) string {
		g.weighted = true
		return "c\np sp " + size(g) + "\n" + edgeLines(g, "a ", " ", "\n")
	}, read: func(g fileGraph) fileGraph { g.weighted = true; return directed(g) }},
	{name: "x.graph", first: 1, whole: true, twice: true, write: func(g fileGraph) string { return metisText(g, "% c\n") }, read: byRow},
	{name: "x.sg", first: 0, whole: true, write: func(g fileGraph) string { return string(serializedBytes(withoutWeights(g), true)) }, read: func(g fileGraph) fileGraph { return byRow(directed(withoutWeights(g))) }},
	{name: "x.sg", first: 0, whole: true, twice: true, write: func(g fileGraph) string { return string(serializedBytes(withoutWeights(g), false)) }, read: func(g fileGraph) fileGraph { return byRow(withoutWeights(g)) }},
	{name: "x.wsg", first: 0, whole: true, write: func(g fileGraph) string { g.weighted = true; return string(serializedBytes(g, true)) }, read: func(g fileGraph) fileGraph { g.weighted = true; return byRow(directed(g)) }},
}

// draw makes a random graph of the kind that the layout can hold.
func (l layout) draw(t *rapid.T) fileGraph {
	n := rapid.IntRange(2, 40).Draw(t, "vertices")
	g := fileGraph{vertices: uint64(n), weighted: rapid.Bool().Draw(t, "weighted")}
	names := make([]string, n)
	wide := rapid.Bool().Draw(t, "wide")
	for i := range names {
		names[i] = fmt.Sprint(l.first + i)
		switch {
		case l.first == -2 && wide:
			names[i] = decimal(rapid.Uint64().Draw(t, "name") >> rapid.SampledFrom([]int{0, 33}).Draw(t, "shift"))
		case l.first == -2:
			names[i] = fmt.Sprint(rapid.IntRange(0, 300).Draw(t, "name"))
		case l.first == -1:
			names[i] = rapid.StringMatching(`[a-zà-ü0-9.:_-]{1,12}`).Draw(t, "name")
		}
	}
	for range rapid.IntRange(1, 80).Draw(t, "edges") {
		e := namedEdge{from: rapid.SampledFrom(names).Draw(t, "from"), to: rapid.SampledFrom(names).Draw(t, "to")}
		if l.twice && e.from == e.to {
			continue
		}
		if g.weighted {
			e.weight = float32(rapid.IntRange(1, 1000).Draw(t, "weight"))
			if !l.whole {
				e.weight /= 8
			}
		}
		g.edges = append(g.edges, e)
	}
	if len(g.edges) == 0 {
		g.edges = append(g.edges, namedEdge{from: names[0], to: names[1], weight: 1})
		g.weighted = true
	}
	return g
}

// Whatever is written is read back: edge by edge, in order, compressed in any way,
// in blocks of any size, by any number of threads.
func TestWrittenGraphsAreReadBack(t *testing.T) {
	for _, l := range layouts {
		t.Run(strings.TrimPrefix(l.name, "x."), func(t *testing.T) {
			rapid.Check(t, func(rt *rapid.T) {
				g := l.draw(rt)
				w := way{
					rapid.SampledFrom([]string{"plain", "pipe", "gzip", "zstd"}).Draw(rt, "compression"),
					rapid.SampledFrom([]int{1, 2, 3, 5, 8, 50, 4096}).Draw(rt, "block"),
					rapid.IntRange(1, 4).Draw(rt, "threads"),
				}
				in, err := w.open(t, l.name, []byte(l.write(g)), l.opts)
				if err != nil {
					rt.Fatalf("%v: %v", w, err)
				}
				defer in.Close()
				if diff := content(t, in).differs(l.read(g)); diff != "" {
					rt.Fatalf("%v: %s", w, diff)
				}
			})
		})
	}
}

// Vertices are numbered in the order of their names if those are numbers, and
// in the order of the file if they are text.
func TestVerticesAreInOrder(t *testing.T) {
	const data = "30 7\n900 7\n30 12345678901\n5 900\n"
	for _, c := range []struct {
		ids  IDKind
		want []string
	}{
		{IntIDs, []string{"5", "7", "30", "900", "12345678901"}},
		{TextIDs, []string{"30", "7", "900", "12345678901", "5"}},
	} {
		for _, w := range ways {
			in, err := w.open(t, "x.el", []byte(data), Options{IDs: c.ids})
			if err != nil {
				t.Fatal(err)
			}
			for v, name := range c.want {
				if got := in.Names.Name(hops.Vertex(v)); got != name {
					t.Errorf("%v: vertex %d is %q, want %q", w, v, got, name)
				}
			}
			_ = in.Close()
		}
	}
}

// Packed edges stay in their file, with the weights beside them.
func TestPackedFileIsReadWhereItLies(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.packed")
	g := fileGraph{vertices: 5001, edges: []namedEdge{{from: "7", to: "5000"}, {from: "0", to: "7"}}}
	if err := os.WriteFile(path, packedBytes(g), 0o600); err != nil {
		t.Fatal(err)
	}
	in, err := Open(t.Context(), path, Options{Threads: 2})
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	if diff := content(t, in).differs(g); diff != "" {
		t.Error(diff)
	}
}
