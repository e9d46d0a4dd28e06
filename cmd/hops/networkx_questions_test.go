package main

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"testing"
)

// networkxQuestions are a graph with what NetworkX answers; see questions.py.
type networkxQuestions struct {
	File           string
	Flags          []string
	Strong         []int64        // sizes, largest first
	Eccentricities map[string]int // within the largest; none if there are several
	Betweenness    map[string]float64
	Raw            map[string]float64
	Degrees        map[string]float64
	Paths          []struct {
		From, To string
		All      [][]string
		K        []int     // hops of the shortest
		Lightest []float64 // weights of the lightest
	}
}

func TestNetworkXQuestions(t *testing.T) {
	text, err := os.ReadFile("testdata/networkx/questions.json")
	if err != nil {
		t.Fatal(err)
	}
	var answers struct{ Graphs []networkxQuestions }
	if err := json.Unmarshal(text, &answers); err != nil {
		t.Fatal(err)
	}
	for _, g := range answers.Graphs {
		t.Run(filepath.Join(append([]string{g.File}, g.Flags...)...), func(t *testing.T) {
			g.File = filepath.Join("../../edge/format/testdata/real", g.File)
			g.checkPaths(t)
			g.checkStrong(t)
			g.checkFigures(t)
		})
	}
	if len(answers.Graphs) < 5 {
		t.Errorf("%d graphs", len(answers.Graphs))
	}
}

// verb is a command line about the graph.
func (g *networkxQuestions) verb(name string, args ...string) []string {
	return slices.Concat([]string{name, g.File}, args, g.Flags)
}

func (g *networkxQuestions) checkPaths(t *testing.T) {
	for _, p := range g.Paths {
		code := exitOK
		if len(p.All) == 0 {
			code = exitNone
		}
		all := asJSON[struct {
			Count int
			Paths [][]any
		}](t, code, g.verb("path", p.From, p.To, "--all")...)
		var got [][]string
		for _, path := range all.Paths {
			got = append(got, texts(path))
		}
		slices.SortFunc(got, slices.Compare)
		if !slices.EqualFunc(got, p.All, slices.Equal) || all.Count != len(p.All) {
			t.Errorf("from %s to %s: %d paths %v, want %v", p.From, p.To, all.Count, got, p.All)
		}
		if hops, _ := g.kPaths(t, code, p.From, p.To); !slices.Equal(hops, p.K) {
			t.Errorf("from %s to %s: %d hops, want %d", p.From, p.To, hops, p.K)
		}
		if len(p.Lightest) > 0 {
			if _, weights := g.kPaths(t, code, p.From, p.To, "--weighted"); !slices.Equal(weights, p.Lightest) {
				t.Errorf("from %s to %s: weights %v, want %v", p.From, p.To, weights, p.Lightest)
			}
		}
	}
}

func texts(path []any) (names []string) {
	for _, v := range path {
		if number, ok := v.(float64); ok {
			v = strconv.Itoa(int(number))
		}
		names = append(names, v.(string))
	}
	return names
}

func (g *networkxQuestions) kPaths(t *testing.T, code int, from, to string, flags ...string) (hops []int, weights []float64) {
	for _, p := range asJSON[kAnswer](t, code, g.verb("path", append([]string{from, to, "--k", "7"}, flags...)...)...).Paths {
		if hops = append(hops, p.Hops); p.Distance != nil {
			weights = append(weights, *p.Distance)
		}
	}
	return hops, weights
}

func (g *networkxQuestions) checkStrong(t *testing.T) {
	var sizes []int64
	for _, c := range asJSON[componentsAnswer](t, exitOK, g.verb("components", "--strong")...).Components {
		sizes = append(sizes, c.Vertices)
	}
	if !slices.Equal(sizes, g.Strong) {
		t.Errorf("strong components of %v, want %v", sizes, g.Strong)
	}
	if len(g.Eccentricities) == 0 {
		return
	}
	found := asJSON[diameterAnswer](t, exitOK, g.verb("diameter")...)
	far := slices.Sorted(maps.Values(g.Eccentricities))
	if *found.Diameter != far[len(far)-1] || *found.Radius != far[0] {
		t.Errorf("diameter %d, radius %d, want %d and %d", *found.Diameter, *found.Radius, far[len(far)-1], far[0])
	}
	want := map[string]float64{}
	for v, e := range g.Eccentricities {
		want[v] = float64(e)
	}
	g.checkRows(t, want, "diameter", "--eccentricities", "-")
}

func (g *networkxQuestions) checkFigures(t *testing.T) {
	g.checkRows(t, g.Betweenness, "betweenness", "--output", "-")
	g.checkRows(t, g.Raw, "betweenness", "--raw", "--output", "-")
	g.checkRows(t, g.Degrees, "degrees", "--output", "-")
}

// checkRows compares the figures of a verb's CSV.
func (g *networkxQuestions) checkRows(t *testing.T, want map[string]float64, name string, flags ...string) {
	t.Helper()
	rows, err := csv.NewReader(bytes.NewReader(ask(t, exitOK, g.verb(name, flags...)...))).ReadAll()
	if err != nil || len(rows) != len(want)+1 {
		t.Fatalf("%s: %d rows, want %d: %v", name, len(rows), len(want)+1, err)
	}
	for _, row := range rows[1:] {
		figure, err := strconv.ParseFloat(row[1], 64)
		if expected, ok := want[row[0]]; err != nil || !ok || math.Abs(figure-expected) > 1e-12*max(1, expected) {
			t.Errorf("%s of %s: %s, want %g", name, row[0], row[1], expected)
		}
	}
}
