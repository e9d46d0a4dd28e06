package format

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// graphFiles writes the files of a Graphalytics graph and returns the path of its
// edges. Names that end in .gz or .zst are compressed.
func graphFiles(t testing.TB, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		data := []byte(text)
		switch filepath.Ext(name) {
		case ".gz":
			data = gzipped(t, data)
		case ".zst":
			data = zstandard(t, data)
		}
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return filepath.Join(dir, "g.e")
}

func TestGraphalytics(t *testing.T) {
	const v, e = "10\n7\n\n99999999999\n3", "10 7\n7 99999999999\n"
	want := fileGraph{vertices: 4, edges: []namedEdge{{from: "10", to: "7"}, {from: "7", to: "99999999999"}}}
	for _, c := range []struct {
		files     map[string]string
		open      string
		wish      bool
		directed  bool
		decidedBy string
	}{
		{map[string]string{"g.v": v, "g.e": e}, "g.e", false, false, ByDefault},
		{map[string]string{"g.v": v, "g.e": e}, "g.v", true, true, ByFlag},
		{map[string]string{"g.v.gz": v, "g.e.zst": e, "g.properties": "# c\ngraph.g.directed = true\ngraph.g.meta.vertices = 4\ngraph.g.meta.edges = 2\n"}, "g.e.zst", false, true, ByFormat},
		{map[string]string{"g.v": v, "g.e": e, "g.properties": "graph.g.directed=false"}, "g.e", false, false, ByFormat},
	} {
		dir := filepath.Dir(graphFiles(t, c.files))
		for _, block := range []int{1, 3, 1 << 16} {
			in, err := Open(t.Context(), filepath.Join(dir, c.open), Options{Directed: c.wish, blockBytes: block, Threads: 3})
			if err != nil {
				t.Fatal(err)
			}
			want.directed = c.directed
			if diff := content(t, in).differs(want); diff != "" || in.DirectedBy != c.decidedBy {
				t.Errorf("%s: %s, directed by %q, want %q", c.open, diff, in.DirectedBy, c.decidedBy)
			}
			_ = in.Close()
		}
	}
}

func TestMalformedGraphalytics(t *testing.T) {
	for _, c := range []struct{ v, e, properties, want string }{
		{"1\n2\n", "1 2\n2 5\n", "", "g.e:2: vertex 5 is not in g.v"},
		{"1\n2\n\n1\n", "1 2\n", "", "g.v:4: vertex 1 is listed twice"},
		{"0\n3000000000\n0\n", "0 0\n", "", "g.v:3: vertex 0 is listed twice"},
		{"1\n-2\n", "1 2\n", "", `g.v:2: name "-2" is negative`},
		{"1\n2 3\n", "1 2\n", "", `g.v:2: name "2 3" is not a number`},
		{"", "1 2\n", "", "g.v:1: the file has no vertices"},
		{"1\n2\n", "1 2 0.5\n2 1\n", "", "g.e:2: 2 columns, where there should be 3"},
		{"1\n2\n", "1 2 inf\n", "", `g.e:1: weight "inf" is not finite`},
		{"1\n2\n", "1 2\n", "graph.g.directed = maybe\n", `g.properties:1: graph.g.directed is "maybe", neither true nor false`},
		{"1\n2\n", "1 2\n", "\ngraph.g.meta.edges = 2\n", `g.properties:2: graph.g.meta.edges is "2", there are 1`},
		{"1\n2\n", "1 2\n", "graph.g.meta.vertices = 3\n", `g.properties:1: graph.g.meta.vertices is "3", there are 2`},
	} {
		path := graphFiles(t, map[string]string{"g.v": c.v, "g.e": c.e, "g.properties": c.properties})
		for _, block := range []int{1, 1 << 16} {
			in, err := Open(t.Context(), path, Options{blockBytes: block, Threads: 2})
			if err == nil {
				t.Errorf("%q, %q were read as %v, want %s", c.v, c.e, in, c.want)
				continue
			}
			if got := strings.ReplaceAll(err.Error(), filepath.Dir(path)+"/", ""); got != c.want {
				t.Errorf("%s, want %s", got, c.want)
			}
		}
	}
}

// graphalyticsOracle reads both files with the standard library.
func graphalyticsOracle(v, e []byte) (g fileGraph, inEdges bool, err error) {
	if isUTF16(v) {
		return g, false, wrong{1}
	}
	seen := map[uint64]bool{}
	lines := scanned(v)
	repeated := int64(0)
	for i, line := range lines {
		field := blank(line)
		if field == "" {
			continue
		}
		x, ok := parseName(field)
		if !ok {
			return g, false, wrong{int64(i) + 1}
		}
		if seen[x] && repeated == 0 {
			repeated = int64(i) + 1
		}
		seen[x] = true
	}
	switch {
	case len(seen) == 0:
		return g, false, wrong{}
	case repeated > 0:
		return g, false, wrong{repeated}
	case isUTF16(e):
		return g, true, wrong{1}
	}
	g.vertices = uint64(len(seen))
	columns := 0
	for i, line := range scanned(e) {
		fields := fieldsOf(line)
		if len(fields) == 0 {
			continue
		}
		if columns == 0 {
			columns = 2
			if len(fields) == 3 {
				columns, g.weighted = 3, true
			}
		}
		edge, ok := graphalyticsEdge(fields, columns, seen)
		if !ok {
			return g, true, wrong{int64(i) + 1}
		}
		g.edges = append(g.edges, edge)
	}
	return g, true, nil
}

func graphalyticsEdge(fields []string, columns int, seen map[uint64]bool) (namedEdge, bool) {
	if len(fields) != columns {
		return namedEdge{}, false
	}
	u, okU := parseName(fields[0])
	v, okV := parseName(fields[1])
	edge := namedEdge{from: decimal(u), to: decimal(v)}
	okW := true
	if columns == 3 {
		edge.weight, okW = value(fields[2])
	}
	return edge, okU && okV && okW && seen[u] && seen[v]
}

func FuzzGraphalytics(f *testing.F) {
	f.Add([]byte("1\n2\n3\n"), []byte("1 2\n2 3\n"))
	f.Add([]byte("1\r\n \n18446744073709551615"), []byte("1 18446744073709551615 0.5\n1 1 2\n"))
	f.Add([]byte("0\n0\n"), []byte("0 0\n"))
	f.Add([]byte("5\n"), []byte("5 6\n"))
	f.Fuzz(func(t *testing.T, v, e []byte) {
		if isCompressed(v) || isCompressed(e) {
			t.Skip("compressed data is for the reader of another format")
		}
		want, inEdges, fails := graphalyticsOracle(v, e)
		path := graphFiles(t, map[string]string{"g.v": string(v), "g.e": string(e)})
		for _, block := range []int{1, 7, 1 << 16} {
			in, err := Open(t.Context(), path, Options{blockBytes: block, Threads: 2})
			if fails != nil {
				agreeOnError(t, way{"plain", block, 2}, in, err, fails)
				var at *Error
				if errors.As(err, &at) && strings.HasSuffix(at.File, ".e") != inEdges {
					t.Fatalf("%v: in the wrong file", err)
				}
				continue
			}
			if err != nil {
				t.Fatal(err)
			}
			if diff := content(t, in).differs(want); diff != "" {
				t.Fatal(diff)
			}
			_ = in.Close()
		}
	})
}
