package export

import (
	"bytes"
	"context"
	"errors"
	"math"
	"strconv"

	"github.com/gohops/hops"
	"github.com/gohops/hops/graph"
	"github.com/gohops/hops/internal/parquet"
)

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
	if !w.g.Names.IsText() || len(bytes.Trim(name, " \t\r")) == len(name) && !bytes.ContainsAny(name, "#%\"") && bytes.IndexByte(name, delimiter) < 0 {
		return line
	}
	quoted := bytes.ReplaceAll(name, []byte(`"`), []byte(`""`))
	return append(append(append(line[:start], '"'), quoted...), '"')
}

// writeParquet writes two columns, source and target.
func writeParquet(ctx context.Context, w *writer) error {
	p, err := parquet.NewWriter(w, []parquet.Column{VertexColumn(w.g, "source"), VertexColumn(w.g, "target")})
	if err != nil {
		return err
	}
	err = w.eachEdge(ctx, func(e hops.Edge) error {
		w.line = PutVertex(p, 0, w.g, e.U, w.line)
		w.line = PutVertex(p, 1, w.g, e.V, w.line)
		return p.EndRow()
	})
	return errors.Join(err, p.Close())
}

// VertexColumn returns a column of a Parquet file for vertices: integers or text, as their
// names are.
func VertexColumn(g *graph.Graph, name string) parquet.Column {
	if g.Names.IsText() {
		return parquet.Column{Name: name, Kind: parquet.Text}
	}
	c := parquet.Column{Name: name, Kind: parquet.Int}
	if n := g.NumVertices(); n > 0 { // the last vertex has the largest number
		largest, _ := strconv.ParseUint(g.Name(n-1), 10, 64)
		c.Unsigned = largest > math.MaxInt64
	}
	return c
}

// PutVertex sets a value of such a column. scratch is used and returned.
func PutVertex(p *parquet.Writer, column int, g *graph.Graph, v hops.Vertex, scratch []byte) []byte {
	scratch = g.AppendName(scratch[:0], v)
	if g.Names.IsText() {
		p.Text(column, scratch)
		return scratch
	}
	x := uint64(0)
	for _, c := range scratch {
		x = 10*x + uint64(c-'0')
	}
	p.Int(column, int64(x))
	return scratch
}
