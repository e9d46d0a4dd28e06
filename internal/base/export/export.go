// Package export writes finished graphs in the formats that other programs read.
package export

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/gohops/hops"
	"github.com/gohops/hops/graph"
	"github.com/gohops/hops/internal/base/compression"
)

// A writer writes the edges of a graph, one after another, in one format.
type writer struct {
	*bufio.Writer
	g    *graph.Graph
	src  *graph.Source
	next int64 // entry of the rows that follows the last edge
	line []byte
	safe bool // names are Safe
}

// writers are the formats that graphs are written in, beside hops' own. Numbered formats
// call vertices by their numbers from 1 on.
var writers = []struct {
	name     string
	suffixes []string
	numbered bool
	write    func(ctx context.Context, w *writer) error
}{
	{"edges", []string{".el", ".wel", ".txt", ".edges", ".tsv"}, false, func(ctx context.Context, w *writer) error {
		if !w.g.Names.IsText() {
			return w.columns(ctx, ' ', false)
		}
		return w.columns(ctx, '\t', true)
	}},
	{"csv", []string{".csv"}, false, func(ctx context.Context, w *writer) error { return w.columns(ctx, ',', true) }},
	{"csv-safe", nil, false, func(ctx context.Context, w *writer) error {
		w.safe = true
		return w.columns(ctx, ',', true)
	}},
	{"parquet", []string{".parquet", ".pq"}, false, writeParquet},
	{"mtx", []string{".mtx"}, true, writeMatrix},
	{"metis", []string{".graph", ".metis"}, true, writeMetis},
	{"graphml", []string{".graphml"}, false, writeGraphML},
	{"dot", []string{".dot", ".gv"}, false, writeDOT},
}

// Safe returns a name for a cell of a spreadsheet, with a single quote before one that would be
// run there as a formula.
func Safe(name string) string {
	if name != "" && strings.IndexByte("=+-@\t\r", name[0]) >= 0 {
		return "'" + name
	}
	return name
}

// Names returns the names of the formats that Write knows.
func Names() (names []string) {
	for _, f := range writers {
		names = append(names, f.name)
	}
	return names
}

// FormatOf returns the format that the name of a file asks for, compressed or not; "" if it
// asks for none. numbered tells that names of vertices are not written.
func FormatOf(path string) (name string, numbered bool) {
	suffix := compression.Suffix(path)
	for _, f := range writers {
		if slices.Contains(f.suffixes, suffix) {
			return f.name, f.numbered
		}
	}
	return "", false
}

// Write writes a graph in one of Names, edge by edge, with the weights of a graph that has
// some.
func Write(ctx context.Context, out io.Writer, g *graph.Graph, name string) error {
	at := slices.Index(Names(), name)
	if at < 0 {
		return fmt.Errorf("export: %q is not written; there are %s", name, strings.Join(Names(), ", "))
	}
	src, err := g.Source()
	if err != nil {
		return err
	}
	w := &writer{Writer: bufio.NewWriterSize(out, 1<<16), g: g, src: src}
	if err := writers[at].write(ctx, w); err != nil {
		return err
	}
	return w.Flush()
}

// each calls use for every edge and writes the line that it returns.
func (w *writer) each(ctx context.Context, use func(line []byte, e hops.Edge, weight float32) []byte) error {
	return w.eachEdge(ctx, func(e hops.Edge, weight float32) error {
		w.line = use(w.line[:0], e, weight)
		_, err := w.Write(w.line)
		return err
	})
}

// eachEdge calls use for every edge. The weight is 0 in a graph without weights.
func (w *writer) eachEdge(ctx context.Context, use func(e hops.Edge, weight float32) error) error {
	edges, weights := make([]hops.Edge, 1<<13), make([]float32, 1<<13)
	for off := int64(0); ; {
		n, err := w.src.EdgesAt(edges, off)
		if w.g.Weighted() {
			err = cmp.Or(w.g.Read(func() error { w.weights(edges[:n], weights); return nil }), err)
		}
		for i, e := range edges[:n] {
			if err := use(e, weights[i]); err != nil {
				return err
			}
		}
		if off += int64(n); err == io.EOF {
			return ctx.Err()
		}
		if err := errors.Join(err, ctx.Err()); err != nil {
			return err
		}
	}
}

// weights finds the weights of edges, which follow the edges of the last call in the order
// of the rows.
func (w *writer) weights(edges []hops.Edge, weights []float32) {
	rows := &w.g.Out
	for i, e := range edges {
		w.next = max(w.next, rows.Offsets[e.U])
		for rows.Neighbors[w.next] != uint32(e.V) {
			w.next++
		}
		weights[i] = rows.Weights[w.next]
		w.next++
	}
}

// weight appends a weight between two texts, if the graph has weights. It has no exponent,
// which a numeral of DOT cannot have.
func (w *writer) weight(line []byte, before string, weight float32, after string) []byte {
	if !w.g.Weighted() {
		return line
	}
	line = strconv.AppendFloat(append(line, before...), float64(weight), 'f', -1, 32)
	return append(line, after...)
}

// eachVertex calls use for every vertex and writes the line that it returns.
func (w *writer) eachVertex(use func(line []byte, v hops.Vertex) []byte) error {
	for v := range w.g.NumVertices() {
		w.line = use(w.line[:0], v)
		if _, err := w.Write(w.line); err != nil {
			return err
		}
	}
	return nil
}
