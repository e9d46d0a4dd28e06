package format

import (
	"errors"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// ends are the edges of a graph, without order and direction.
func ends(g fileGraph) map[string]int {
	count := map[string]int{}
	for _, e := range g.edges {
		pair := []string{e.from, e.to}
		slices.Sort(pair)
		count[strings.Join(pair, "\t")]++
	}
	return count
}

// What NetworkX and Graphviz have written is the graph that they were given.
func TestFilesOfOtherPrograms(t *testing.T) {
	want := realGraph(t, published("florentine.csv"), Options{})
	for _, suffix := range []string{".graphml", ".gml", ".net", ".adjlist", ".json", ".dot"} {
		got := realGraph(t, filepath.Join("testdata", "networkx", "florentine"+suffix), Options{})
		if got.vertices != 15 || got.directed || !maps.Equal(ends(got), ends(want)) {
			t.Errorf("%s: %d vertices, directed %v, edges %v", suffix, got.vertices, got.directed, got.edges)
		}
	}
	edges := []namedEdge{{"a", "b", 1.5}, {"a", "d e", 4}, {"b", "c", 2}, {"c", "a", 0.25}}
	for _, suffix := range []string{".graphml", ".gml", ".net", ".json"} {
		got := realGraph(t, filepath.Join("testdata", "networkx", "weighted"+suffix), Options{})
		slices.SortFunc(got.edges, func(a, b namedEdge) int { return strings.Compare(a.from+a.to, b.from+b.to) })
		if got.vertices != 5 || !got.directed || !got.weighted || !slices.Equal(got.edges, edges) {
			t.Errorf("%s: %d vertices, directed %v, edges %v", suffix, got.vertices, got.directed, got.edges)
		}
	}
}

// documents are small files of all formats that are read from front to back.
var documents = []struct {
	name, data string
	vertices   uint64
	edges      int
}{
	{"x.graphml", `<graphml><graph edgedefault="undirected"><node id="a"/><edge source="a" target="b"/></graph></graphml>`, 2, 1},
	{"x.gml", "Creator \"me\"\ngraph [ node [ id 1 x [ y 2 ] ] node [ id 2 ] edge [ source 1 target 2 value -1.5 ] ]", 2, 1},
	{"x.dot", "/* c */ strict digraph \"G h\" { rankdir=LR; node [shape=box]; a -> {b; c} -> \"d\\\"\" [weight=2]; e:n; # f\n subgraph cluster_1 { a } }", 5, 4},
	{"x.gv", "graph { a -- b -- c; 1 -- -2.5 // end\n <x<b>y</b>> }", 6, 3},
	{"x.net", "*Vertices 3\n1 \"A b\"\n2 B\n*Arcs\n1 2 0.5\n*Edges\n2 3\n", 3, 3},
	{"x.net", "*Vertices 3\n1 same\n2 same\n*Edgeslist\n1 2 3\n", 3, 2},
	{"x.json", `{"nodes": [{"name": "p"}, {"name": "q"}], "links": [{"source": 0, "target": 1, "value": 3}]}`, 2, 1},
	{"x.json", `{"elements": {"nodes": [{"data": {"id": "a"}}], "edges": [{"data": {"source": "a", "target": "b"}}]}}`, 2, 1},
	{"x.json", `{"edges": [{"source": "a", "target": 1}], "nodes": [{"id": "a"}, {"id": 1}, {"id": "z"}]}`, 3, 1},
	{"x.adjlist", "# c\na b c\nd\n", 4, 2},
	{"x.nt", "<http://a> <http://p> <http://b> .\n_:x <http://p> \"Ada \\\"L\\\" Lovelace\"@en .\n# c\n<http://a> <p:q> _:x <g:h> .\n", 3, 2},
	{"x.gr", "c\np edge 3 2\nn 1 5\ne 1 2\ne 2 3\n", 3, 2},
}

// Documents are known by name and, without one, by content.
func TestDocumentsAreRead(t *testing.T) {
	for _, c := range documents {
		for _, name := range []string{c.name, "unknown"} {
			if name == "unknown" && c.name == "x.adjlist" {
				continue // looks like an edge list
			}
			for _, w := range ways {
				in, err := w.open(t, name, []byte(c.data), Options{})
				if err != nil {
					t.Fatalf("%v: %s: %q: %v", w, name, c.data, err)
				}
				if g := content(t, in); g.vertices != c.vertices || len(g.edges) != c.edges {
					t.Errorf("%s: %q: %d vertices, edges %v", name, c.data, g.vertices, g.edges)
				}
				_ = in.Close()
			}
		}
	}
}

func TestMalformedDocumentsAreRefused(t *testing.T) {
	for _, c := range []struct{ name, data, want string }{
		{"x.graphml", "<graphml>\n<graph>\n<edge source='a'/>", "x.graphml:3: a name is missing"},
		{"x.graphml", "<graphml>\n<graph>\n</node>", "x.graphml:3: not well-formed XML"},
		{"x.graphml", "<html/>", "x.graphml: this is a web page"},
		{"x.graphml", "<a/>", "x.graphml:1: the file has no graph"},
		{"x.gml", "graph [\nnode [ id 1\n", "x.gml:3: the file ends within a list"},
		{"x.gml", "graph [\nedge [ source 1 target 2 ] ]", `x.gml:2: an edge from "1" to "2", which are not both nodes`},
		{"x.dot", "graph {\na -> b }", "x.dot:2: -> is not an edge"},
		{"x.dot", "graph {\na -- ", "x.dot:2: the file ends within the graph"},
		{"x.dot", "garph {}", `x.dot:1: "garph", where graph or digraph`},
		{"x.net", "*Vertices 2\n*Arcs\n1 3\n", "x.net:3: vertex 3 is not within 1 … 2"},
		{"x.json", "{\"links\":\n[{\"source\": 1}]}", "x.json:2: a name is missing"},
		{"x.json", "{\"links\":\n[", "x.json:2: the file ends within an object"},
		{"x.json", "[1]", "x.json:1: not a graph in JSON"},
		{"x.nt", "<a> <b> <c> .\n<a> b <c> .\n", `x.nt:2: "b <c> .", where a term`},
		{"x.nt", "<a> <b> <c>\n", "x.nt:1: a triple does not end with a point"},
		{"x.gr", "p edge 2 1\na 1 2\n", `x.gr:2: a line that begins with "a", where arcs begin with "e"`},
		{"x.npy", npyMagic + "\x01\x00\x10\x00{'descr': 'more'}", "x.npy: offset 10: the header is "},
		{"x.txt", "\xFD7zXZ\x00", "x.txt:1: not an xz file"},
	} {
		_, err := ways[1].open(t, c.name, []byte(c.data), Options{})
		if err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%s %q: %v, want %s", c.name, c.data, err, c.want)
		}
	}
}

// Whatever bytes a document has, all ways to read it agree, and an error says where.
func FuzzDocuments(f *testing.F) {
	for i, c := range documents {
		f.Add(c.name, []byte(c.data))
		f.Add(documents[(i+1)%len(documents)].name, []byte(c.data))
	}
	f.Add("x.npy", npyBytes("<i4", "False", "(2, 2)", 0, 1, 1, 2))
	f.Fuzz(func(t *testing.T, name string, data []byte) {
		if isCompressed(data) || strings.ContainsAny(name, "/\x00") {
			t.Skip()
		}
		suffix := (&file{path: name}).suffix()
		if suffix == ".v" || suffix == ".e" || suffix == ".packed" {
			t.Skip("files beside it, which the fuzzer has not made")
		}
		first, firstErr := fuzzWays[0].open(t, name, data, Options{})
		for _, w := range fuzzWays[1:] {
			in, err := w.open(t, name, data, Options{})
			if (err == nil) != (firstErr == nil) {
				t.Fatalf("%v: %v, but %v: %v", w, err, fuzzWays[0], firstErr)
			}
			if at := new(Error); err != nil && !errors.As(err, &at) {
				t.Fatalf("error %v does not say where", err)
			}
			if err == nil && in.edges != nil {
				if diff := content(t, in).differs(content(t, first)); diff != "" {
					t.Fatalf("%v: %s", w, diff)
				}
			}
		}
	})
}
