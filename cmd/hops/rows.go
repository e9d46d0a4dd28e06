package main

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/gohops/hops"
	"github.com/gohops/hops/graph"
	"github.com/gohops/hops/internal/base/compression"
	"github.com/gohops/hops/internal/base/export"
	"github.com/gohops/hops/internal/base/jsontext"
	"github.com/gohops/hops/internal/base/parquet"
)

// A column has a number, or another vertex, for every vertex of a graph.
type column struct {
	name   string
	value  func(v hops.Vertex) (x uint64, ok bool) // not ok: the vertex has no row
	vertex bool                                    // x is a vertex, to be named
	real   bool                                    // x is the bits of a float64
	none   uint64                                  // x in binary files for a vertex without a row
}

// rowFormats are the ways to write columns, by name. The first column decides which
// vertices have rows; it is the only one in binary files.
var rowFormats = map[string]func(g *graph.Graph, cs []column, w *bufio.Writer) error{
	"csv":      csvRow.writeCSV,
	"csv-safe": safeRow.writeCSV,
	"jsonl":    jsonRow.write,
	"parquet":  writeParquet,
	"binary":   writeBinary,
	"npy":      writeNPY,
}

// rowsHelp explains what a file of rows looks like.
const rowsHelp = `A file of results has a row for every vertex in them, in CSV with a header, as
JSON lines, in Parquet, or binary: 4 bytes little-endian for every vertex of the
graph, all ones where there is nothing to say, and vertices as their places from 0
on. Places follow ascending numbers, or for text the order in which names first
appear. npy is the same as an array of NumPy. The name's suffix chooses, .csv, .jsonl,
.parquet, .bin or .npy, and .gz or .zst behind it compresses the file; --rows chooses for
other names. - is standard output. csv-safe is CSV for spreadsheets, in which names that
these would run as formulas have a single quote before them.`

// rowFormat returns the format of a file: as chosen, by its suffix, or CSV.
func rowFormat(chosen, path string) (string, error) {
	bySuffix := map[string]string{"": "csv", ".csv": "csv", ".jsonl": "jsonl", ".ndjson": "jsonl", ".parquet": "parquet", ".bin": "binary", ".npy": "npy"}
	if err := compression.Check(path); err != nil {
		return "", usageError{err}
	}
	switch suffix, ok := bySuffix[compression.Suffix(path)]; {
	case chosen != "" && rowFormats[chosen] == nil:
		return "", usageError{fmt.Errorf("--rows %s: there are %s", chosen, strings.Join(rowNames(), ", "))}
	case chosen != "":
		return chosen, nil
	case ok:
		return suffix, nil
	}
	return "", usageError{fmt.Errorf("%s: results are written as .csv, .jsonl, .parquet, .bin or .npy, and compressed as .gz or .zst; --rows chooses for other names", path)}
}

func rowNames() []string {
	return slices.Sorted(maps.Keys(rowFormats))
}

// addRows adds the flag that chooses a format.
func addRows(c *cobra.Command, chosen *string) {
	c.Flags().StringVar(chosen, "rows", "", "format of files of results: "+strings.Join(rowNames(), ", "))
	complete(c, "rows", rowNames()...)
}

// writeRows writes columns to the file at path, or to stdout for "-".
func writeRows(path, chosen string, stdout io.Writer, g *graph.Graph, cs ...column) error {
	name, err := rowFormat(chosen, path)
	if err != nil {
		return err
	}
	write := rowFormats[name]
	if name == "csv" && path == "-" && isTerminal(stdout) {
		write = terminalRow.writeCSV
	}
	return writeCompressed(path, stdout, func(w io.Writer) error {
		out := bufio.NewWriterSize(w, 1<<16)
		if err := write(g, cs, out); err != nil {
			return err
		}
		return out.Flush()
	})
}

// A rowText is how a row is written as a line of text.
type rowText struct {
	start, end string
	key        func(name string) string // before the value of a column
	appendName func(dst []byte, g *graph.Graph, v hops.Vertex) []byte
}

var (
	csvRow      = rowText{"", "\n", func(string) string { return "," }, appendCSV}
	safeRow     = rowText{"", "\n", csvRow.key, appendSafe}
	terminalRow = rowText{"", "\n", csvRow.key, appendPrintable}
	jsonRow     = rowText{`{"vertex":`, "}\n", func(name string) string { return `,"` + name + `":` }, appendJSON}
)

func (t rowText) writeCSV(g *graph.Graph, cs []column, w *bufio.Writer) error {
	head := "vertex"
	for _, c := range cs {
		head += "," + c.name
	}
	if _, err := w.WriteString(head + "\n"); err != nil {
		return err
	}
	return t.write(g, cs, w)
}

func (t rowText) write(g *graph.Graph, cs []column, w *bufio.Writer) error {
	var line []byte
	for v := range g.NumVertices() {
		if _, ok := cs[0].value(v); !ok {
			continue
		}
		line = t.appendName(append(line[:0], t.start...), g, v)
		for _, c := range cs {
			x, _ := c.value(v)
			line = append(line, t.key(c.name)...)
			switch {
			case c.vertex:
				line = t.appendName(line, g, hops.Vertex(x))
			case c.real:
				line = strconv.AppendFloat(line, math.Float64frombits(x), 'f', -1, 64)
			default:
				line = strconv.AppendUint(line, x, 10)
			}
		}
		if _, err := w.Write(append(line, t.end...)); err != nil {
			return err
		}
	}
	return nil
}

// appendCSV appends the name of v, in quotes if it could be misread without.
func appendCSV(dst []byte, g *graph.Graph, v hops.Vertex) []byte {
	start := len(dst)
	dst = g.AppendName(dst, v)
	if g.Names.IsText() {
		dst = quoteCSV(dst, start)
	}
	return dst
}

// quoteCSV puts what begins at start in quotes if it could be misread without.
func quoteCSV(dst []byte, start int) []byte {
	name := dst[start:]
	if !bytes.ContainsAny(name, "\",\r\n") {
		return dst
	}
	quoted := bytes.ReplaceAll(name, []byte(`"`), []byte(`""`))
	return append(append(append(dst[:start], '"'), quoted...), '"')
}

// appendSafe appends the name of v for a spreadsheet.
func appendSafe(dst []byte, g *graph.Graph, v hops.Vertex) []byte {
	if !g.Names.IsText() {
		return g.AppendName(dst, v)
	}
	return quoteCSV(append(dst, export.Safe(g.Name(v))...), len(dst))
}

// appendPrintable appends the name of v for a terminal, which would obey control characters.
func appendPrintable(dst []byte, g *graph.Graph, v hops.Vertex) []byte {
	start := len(dst)
	dst = appendCSV(dst, g, v)
	return append(dst[:start], printable(string(dst[start:]))...)
}

func appendJSON(dst []byte, g *graph.Graph, v hops.Vertex) []byte {
	if !g.Names.IsText() {
		return g.AppendName(dst, v)
	}
	return jsontext.Append(dst, g.Name(v))
}

// writeParquet writes a column of vertices and one for each figure.
func writeParquet(g *graph.Graph, cs []column, w *bufio.Writer) error {
	vertices := func(name string) parquet.Column {
		return parquet.NameColumn(name, g.Names.IsText(), g.Name(max(1, g.NumVertices())-1))
	}
	columns := []parquet.Column{vertices("vertex")}
	for _, c := range cs {
		switch {
		case c.vertex:
			columns = append(columns, vertices(c.name))
		case c.real:
			columns = append(columns, parquet.Column{Name: c.name, Kind: parquet.Real})
		default:
			columns = append(columns, parquet.Column{Name: c.name, Kind: parquet.Int})
		}
	}
	p, err := parquet.NewWriter(w, columns)
	if err != nil {
		return err
	}
	var scratch []byte
	for v := range g.NumVertices() {
		if _, ok := cs[0].value(v); !ok {
			continue
		}
		scratch = g.AppendName(scratch[:0], v)
		p.Name(0, scratch)
		for i, c := range cs {
			switch x, _ := c.value(v); {
			case c.vertex:
				scratch = g.AppendName(scratch[:0], hops.Vertex(x))
				p.Name(i+1, scratch)
			case c.real:
				p.Real(i+1, math.Float64frombits(x))
			default:
				p.Int(i+1, int64(x))
			}
		}
		if err := p.EndRow(); err != nil {
			return err
		}
	}
	return p.Close()
}

// writeNPY writes an array of 32-bit integers or of real numbers.
func writeNPY(g *graph.Graph, cs []column, w *bufio.Writer) error {
	kind := "<i4"
	if cs[0].real {
		kind = "<f8"
	}
	head := fmt.Sprintf("{'descr': '%s', 'fortran_order': False, 'shape': (%d,), }", kind, g.NumVertices())
	head += strings.Repeat(" ", 63-(10+len(head))%64) + "\n" // the numbers begin at a multiple of 64
	start := append([]byte("\x93NUMPY\x01\x00"), byte(len(head)), byte(len(head)>>8))
	if _, err := w.Write(append(start, head...)); err != nil {
		return err
	}
	return writeBinary(g, cs, w)
}

func writeBinary(g *graph.Graph, cs []column, w *bufio.Writer) error {
	c, word, size := cs[0], [8]byte{}, 4
	if c.real {
		size = 8
	}
	for v := range g.NumVertices() {
		x, ok := c.value(v)
		if !ok {
			x = c.none
		}
		binary.LittleEndian.PutUint64(word[:], x)
		if _, err := w.Write(word[:size]); err != nil {
			return err
		}
	}
	return nil
}

// bars writes a histogram: a line with a name, a count and a bar for each. The length
// of a bar is proportional to its count; the longest fills the width.
func bars(out io.Writer, heading string, names []string, counts []int64) {
	const width = 40
	most := max(1, slices.Max(append([]int64{1}, counts...)))
	size := len(heading)
	for _, l := range names {
		size = max(size, len(l))
	}
	fmt.Fprintf(out, "%*s  %12s\n", size, heading, "vertices")
	for i, l := range names {
		bar := strings.Repeat("█", int((counts[i]*width+most-1)/most))
		fmt.Fprintln(out, strings.TrimRight(fmt.Sprintf("%*s  %12d  %s", size, l, counts[i], bar), " "))
	}
}
