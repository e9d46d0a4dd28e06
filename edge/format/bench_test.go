package format

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/gohops/hops"
	"github.com/gohops/hops/edge"
)

// benchGraph is a Kronecker graph with labels from first on.
func benchGraph(b *testing.B, scale int, first uint64) graph {
	k, err := edge.NewKronecker(scale, 16, 2, 3)
	if err != nil {
		b.Fatal(err)
	}
	edges := make([]hops.Edge, k.NumEdges())
	if _, err := k.EdgesAt(edges, 0); err != nil {
		b.Fatal(err)
	}
	g := graph{vertices: 1 << scale}
	for i, e := range edges {
		if e.U != e.V {
			g.edges = append(g.edges, labelled{decimal(uint64(e.U) + first), decimal(uint64(e.V) + first), float32(i % 255)})
		}
	}
	return g
}

// benchFiles are the same graph in all formats: the bytes and how they are read.
func benchFiles(b *testing.B, scale int) map[string]func() ([]byte, Options) {
	from0 := benchGraph(b, scale, 0)
	from1 := benchGraph(b, scale, 1)
	weighted := from1
	weighted.weighted = true
	lines := edgeLines(from0, "", " ", "\n")
	none := Options{}
	text := func(s string, opts Options) func() ([]byte, Options) {
		return func() ([]byte, Options) { return []byte(s), opts }
	}
	return map[string]func() ([]byte, Options){
		"x.el":        text(lines, none),
		"x.wel":       text(edgeLines(weighted, "", " ", "\n"), none),
		"x.csv":       text("from,to\n"+strings.ReplaceAll(lines, " ", ","), none),
		"x.el.gz":     func() ([]byte, Options) { return gzipped(b, []byte(lines)), none },
		"x.el.zst":    func() ([]byte, Options) { return zstandard(b, []byte(lines)), none },
		"far.el":      text(edgeLines(from0, "", "000000 ", "000000\n"), none),
		"x.txt":       text(edgeLines(from0, "page", " page", "\n"), Options{IDs: TextIDs}),
		"x.mtx":       text(matrixText(general)(from1), none),
		"x.gr":        text("p sp "+size(from1)+"\n"+edgeLines(weighted, "a ", " ", "\n"), none),
		"x.graph":     text(metisText(from1, ""), none),
		"x.sg":        func() ([]byte, Options) { return serializedBytes(from0, false), none },
		"x.packed":    func() ([]byte, Options) { return packedBytes(from0), none },
		"x.packed.gz": func() ([]byte, Options) { return gzipped(b, packedBytes(from0)), none },
	}
}

// benchScale gives files of some 12 MB.
const benchScale = 16

// BenchmarkRead counts bytes of the file as it lies there, and edges.
func BenchmarkRead(b *testing.B) {
	dir := b.TempDir()
	for name, make := range benchFiles(b, benchScale) {
		data, opts := make()
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, data, 0o600); err != nil {
			b.Fatal(err)
		}
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(data)))
			b.ReportAllocs()
			var edges int64
			for b.Loop() {
				in, err := Open(b.Context(), path, opts)
				if err != nil {
					b.Fatal(err)
				}
				edges += in.Source.NumEdges()
				_ = in.Close()
			}
			b.ReportMetric(float64(edges)/b.Elapsed().Seconds(), "edges/s")
		})
	}
}

// BenchmarkScanner is the loop that one writes without this package. It neither
// checks nor renumbers.
func BenchmarkScanner(b *testing.B) {
	lines := edgeLines(benchGraph(b, benchScale, 0), "", " ", "\n")
	path := filepath.Join(b.TempDir(), "x.el")
	if err := os.WriteFile(path, []byte(lines), 0o600); err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(len(lines)))
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
