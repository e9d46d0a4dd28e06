package format

import (
	"bytes"
	"maps"
	"math"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/gohops/hops"
	"github.com/gohops/hops/csr"
	"github.com/gohops/hops/graph"
	"github.com/gohops/hops/internal/base/export"
)

// built makes a finished graph of what a file holds.
func built(t testing.TB, rt *rapid.T, data string, opts Options) *graph.Graph {
	in, err := ways[0].open(t, "x.csv", []byte(data), opts)
	if err != nil {
		rt.Fatal(err)
	}
	defer in.Close()
	src := in.edges
	if in.Directed {
		src = hops.Directed(src)
	}
	build := func() (*graph.Graph, error) { return csr.Build(t.Context(), src, 2) }
	if weights, ok := in.edges.(hops.WeightedSource); ok {
		build = func() (*graph.Graph, error) {
			return csr.BuildWeighted(t.Context(), weightedAs{src, weights}, 2)
		}
	}
	g, err := build()
	if err != nil {
		rt.Fatal(err)
	}
	g.Names = in.Names
	return g
}

// A weightedAs has the edges of one list and the weights of another.
type weightedAs struct {
	hops.Source
	weights hops.WeightedSource
}

func (s weightedAs) Directed() bool { return hops.IsDirected(s.Source) }

func (s weightedAs) WeightsAt(dst []float32, off int64) (int, error) {
	return s.weights.WeightsAt(dst, off)
}

// exported are the formats of package export, with a suffix of each. Those that are
// numbered do not have names.
var exported = []struct {
	name, suffix string
	numbered     bool
}{
	{"edges", ".txt", false},
	{"csv", ".csv", false},
	{"parquet", ".parquet", false},
	{"mtx", ".mtx", true},
	{"metis", ".graph", true},
	{"graphml", ".graphml", false},
	{"dot", ".dot", false},
}

// What Write writes is read back: the same vertices, names, edges and weights.
func TestWrittenFormatsAreReadBack(t *testing.T) {
	if len(exported)+1 != len(export.Names()) { // csv-safe changes names
		t.Errorf("formats are %v", export.Names())
	}
	for _, f := range exported {
		if name, numbered := export.FormatOf("x" + f.suffix); name != f.name || numbered != f.numbered {
			t.Errorf("%s is %s, %v", f.suffix, name, numbered)
		}
		t.Run(f.name, func(t *testing.T) {
			rapid.Check(t, func(rt *rapid.T) {
				list := f.name == "edges" || f.name == "csv" || f.name == "parquet"
				opts := Options{IDs: TextIDs, Header: NoHeader, Directed: f.name != "metis" && rapid.Bool().Draw(rt, "directed")}
				var text string
				name := rapid.StringMatching(`[a-zà-ü0-9 .:_#%'<>&-]{0,6}[a-z]`)
				weighted, weight := rapid.Bool().Draw(rt, "weighted"), rapid.Float32Range(0, math.MaxFloat32)
				if f.name == "metis" {
					weight = rapid.Map(rapid.Uint16(), func(x uint16) float32 { return float32(x) + 1 })
				}
				for range rapid.IntRange(1, 30).Draw(rt, "edges") {
					text += `"` + name.Draw(rt, "from") + `","` + name.Draw(rt, "to") + `"`
					if weighted {
						text += "," + strconv.FormatFloat(float64(weight.Draw(rt, "weight")), 'g', -1, 32)
					}
					text += "\n"
				}
				g := built(t, rt, text, opts)
				var out bytes.Buffer
				if err := export.Write(t.Context(), &out, g, f.name); err != nil {
					rt.Fatal(err)
				}
				in, err := ways[0].open(t, "x"+f.suffix, out.Bytes(), Options{Directed: opts.Directed && list})
				want := written(g, f.numbered)
				if list && len(want.edges) == 0 {
					if err == nil || !strings.Contains(err.Error(), "has no edges") {
						rt.Fatalf("a list without edges: %v", err)
					}
					return
				}
				if err != nil {
					rt.Fatalf("%v\n%s", err, &out)
				}
				defer in.Close()
				got := content(t, in)
				if got.directed != g.Directed || !maps.Equal(ends(got), ends(want)) || in.Weighted && !weighted {
					rt.Fatalf("%v became %v\n%s", want.edges, got.edges, &out)
				}
				if weighted && !maps.Equal(weights(got), weights(want)) {
					rt.Fatalf("weights %v became %v\n%s", want.edges, got.edges, &out)
				}
				if !list && got.vertices != want.vertices {
					rt.Fatalf("%d vertices became %d", want.vertices, got.vertices)
				}
			})
		})
	}
}

// written is what a graph means, by its names or by the numbers that stand for them.
func written(g *graph.Graph, numbered bool) fileGraph {
	name := g.Name
	if numbered {
		name = func(v hops.Vertex) string { return decimal(uint64(v) + 1) }
	}
	f := fileGraph{vertices: uint64(g.NumVertices()), directed: g.Directed}
	for v := range g.NumVertices() {
		row, weights, _ := g.OutEdges(v)
		for i, u := range row {
			if !g.Directed && u < uint32(v) {
				continue
			}
			e := namedEdge{from: name(v), to: name(hops.Vertex(u))}
			if weights != nil {
				e.weight = weights[i]
			}
			f.edges = append(f.edges, e)
		}
	}
	return f
}

// weights counts edges of the same ends, in any order, and weight.
func weights(g fileGraph) map[namedEdge]int {
	count := map[namedEdge]int{}
	for _, e := range g.edges {
		e.from, e.to = min(e.from, e.to), max(e.from, e.to)
		count[e]++
	}
	return count
}
