package format

import (
	"bufio"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/gohops/hops"
	"github.com/gohops/hops/edge"
)

// benchGraph is a Kronecker graph with names from first on.
func benchGraph(b *testing.B, scale int, first uint64) fileGraph {
	k, err := edge.NewKronecker(scale, 16, 2, 3)
	if err != nil {
		b.Fatal(err)
	}
	edges := make([]hops.Edge, k.NumEdges())
	if _, err := k.EdgesAt(edges, 0); err != nil {
		b.Fatal(err)
	}
	g := fileGraph{vertices: 1 << scale}
	for i, e := range edges {
		if e.U != e.V {
			g.edges = append(g.edges, namedEdge{decimal(uint64(e.U) + first), decimal(uint64(e.V) + first), float32(i % 255)})
		}
	}
	return g
}

// A benchFile is a file to be read: how it is made and read.
type benchFile struct {
	name string
	data func() []byte
	opts Options
}

// benchFiles are the same graph in all formats.
func benchFiles(b *testing.B, scale int) []benchFile {
	from0 := benchGraph(b, scale, 0)
	from1 := benchGraph(b, scale, 1)
	weighted := from1
	weighted.weighted = true
	lines := edgeLines(from0, "", " ", "\n")
	text := func(s string) func() []byte { return func() []byte { return []byte(s) } }
	return []benchFile{
		{"edges.el", text(lines), Options{}},
		{"weighted.wel", text(edgeLines(weighted, "", " ", "\n")), Options{}},
		{"comma.csv", text("from,to\n" + strings.ReplaceAll(lines, " ", ",")), Options{}},
		{"sparse.el", text(edgeLines(from0, "", "000000 ", "000000\n")), Options{}},
		{"names.txt", text(edgeLines(from0, "page", " page", "\n")), Options{IDs: TextIDs}},
		{"matrix.mtx", text(matrixText(general)(from1)), Options{}},
		{"metis.graph", text(metisText(from1, "")), Options{}},
		{"dimacs.gr", text("p sp " + size(from1) + "\n" + edgeLines(weighted, "a ", " ", "\n")), Options{}},
		{"gapbs.sg", func() []byte { return serializedBytes(from0, false) }, Options{}},
		{"graph500.packed", func() []byte { return packedBytes(from0) }, Options{}},
		{"edges.el.gz", func() []byte { return gzipped(b, []byte(lines)) }, Options{}},
		{"edges.el.zst", func() []byte { return zstandard(b, []byte(lines)) }, Options{}},
	}
}

// benchScale gives files of some 12 MB.
const benchScale = 16

// BenchmarkRead counts bytes of the file as it lies there, and edges.
func BenchmarkRead(b *testing.B) {
	dir := b.TempDir()
	for _, f := range benchFiles(b, benchScale) {
		path := filepath.Join(dir, f.name)
		if err := os.WriteFile(path, f.data(), 0o600); err != nil {
			b.Fatal(err)
		}
		b.Run(f.name, func(b *testing.B) { benchmarkOpen(b, path, f.opts) })
	}
}

func benchmarkOpen(b *testing.B, path string, opts Options) {
	info, err := os.Stat(path)
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(info.Size())
	b.ReportAllocs()
	var edges int64
	for b.Loop() {
		in, err := Open(b.Context(), path, opts)
		if err != nil {
			b.Fatal(err)
		}
		edges += in.edges.NumEdges()
		_ = in.Close()
	}
	b.ReportMetric(float64(edges)/b.Elapsed().Seconds(), "edges/s")
}

var fileFlag = flag.String("file", "", "edge list that BenchmarkFile reads")

// BenchmarkFile reads the edge list of -file, for comparison with other programs.
func BenchmarkFile(b *testing.B) {
	path := *fileFlag
	if path == "" {
		b.Skip("-file names none")
	}
	b.Run("hops", func(b *testing.B) { benchmarkOpen(b, path, Options{}) })
	b.Run("scanner", func(b *testing.B) { benchmarkScanner(b, path) })
}

// BenchmarkScanner is the loop that one writes without this package. It neither
// checks nor renumbers.
func BenchmarkScanner(b *testing.B) {
	lines := edgeLines(benchGraph(b, benchScale, 0), "", " ", "\n")
	path := filepath.Join(b.TempDir(), "x.el")
	if err := os.WriteFile(path, []byte(lines), 0o600); err != nil {
		b.Fatal(err)
	}
	benchmarkScanner(b, path)
}

func benchmarkScanner(b *testing.B, path string) {
	info, err := os.Stat(path)
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(info.Size())
	b.ReportAllocs()
	for b.Loop() {
		edges, err := scanEdges(path)
		if err != nil || len(edges) == 0 {
			b.Fatal(len(edges), err)
		}
	}
}

func scanEdges(path string) (edges []hops.Edge, err error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	s := bufio.NewScanner(f)
	for s.Scan() {
		fields := strings.Fields(s.Text())
		if len(fields) != 2 {
			return nil, fmt.Errorf("%d columns", len(fields))
		}
		u, err := strconv.ParseUint(fields[0], 10, 64)
		if err != nil {
			return nil, err
		}
		v, err := strconv.ParseUint(fields[1], 10, 64)
		if err != nil {
			return nil, err
		}
		edges = append(edges, hops.Edge{U: hops.Vertex(u), V: hops.Vertex(v)})
	}
	return edges, s.Err()
}
