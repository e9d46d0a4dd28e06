package main

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"flag"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"testing"
)

// networkxGraph is a graph with what NetworkX says about it; see answers.py.
type networkxGraph struct {
	File       string
	Flags      []string
	Directed   bool
	Vertices   uint64
	Edges      int64
	Components int
	Largest    int64
	Diameter   int // -1: too large to be found out
	Searches   []struct {
		Root      string
		Levels    []int64
		Distances map[string]int // of small graphs
	}
	Paths []struct {
		From, To string
		Hops     int // -1: there is no path
	}
}

var graphsFolder = flag.String("graphs", "", "folder of the larger graphs that edge/format/testdata/real/README.md lists")

// networkxAnswers are all graphs that NetworkX was asked about.
func networkxAnswers(t *testing.T) []networkxGraph {
	t.Helper()
	text, err := os.ReadFile("testdata/networkx/answers.json")
	if err != nil {
		t.Fatal(err)
	}
	var answers struct{ Graphs []networkxGraph }
	if err := json.Unmarshal(text, &answers); err != nil {
		t.Fatal(err)
	}
	return answers.Graphs
}

// The verbs say of real graphs what NetworkX says. Larger graphs are skipped unless
// -graphs names their folder.
func TestNetworkX(t *testing.T) {
	for _, g := range networkxAnswers(t) {
		t.Run(filepath.Join(append([]string{g.File}, g.Flags...)...), func(t *testing.T) {
			file := realFile(t, g.File)
			g.checkAll(t, file)
			own := filepath.Join(t.TempDir(), "graph.hops")
			ask(t, exitOK, append([]string{"convert", file, own}, g.Flags...)...)
			g.Flags = nil // the file knows
			g.checkAll(t, own)
		})
	}
}

// ask runs a verb and returns what it prints.
func ask(t *testing.T, code int, args ...string) []byte {
	t.Helper()
	var out, errors bytes.Buffer
	if got := run(append(args, "--quiet"), &out, &errors); got != code {
		t.Fatalf("%q ends with %d: %s", args, got, &errors)
	}
	return out.Bytes()
}

// asJSON is ask with an answer in JSON.
func asJSON[T any](t *testing.T, code int, args ...string) (answer T) {
	t.Helper()
	if err := json.Unmarshal(ask(t, code, append(args, "--json")...), &answer); err != nil {
		t.Fatal(err)
	}
	return answer
}

func (g *networkxGraph) checkAll(t *testing.T, file string) {
	g.checkInfo(t, file)
	for _, s := range g.Searches {
		answer := asJSON[bfsAnswer](t, exitOK, append([]string{"bfs", file, "--root", s.Root}, g.Flags...)...)
		if !slices.Equal(answer.Levels, s.Levels) {
			t.Errorf("from %s: levels %v, want %v", s.Root, answer.Levels, s.Levels)
		}
		if got := g.distances(t, file, s.Root); s.Distances != nil && !maps.Equal(got, s.Distances) {
			t.Errorf("from %s: distances %v, want %v", s.Root, got, s.Distances)
		}
	}
	for _, p := range g.Paths {
		code := exitOK
		if p.Hops < 0 {
			code = exitNone
		}
		if got := asJSON[pathAnswer](t, code, append([]string{"path", file, p.From, p.To}, g.Flags...)...); got.Hops != p.Hops {
			t.Errorf("from %s to %s: %d hops, want %d", p.From, p.To, got.Hops, p.Hops)
		}
	}
}

func (g *networkxGraph) checkInfo(t *testing.T, file string) {
	info := asJSON[graphInfo](t, exitOK, append([]string{"info", file}, g.Flags...)...)
	if info.Vertices != g.Vertices || info.Edges != g.Edges || info.Directed != g.Directed {
		t.Errorf("%d vertices, %d edges, directed %t; want %d, %d, %t", info.Vertices, info.Edges, info.Directed, g.Vertices, g.Edges, g.Directed)
	}
	if info.Components.Count != g.Components || info.Components.Largest != g.Largest {
		t.Errorf("components %+v, want %d, the largest of %d", info.Components, g.Components, g.Largest)
	}
	if g.Diameter >= 0 && info.Diameter > g.Diameter || info.Diameter < (g.Diameter+1)/2 {
		t.Errorf("diameter estimated as %d, is %d", info.Diameter, g.Diameter)
	}
}

// distances are those of the file that bfs --levels writes.
func (g *networkxGraph) distances(t *testing.T, file, root string) map[string]int {
	t.Helper()
	rows, err := csv.NewReader(bytes.NewReader(ask(t, exitOK, append([]string{"bfs", file, "--root", root, "--levels", "-"}, g.Flags...)...))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]int{}
	for _, row := range rows[1:] {
		if found[row[0]], err = strconv.Atoi(row[1]); err != nil {
			t.Fatal(err)
		}
	}
	return found
}
