package format

import (
	"bufio"
	"bytes"
	"context"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/gohops/hops"
	"github.com/gohops/hops/graph"
)

// A writer writes the edges of a graph, one after another, in one format.
type writer struct {
	*bufio.Writer
	g    *graph.Graph
	src  *graph.Source
	line []byte
}

// writers are the formats that graphs are written in, beside hops' own. Those that are
// numbered call vertices by their numbers from 1 on.
var writers = []struct {
	name     string
	suffixes []string
	numbered bool
	write    func(ctx context.Context, w *writer) error
}{
	{"edges", []string{".el", ".txt", ".edges", ".tsv"}, false, func(ctx context.Context, w *writer) error {
		if !w.g.Names.IsText() {
			return w.columns(ctx, ' ', "")
		}
		return w.columns(ctx, '\t', "source\ttarget\n")
	}},
	{"csv", []string{".csv"}, false, func(ctx context.Context, w *writer) error { return w.columns(ctx, ',', "source,target\n") }},
	{"mtx", []string{".mtx"}, true, writeMatrix},
	{"metis", []string{".graph", ".metis"}, true, writeMetis},
	{"graphml", []string{".graphml"}, false, writeGraphML},
	{"dot", []string{".dot", ".gv"}, false, writeDOT},
}

// WrittenNames returns the names of the formats that Write knows.
func WrittenNames() (names []string) {
	for _, f := range writers {
		names = append(names, f.name)
	}
	return names
}

// WrittenAs returns the format that the name of a file asks for, packed or not; "" if it
// asks for none. numbered tells that names of vertices are not written.
func WrittenAs(path string) (name string, numbered bool) {
	suffix := filepath.Ext(unpackedName(strings.ToLower(path)))
	for _, f := range writers {
		if slices.Contains(f.suffixes, suffix) {
			return f.name, f.numbered
		}
	}
	return "", false
}

// Write writes a graph in one of WrittenNames, edge by edge.
func Write(ctx context.Context, out io.Writer, g *graph.Graph, name string) error {
	at := slices.Index(WrittenNames(), name)
	if at < 0 {
		return fmt.Errorf("format: %q is not written; there are %s", name, strings.Join(WrittenNames(), ", "))
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
func (w *writer) each(ctx context.Context, use func(line []byte, e hops.Edge) []byte) error {
	edges := make([]hops.Edge, 1<<13)
	for off := int64(0); ; {
		n, err := w.src.EdgesAt(edges, off)
		for _, e := range edges[:n] {
			w.line = use(w.line[:0], e)
			if _, err := w.Write(w.line); err != nil {
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

// eachVertex does the same for every vertex.
func (w *writer) eachVertex(use func(line []byte, v hops.Vertex) []byte) error {
	for v := range w.g.NumVertices() {
		w.line = use(w.line[:0], v)
		if _, err := w.Write(w.line); err != nil {
			return err
		}
	}
	return nil
}

// columns writes an edge list below a header. Names that could be misread are in quotes.
func (w *writer) columns(ctx context.Context, delimiter byte, header string) error {
	if _, err := w.WriteString(header); err != nil {
		return err
	}
	return w.each(ctx, func(line []byte, e hops.Edge) []byte {
		line = append(w.column(line, e.U, delimiter), delimiter)
		return append(w.column(line, e.V, delimiter), '\n')
	})
}

func (w *writer) column(line []byte, v hops.Vertex, delimiter byte) []byte {
	start := len(line)
	line = w.g.AppendName(line, v)
	name := line[start:]
	if !w.g.Names.IsText() || len(trimBlanks(name)) == len(name) && !bytes.ContainsAny(name, "#%\"") && bytes.IndexByte(name, delimiter) < 0 {
		return line
	}
	quoted := bytes.ReplaceAll(name, []byte(`"`), []byte(`""`))
	return append(append(append(line[:start], '"'), quoted...), '"')
}

// writeMatrix writes a pattern, of which a symmetric one has the lower triangle.
func writeMatrix(ctx context.Context, w *writer) error {
	symmetry := symmetric
	if w.g.Directed {
		symmetry = general
	}
	n := w.g.NumVertices()
	fmt.Fprintf(w, "%%%%MatrixMarket matrix coordinate pattern %s\n%d %d %d\n", symmetry, n, n, w.src.NumEdges())
	return w.each(ctx, func(line []byte, e hops.Edge) []byte {
		if !w.g.Directed {
			e.U, e.V = max(e.U, e.V), min(e.U, e.V)
		}
		line = append(strconv.AppendUint(line, uint64(e.U)+1, 10), ' ')
		return append(strconv.AppendUint(line, uint64(e.V)+1, 10), '\n')
	})
}

func writeMetis(ctx context.Context, w *writer) error {
	if w.g.Directed {
		return errors.New("format: METIS has no directed graphs")
	}
	fmt.Fprintf(w, "%d %d\n", w.g.NumVertices(), w.src.NumEdges())
	err := w.eachVertex(func(line []byte, v hops.Vertex) []byte {
		for u := range w.g.Neighbors(v) {
			line = append(strconv.AppendUint(line, uint64(u)+1, 10), ' ')
		}
		return append(bytes.TrimSuffix(line, []byte{' '}), '\n')
	})
	return errors.Join(err, ctx.Err())
}

func writeGraphML(ctx context.Context, w *writer) error {
	direction := "undirected"
	if w.g.Directed {
		direction = "directed"
	}
	fmt.Fprintf(w, "%s<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">\n<graph edgedefault=\"%s\">\n", xml.Header, direction)
	err := w.eachVertex(func(line []byte, v hops.Vertex) []byte {
		return append(w.escaped(append(line, `<node id="`...), v), "\"/>\n"...)
	})
	if err != nil {
		return err
	}
	err = w.each(ctx, func(line []byte, e hops.Edge) []byte {
		line = w.escaped(append(line, `<edge source="`...), e.U)
		line = w.escaped(append(line, `" target="`...), e.V)
		return append(line, "\"/>\n"...)
	})
	if err != nil {
		return err
	}
	_, err = w.WriteString("</graph>\n</graphml>\n")
	return err
}

// escaped appends a name as XML has it. Bytes that are not UTF-8 cannot be in XML.
func (w *writer) escaped(line []byte, v hops.Vertex) []byte {
	if !w.g.Names.IsText() {
		return w.g.AppendName(line, v)
	}
	b := bytes.NewBuffer(line)
	_ = xml.EscapeText(b, []byte(w.g.Name(v)))
	return b.Bytes()
}

func writeDOT(ctx context.Context, w *writer) error {
	kind, arrow := "graph", " -- "
	if w.g.Directed {
		kind, arrow = "digraph", " -> "
	}
	fmt.Fprintf(w, "%s {\n", kind)
	err := w.eachVertex(func(line []byte, v hops.Vertex) []byte {
		if w.g.Degree(v) > 0 || w.g.Directed && w.g.InDegree(v) > 0 {
			return line // its edges name it
		}
		return append(w.word(line, v), ";\n"...)
	})
	if err != nil {
		return err
	}
	err = w.each(ctx, func(line []byte, e hops.Edge) []byte {
		line = append(w.word(line, e.U), arrow...)
		return append(w.word(line, e.V), ";\n"...)
	})
	if err != nil {
		return err
	}
	_, err = w.WriteString("}\n")
	return err
}

// word appends a name as a word of DOT.
func (w *writer) word(line []byte, v hops.Vertex) []byte {
	if !w.g.Names.IsText() {
		return w.g.AppendName(line, v)
	}
	return append(append(append(line, '"'), strings.ReplaceAll(w.g.Name(v), `"`, `\"`)...), '"')
}
