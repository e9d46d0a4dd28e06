package format_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/gohops/hops"
	"github.com/gohops/hops/csr"
	"github.com/gohops/hops/edge/format"
	"github.com/gohops/hops/graph"
	"github.com/gohops/hops/internal/base/export"
)

// arcs are a path of two arcs, a to b and b to c, with the weights 2 and 3.
var arcs = []struct {
	name, text string
	directed   bool // has to be said
}{
	{"x.csv", "a,b,2\nb,c,3\n", true},
	{"x.wel", "0 1 2\n1 2 3\n", true},
	{"x.gr", "p sp 3 2\na 1 2 2\na 2 3 3\n", false},
	{"x.mtx", "%%MatrixMarket matrix coordinate integer general\n3 3 2\n1 2 2\n2 3 3\n", false},
	{"x.dot", "digraph { a -> b [weight=2]; b -> c [weight=3] }", false},
	{"x.gml", "graph [ directed 1 node [ id 0 ] node [ id 1 ] node [ id 2 ] edge [ source 0 target 1 weight 2 ] edge [ source 1 target 2 weight 3 ] ]", false},
	{"x.net", "*Vertices 3\n*Arcs\n1 2 2\n2 3 3\n", false},
	{"x.json", `{"directed": true, "nodes": [{"id": "a"}, {"id": "b"}, {"id": "c"}],
		"links": [{"source": "a", "target": "b", "weight": 2}, {"source": "b", "target": "c", "weight": 3}]}`, false},
}

func loaded(t *testing.T, path string, opts format.Options) *graph.Graph {
	t.Helper()
	g, err := format.Load(t.Context(), path, opts)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = g.Close() })
	return g
}

// isArcs reports a graph that is not the path of two arcs.
func isArcs(t *testing.T, g *graph.Graph, path string) {
	t.Helper()
	if err := g.Verify(); err != nil {
		t.Fatal(err)
	}
	if !g.Directed || g.NumVertices() != 3 || g.NumEdges() != 2 || !g.Weighted() {
		t.Fatalf("%s: directed %v, weighted %v, %d vertices, %d edges", path, g.Directed, g.Weighted(), g.NumVertices(), g.NumEdges())
	}
	for v, want := range []struct{ to, weight float32 }{{1, 2}, {2, 3}} {
		row, weights, err := g.OutEdges(hops.Vertex(v))
		if err != nil || len(row) != 1 || float32(row[0]) != want.to || weights[0] != want.weight {
			t.Errorf("%s: vertex %d leads to %v by %v, %v", path, v, row, weights, err)
		}
	}
}

// What Load returns has the direction, the names and the weights of the file, whatever its format.
func TestLoadKeepsWhatTheFileSays(t *testing.T) {
	dir := t.TempDir()
	for _, c := range arcs {
		path := filepath.Join(dir, c.name)
		if err := os.WriteFile(path, []byte(c.text), 0o600); err != nil {
			t.Fatal(err)
		}
		isArcs(t, loaded(t, path, format.Options{Directed: c.directed}), path)
		if g := loaded(t, path, format.Options{Directed: c.directed, DropWeights: true}); g.Weighted() || !g.Directed {
			t.Errorf("%s without weights: directed %v, weighted %v", path, g.Directed, g.Weighted())
		}
	}
	named := loaded(t, filepath.Join(dir, "x.csv"), format.Options{Directed: true})
	own, table := filepath.Join(dir, "x.hops"), filepath.Join(dir, "x.parquet")
	if err := graph.Save(own, named); err != nil {
		t.Fatal(err)
	}
	f, err := os.Create(table)
	if err != nil {
		t.Fatal(err)
	}
	if err := export.Write(t.Context(), f, named, "parquet"); err != nil || f.Close() != nil {
		t.Fatal(err)
	}
	for path, directed := range map[string]bool{own: false, table: true} {
		g := loaded(t, path, format.Options{Directed: directed})
		isArcs(t, g, path)
		if g.Name(2) != "c" {
			t.Errorf("%s: vertex 2 is called %q", path, g.Name(2))
		}
	}
}

// The edges that an Input lists say whether they are directed, also those of a graph file.
func TestSourceSaysItsDirection(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.csv")
	if err := os.WriteFile(path, []byte(arcs[0].text), 0o600); err != nil {
		t.Fatal(err)
	}
	own := filepath.Join(t.TempDir(), "x.hops")
	if err := graph.Save(own, loaded(t, path, format.Options{Directed: true})); err != nil {
		t.Fatal(err)
	}
	for path, directed := range map[string]bool{own: false, path: true} {
		in, err := format.Open(t.Context(), path, format.Options{Directed: directed})
		if err != nil {
			t.Fatal(err)
		}
		src, err := in.Source()
		if err != nil {
			t.Fatal(err)
		}
		weights, ok := src.(hops.WeightedSource)
		if !ok || !hops.IsDirected(src) {
			t.Fatalf("%s: directed %v, weighted %v", path, hops.IsDirected(src), ok)
		}
		g, err := csr.BuildWeighted(t.Context(), weights, 1)
		if err != nil {
			t.Fatal(err)
		}
		isArcs(t, g, path)
		_ = g.Close()
		_ = in.Close()
	}
}
