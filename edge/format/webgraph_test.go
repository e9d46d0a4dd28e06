package format

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// webGraph is 0 → 1, 0 → 2 and 2 → 0, encoded by hand.
const webGraph = "\x77\x2B\x00"

func TestWebGraphIsKnownByItsProperties(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.graph")
	write := func(name, text string) {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write(path, webGraph)
	fails := func(want string) {
		t.Helper()
		if _, err := Open(t.Context(), path, Options{}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
	fails("x.graph: binary data: a graph of WebGraph needs x.properties beside it")
	properties := filepath.Join(filepath.Dir(path), "x.properties")
	text := "nodes=3\narcs=3\nwindowsize=0\nminintervallength=0\ngraphclass=it.unimi.dsi.webgraph.BVGraph\n"
	write(properties, text)
	want := fileGraph{vertices: 3, directed: true, edges: []namedEdge{{"0", "1", 0}, {"0", "2", 0}, {"2", "0", 0}}}
	if diff := realGraph(t, path, Options{}).differs(want); diff != "" {
		t.Error(diff)
	}
	write(properties, strings.Replace(text, "arcs=3", "arcs=4", 1))
	fails("x.graph: row of vertex 2: there are 3 arcs, where the properties say 4")
	write(properties, strings.Replace(text, "nodes=3", "nodes=30", 1))
	fails("x.graph: row of vertex ")
	write(properties, strings.Replace(text, "nodes=3", "nodes=4000000000000", 1))
	fails("x.graph: ")
	write(properties, "graphclass=it.unimi.dsi.webgraph.EFGraph\n")
	fails("x.properties: graphclass is")
}
