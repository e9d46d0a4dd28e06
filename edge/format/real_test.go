package format

import (
	"bufio"
	"flag"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// searched returns the levels of a search in the simplest way there is, by name.
// Vertices that cannot be reached are missing.
func searched(g fileGraph, root string) map[string]int {
	next := map[string][]string{}
	for _, e := range g.edges {
		next[e.from] = append(next[e.from], e.to)
		if !g.directed {
			next[e.to] = append(next[e.to], e.from)
		}
	}
	level := map[string]int{root: 0}
	for queue := []string{root}; len(queue) > 0; queue = queue[1:] {
		for _, v := range next[queue[0]] {
			if _, ok := level[v]; !ok {
				level[v] = level[queue[0]] + 1
				queue = append(queue, v)
			}
		}
	}
	return level
}

func realGraph(t *testing.T, path string, opts Options) fileGraph {
	t.Helper()
	in, err := Open(t.Context(), path, opts)
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	return content(t, in)
}

func published(name string) string { return filepath.Join("testdata", "real", name) }

// distances returns the largest distance and the mean over all pairs.
func distances(g fileGraph) (diameter int, mean float64) {
	sum, pairs := 0, 0
	names := map[string]bool{}
	for _, e := range g.edges {
		names[e.from], names[e.to] = true, true
	}
	for root := range names {
		for v, level := range searched(g, root) {
			if v != root {
				sum, pairs, diameter = sum+level, pairs+1, max(diameter, level)
			}
		}
	}
	return diameter, float64(sum) / float64(pairs)
}

// Degrees as in the gallery of NetworkX, which numbers members from 0; diameter
// and mean distance are in many papers.
func TestKarateClub(t *testing.T) {
	g := realGraph(t, published("karate.mtx"), Options{})
	want := []int{
		16, 9, 10, 6, 3, 4, 4, 4, 5, 2, 3, 1, 2, 5, 2, 2, 2, 2, 2, 3, 2, 2, 2, 5, 3, 3, 2, 4, 3, 4, 4, 6, 12, 17,
	}
	degrees := make([]int, len(want))
	for _, e := range g.edges {
		for _, end := range []string{e.from, e.to} {
			v, err := strconv.Atoi(end)
			if err != nil {
				t.Fatal(err)
			}
			degrees[v-1]++
		}
	}
	if g.vertices != 34 || len(g.edges) != 78 || g.directed || !slices.Equal(degrees, want) {
		t.Errorf("%d vertices, %d edges, degrees %v", g.vertices, len(g.edges), degrees)
	}
	if diameter, mean := distances(g); diameter != 5 || mean < 2.4081 || mean > 2.4083 {
		t.Errorf("diameter %d, mean distance %v, want 5 and 2.4082", diameter, mean)
	}
}

// The Medici have most ties, six, and a closeness of 0.56; the Pazzi are married
// to the Salviati alone.
func TestFlorentineFamilies(t *testing.T) {
	g := realGraph(t, published("florentine.csv"), Options{IDs: TextIDs, Header: WithHeader})
	sum := 0
	for _, level := range searched(g, "Medici") {
		sum += level
	}
	if g.vertices != 15 || len(g.edges) != 20 || sum != 25 { // 14 others / 25 = 0.56
		t.Errorf("%d families, %d marriages, distances from the Medici add up to %d", g.vertices, len(g.edges), sum)
	}
	ties := map[string]int{}
	for _, e := range g.edges {
		ties[e.from]++
		ties[e.to]++
	}
	if ties["Medici"] != 6 || ties["Pazzi"] != 1 {
		t.Errorf("ties %v", ties)
	}
}

// Breadth-first search finds Arad, Sibiu, Fagaras, Bucharest; the way by Rimnicu
// Vilcea and Pitesti is shorter by 32 km, but has one hop more.
func TestRoadsOfRomania(t *testing.T) {
	g := realGraph(t, published("romania.csv"), Options{IDs: TextIDs, Columns: []string{"from", "to", "km"}})
	if g.vertices != 20 || len(g.edges) != 23 || !g.weighted {
		t.Fatalf("%d towns, %d roads", g.vertices, len(g.edges))
	}
	if level := searched(g, "Arad"); level["Sibiu"] != 1 || level["Fagaras"] != 2 || level["Bucharest"] != 3 {
		t.Errorf("levels %v", level)
	}
	km := map[[2]string]float32{}
	for _, e := range g.edges {
		km[[2]string{e.from, e.to}] = e.weight
	}
	if far := km[[2]string{"Arad", "Sibiu"}] + km[[2]string{"Sibiu", "Fagaras"}] + km[[2]string{"Fagaras", "Bucharest"}]; far != 450 {
		t.Errorf("%v km by Fagaras, want 450", far)
	}
}

var graphs = flag.String("graphs", "", "folder of the larger graphs that testdata/real/README.md lists")

// graphsFolder returns the path of a larger graph, or skips the test.
func graphsFolder(t *testing.T, name string) string {
	path := filepath.Join(*graphs, name)
	if *graphs == "" {
		t.Skip("-graphs names no folder; testdata/real/README.md says what it is for")
	}
	if _, err := os.Stat(path); err != nil {
		t.Skip(err)
	}
	return path
}

// libgrape-lite has searched the same graph, directed and not.
func TestGnutellaAgreesWithLibgrape(t *testing.T) {
	path := graphsFolder(t, "p2p-Gnutella31.e")
	for file, directed := range map[string]bool{"p2p-31-BFS": false, "p2p-31-BFS-directed": true} {
		g := realGraph(t, path, Options{Format: "edges", Directed: directed})
		if g.vertices != 62586 || len(g.edges) != 147892 {
			t.Errorf("%d vertices, %d edges, want 62586 and 147892", g.vertices, len(g.edges))
		}
		level := searched(g, "6")
		results, err := os.Open(graphsFolder(t, file))
		if err != nil {
			t.Fatal(err)
		}
		defer results.Close()
		for s := bufio.NewScanner(results); s.Scan(); {
			name, text, _ := strings.Cut(s.Text(), " ")
			want, err := strconv.ParseInt(text, 10, 64) // the largest one if it is not reached
			got, reached := level[name]
			if err != nil || reached != (want < math.MaxInt64) || reached && int64(got) != want {
				t.Fatalf("%s: vertex %s is at level %d, %v, want %s", file, name, got, reached, text)
			}
		}
	}
}

func TestEmailHasThePublishedSize(t *testing.T) {
	g := realGraph(t, graphsFolder(t, "email-Eu-core.txt"), Options{})
	if g.vertices != 1005 || len(g.edges) != 25571 {
		t.Errorf("%d vertices, %d edges, want 1005 and 25571", g.vertices, len(g.edges))
	}
	if diameter, _ := distances(g); diameter != 7 {
		t.Errorf("diameter %d, want 7", diameter)
	}
}
