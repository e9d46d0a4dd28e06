package format

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"io"
	"testing"

	"github.com/gohops/hops"
	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

// A way is one of the ways in which the same bytes can be read.
type way struct {
	compression string // "plain", "pipe", "gzip", "zstd" or "zip"
	block       int
	threads     int
}

func (w way) String() string {
	return fmt.Sprintf("%s in blocks of %d by %d threads", w.compression, w.block, w.threads)
}

// ways are those that every test goes: blocks so small that each line straddles
// them, and all kinds of compression.
var ways = []way{
	{"plain", 1 << 16, 1},
	{"plain", 1, 2},
	{"plain", 2, 3},
	{"plain", 13, 4},
	{"pipe", 1, 2},
	{"pipe", 7, 3},
	{"pipe", 1 << 16, 1},
	{"gzip", 5, 2},
	{"zstd", 31, 3},
	{"zip", 11, 2},
}

// open reads data as if it were the content of a file of that name.
func (w way) open(t testing.TB, name string, data []byte, opts Options) (*Input, error) {
	t.Helper()
	f := &file{name: name, path: name}
	opts.blockBytes, opts.Threads = w.block, w.threads
	var err error
	switch w.compression {
	case "plain":
		err = f.begin(bytes.NewReader(data), bytes.NewReader(data), int64(len(data)))
	case "pipe":
		err = f.begin(bytes.NewReader(data), nil, 0)
	case "gzip":
		err = f.begin(bytes.NewReader(gzipped(t, data)), nil, 0)
	case "zstd":
		err = f.begin(bytes.NewReader(zstandard(t, data)), nil, 0)
	case "zip":
		archive := archived(t, map[string][]byte{name: data})
		err = f.begin(bytes.NewReader(archive), bytes.NewReader(archive), int64(len(archive)))
	}
	if err != nil {
		return nil, err
	}
	defer f.close()
	return f.read(t.Context(), opts)
}

func gzipped(t testing.TB, data []byte) []byte {
	var b bytes.Buffer
	w, err := gzip.NewWriterLevel(&b, gzip.BestSpeed)
	if err != nil {
		t.Fatal(err)
	}
	return compressed(t, &b, w, data)
}

func zstandard(t testing.TB, data []byte) []byte {
	var b bytes.Buffer
	w, err := zstd.NewWriter(&b, zstd.WithEncoderConcurrency(1))
	if err != nil {
		t.Fatal(err)
	}
	return compressed(t, &b, w, data)
}

// archived returns an archive of files, which are in a folder.
func archived(t testing.TB, files map[string][]byte) []byte {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	_, err := z.Create("folder/")
	for name, data := range files {
		var w io.Writer
		if err == nil {
			w, err = z.Create("folder/" + name)
		}
		if err == nil {
			_, err = w.Write(data)
		}
	}
	if err := errors.Join(err, z.Close()); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func compressed(t testing.TB, b *bytes.Buffer, w io.WriteCloser, data []byte) []byte {
	if _, err := w.Write(data); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// A fileGraph is what a file means, in its own names.
type fileGraph struct {
	vertices uint64
	edges    []namedEdge
	weighted bool
	directed bool
}

// A namedEdge has the names of its ends.
type namedEdge struct {
	from, to string
	weight   float32
}

// content returns what was read, and checks that an Input keeps its promises.
func content(t testing.TB, in *Input) fileGraph {
	t.Helper()
	src := in.edges
	g := fileGraph{vertices: uint64(src.NumVertices()), directed: in.Directed}
	edges := make([]hops.Edge, src.NumEdges())
	if n, err := src.EdgesAt(edges, 0); n != len(edges) || err != nil {
		t.Fatalf("%d of %d edges: %v", n, len(edges), err)
	}
	if n, err := src.EdgesAt(make([]hops.Edge, 1), src.NumEdges()); n != 0 || err != io.EOF {
		t.Fatalf("%d edges past the end: %v", n, err)
	}
	weights := make([]float32, len(edges))
	w, weighted := src.(hops.WeightedSource)
	if g.weighted = weighted; weighted {
		if n, err := w.WeightsAt(weights, 0); n != len(edges) || err != nil {
			t.Fatalf("%d of %d weights: %v", n, len(edges), err)
		}
	}
	for i, e := range edges {
		g.edges = append(g.edges, namedEdge{nameOf(t, in, e.U), nameOf(t, in, e.V), weights[i]})
	}
	return g
}

// nameOf returns the name of v, which must lead back to it.
func nameOf(t testing.TB, in *Input, v hops.Vertex) string {
	t.Helper()
	if v >= in.edges.NumVertices() {
		t.Fatalf("vertex %d of %d", v, in.edges.NumVertices())
	}
	name := in.Names.Name(v)
	if back, ok := in.Names.Lookup(name); !ok || back != v {
		t.Fatalf("vertex %d is called %q, which is found as %d, %v", v, name, back, ok)
	}
	return name
}

// A wrong is what an oracle says of a file that is not well-formed: the line, or
// 0 if it cannot tell.
type wrong struct{ line int64 }

func (w wrong) Error() string { return fmt.Sprintf("line %d", w.line) }

// agree checks that reading gives what the oracle says, in all of the ways.
func agree(t testing.TB, name string, data []byte, opts Options, ways []way, want fileGraph, fails error) {
	t.Helper()
	for _, w := range ways {
		in, err := w.open(t, name, data, opts)
		if fails != nil {
			agreeOnError(t, w, in, err, fails)
			continue
		}
		if err != nil {
			t.Fatalf("%v: %v, want a graph of %d edges", w, err, len(want.edges))
		}
		got := content(t, in)
		if err := in.Close(); err != nil {
			t.Fatal(err)
		}
		if diff := got.differs(want); diff != "" {
			t.Fatalf("%v: %s", w, diff)
		}
	}
}

func agreeOnError(t testing.TB, w way, in *Input, err, fails error) {
	t.Helper()
	if err == nil {
		t.Fatalf("%v: read as a graph of %d edges, want an error in %v", w, in.edges.NumEdges(), fails)
	}
	var at *Error
	if !errors.As(err, &at) {
		t.Fatalf("%v: error %v does not say where", w, err)
	}
	var expected wrong
	if errors.As(fails, &expected) && expected.line > 0 && at.Line != expected.line {
		t.Fatalf("%v: error %v, want one in line %d", w, err, expected.line)
	}
}

// differs says how a graph is not the one expected.
func (g fileGraph) differs(want fileGraph) string {
	switch {
	case g.vertices != want.vertices:
		return fmt.Sprintf("%d vertices, want %d", g.vertices, want.vertices)
	case len(g.edges) != len(want.edges):
		return fmt.Sprintf("%d edges, want %d", len(g.edges), len(want.edges))
	case g.weighted != want.weighted:
		return fmt.Sprintf("weighted: %v, want %v", g.weighted, want.weighted)
	case g.directed != want.directed:
		return fmt.Sprintf("directed: %v, want %v", g.directed, want.directed)
	}
	for i := range g.edges {
		if g.edges[i] != want.edges[i] {
			return fmt.Sprintf("edge %d is %v, want %v", i, g.edges[i], want.edges[i])
		}
	}
	return ""
}
