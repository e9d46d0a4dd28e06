package main

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"testing"
)

// networkxWeights are a graph with what NetworkX says about its distances by weight; see weights.py.
type networkxWeights struct {
	File     string
	Flags    []string
	Vertices []string
	Searches []struct {
		Root      string
		Distances []*float64 // in the order of Vertices; nil: there is no path
	}
}

// Every engine with shortest paths finds the distances by weight that NetworkX finds. The
// roads of Rome are skipped unless -graphs names their folder.
func TestNetworkXWeights(t *testing.T) {
	if testing.Short() {
		t.Skip("the engines have short tests of their own")
	}
	text, err := os.ReadFile("testdata/networkx/weights.json")
	if err != nil {
		t.Fatal(err)
	}
	var answers struct{ Graphs []networkxWeights }
	if err := json.Unmarshal(text, &answers); err != nil {
		t.Fatal(err)
	}
	engines := []string{"cpu", "cluster:ranks=3,hosts=3"}
	for _, engine := range enginesToAsk(t) {
		if findsPaths(engine) {
			engines = append(engines, engine)
		}
	}
	for _, g := range answers.Graphs {
		for _, engine := range engines {
			t.Run(filepath.Join(append([]string{engine, g.File}, g.Flags...)...), func(t *testing.T) {
				g.check(t, realFile(t, g.File), engine)
			})
		}
	}
	if len(answers.Graphs) < 3 || len(engines) < 5 {
		t.Errorf("%d graphs, engines %v", len(answers.Graphs), engines)
	}
}

// realFile returns the path of a real graph, or skips the test.
func realFile(t *testing.T, name string) string {
	t.Helper()
	file := filepath.Join("../../edge/format/testdata/real", name)
	if _, err := os.Stat(file); err != nil {
		file = filepath.Join(*graphsFolder, name)
	}
	if _, err := os.Stat(file); err != nil {
		t.Skip("-graphs has no such file")
	}
	return file
}

// check compares the distances of all vertices from all roots.
func (g *networkxWeights) check(t *testing.T, file, engine string) {
	none := math.Inf(1)
	for _, s := range g.Searches {
		args := append([]string{"sssp", file, "--root", s.Root, "--distances", "-", "--engine", engine}, g.Flags...)
		rows, err := csv.NewReader(bytes.NewReader(ask(t, exitOK, args...))).ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		found := map[string]float64{}
		for _, row := range rows[1:] {
			if found[row[0]], err = strconv.ParseFloat(row[1], 64); err != nil {
				t.Fatal(err)
			}
		}
		reached := 0
		for v, want := range s.Distances {
			got, has := found[g.Vertices[v]]
			if want == nil {
				want = &none
			} else {
				reached++
			}
			if !has {
				got = none
			}
			if got != *want {
				t.Fatalf("from %s: %s is %v away, want %v", s.Root, g.Vertices[v], got, *want)
			}
		}
		if reached != len(rows)-1 {
			t.Errorf("from %s: %d rows, want %d", s.Root, len(rows)-1, reached)
		}
	}
}
