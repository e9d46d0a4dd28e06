package format

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// What a file holds is found out by looking at it, and options overrule that.
func TestNamesAndHeadersAreFoundOut(t *testing.T) {
	families := "family,married into\n" + strings.Repeat("Medici,Pazzi\n", 5)
	for _, c := range []struct {
		name, data string
		opts       Options
		text       bool
		edges      int64
		skipped    bool
	}{
		{"x.txt", "1 2\n2 3\n", Options{}, false, 2, false},
		{"x.txt", "Ada Bob\n", Options{}, true, 1, false},
		{"x.txt", "Ada Bob\nBob Cyd\n", Options{}, true, 2, false},
		{"x.txt", "FromNodeId ToNodeId\n1 2\n", Options{}, false, 1, true},
		{"x.txt", "from to\nAda Bob\n", Options{}, true, 1, true},
		{"x.txt", "from to\nAda Bob\n", Options{Header: NoHeader}, true, 2, false},
		{"x.txt", "0ab3 77fe\n11 22\n1a 2b\n", Options{}, true, 3, false},
		{"x.txt", strings.Repeat("1 2\n", 20), Options{IDs: TextIDs}, true, 20, false},
		{"x", "src;dst;km\nAda;Bob;3\n", Options{}, true, 1, true},
		{"x.csv", families, Options{}, true, 5, true},
		{"x.txt", families, Options{IDs: TextIDs}, true, 5, true},
		{"x.csv", families, Options{Header: NoHeader}, true, 6, false},
		{"x.csv", "Ada,Bob\nCyd,Dan\nEve,Fay\n", Options{}, true, 3, false},
		{"x.el", "source\ttarget\n- - a\ta\n", Options{}, true, 1, true},
		{"x.txt", "1 2 a\tb c\n3 4 d\t1 2 a\n", Options{}, true, 2, false},
		{"x.txt", "1\t2\t\n3\t4\t\n", Options{}, false, 2, false},
		{"x.csv", families + "family,Pazzi\n", Options{Header: NoHeader}, true, 7, false},
	} {
		for _, w := range ways {
			in, err := w.open(t, c.name, []byte(c.data), c.opts)
			if err != nil {
				t.Fatalf("%v: %q: %v", w, c.data, err)
			}
			if got := strings.Contains(in.Format, "skipped"); in.Names.IsText() != c.text || in.edges.NumEdges() != c.edges || got != c.skipped {
				t.Errorf("%v: %q: %d edges, %s", w, c.data, in.edges.NumEdges(), in.Format)
			}
			_ = in.Close()
		}
	}
}

// A first line that looked like a header is an edge if a later line, far beyond the
// sample, has one of its names.
func TestAHeaderHasNamesOfItsOwn(t *testing.T) {
	data := "Ada,Bob\n" + strings.Repeat("Medici,Pazzi\n", 1<<14) + "Bob,Pazzi\n"
	if _, err := (way{"pipe", 1 << 16, 2}).open(t, "x.csv", []byte(data), Options{}); err == nil || !strings.Contains(err.Error(), "say --header yes or --header no") {
		t.Errorf("from a pipe: %v", err)
	}
	path := filepath.Join(t.TempDir(), "x.csv")
	if err := os.WriteFile(path, []byte(data), 0o600); err != nil {
		t.Fatal(err)
	}
	in, err := Open(t.Context(), path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	if in.edges.NumEdges() != 1<<14+2 || in.edges.NumVertices() != 4 {
		t.Errorf("%d vertices, %d edges", in.edges.NumVertices(), in.edges.NumEdges())
	}
}

// Lines that are left out are counted, and the first are shown with their places.
func TestBadLinesAreCounted(t *testing.T) {
	data := "1 2\nx 3\n3 4\n5\n6 y\n-7 8\n9 10\n"
	want := []string{`x.txt:2: name "x" is not a number`, "x.txt:4: 1 columns, where there should be 2", `x.txt:5: name "y" is not a number`}
	for _, w := range ways {
		in, err := w.open(t, "x.txt", []byte(data), Options{IDs: IntIDs, SkipBadLines: true})
		if err != nil {
			t.Fatal(err)
		}
		var shown []string
		for _, e := range in.BadExamples {
			e, _, _ = strings.Cut(e, ";")
			shown = append(shown, e)
		}
		if in.edges.NumEdges() != 3 || in.BadLines != 4 || !slices.Equal(shown, want) {
			t.Errorf("%v: %d edges, %d bad lines: %q", w, in.edges.NumEdges(), in.BadLines, shown)
		}
		_ = in.Close()
	}
}
