package export

import (
	"bytes"
	"context"
	"errors"
	"strings"

	"github.com/gohops/hops"
	"github.com/gohops/hops/internal/base/parquet"
)

// columns writes an edge list, below a header if there should be one. Names that could be
// misread are in quotes.
func (w *writer) columns(ctx context.Context, delimiter byte, header bool) error {
	between := string(delimiter)
	if header {
		names := []string{"source", "target"}
		if w.g.Weighted() {
			names = append(names, "weight")
		}
		if _, err := w.WriteString(strings.Join(names, between) + "\n"); err != nil {
			return err
		}
	}
	return w.each(ctx, func(line []byte, e hops.Edge, weight float32) []byte {
		line = append(w.column(line, e.U, delimiter), delimiter)
		return append(w.weight(w.column(line, e.V, delimiter), between, weight, ""), '\n')
	})
}

func (w *writer) column(line []byte, v hops.Vertex, delimiter byte) []byte {
	start := len(line)
	if line = w.g.AppendName(line, v); w.safe && w.g.Names.IsText() {
		line = append(line[:start], Safe(string(line[start:]))...)
	}
	name := line[start:]
	if !w.g.Names.IsText() || len(bytes.Trim(name, " \t\r")) == len(name) && !bytes.ContainsAny(name, "#%\"") && bytes.IndexByte(name, delimiter) < 0 {
		return line
	}
	quoted := bytes.ReplaceAll(name, []byte(`"`), []byte(`""`))
	return append(append(append(line[:start], '"'), quoted...), '"')
}

// writeParquet writes two columns, source and target, and perhaps a third, weight.
func writeParquet(ctx context.Context, w *writer) error {
	var largest string // the last vertex has the largest number
	if n := w.g.NumVertices(); n > 0 {
		largest = w.g.Name(n - 1)
	}
	text := w.g.Names.IsText()
	columns := []parquet.Column{parquet.NameColumn("source", text, largest), parquet.NameColumn("target", text, largest)}
	if w.g.Weighted() {
		columns = append(columns, parquet.Column{Name: "weight", Kind: parquet.Real})
	}
	p, err := parquet.NewWriter(w, columns)
	if err != nil {
		return err
	}
	err = w.eachEdge(ctx, func(e hops.Edge, weight float32) error {
		for i, v := range [2]hops.Vertex{e.U, e.V} {
			w.line = w.g.AppendName(w.line[:0], v)
			p.Name(i, w.line)
		}
		if w.g.Weighted() {
			p.Real(2, float64(weight))
		}
		return p.EndRow()
	})
	return errors.Join(err, p.Close())
}
