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

	"github.com/gohops/hops"
	"github.com/gohops/hops/graph"
)

// A column has a number, or another vertex, for every vertex of a graph.
type column struct {
	name   string
	value  func(v hops.Vertex) (x uint64, ok bool) // not ok: the vertex has no row
	vertex bool                                    // x is a vertex, to be named
	real   bool                                    // x is the bits of a float64
}

// appendNumber appends x, which is no vertex.
func (c *column) appendNumber(line []byte, x uint64) []byte {
	if c.real {
		return strconv.AppendFloat(line, math.Float64frombits(x), 'f', -1, 64)
	}
	return strconv.AppendUint(line, x, 10)
}

// rowFormats are the ways to write a column, by name.
var rowFormats = map[string]func(g *graph.Graph, c column, w *bufio.Writer) error{
	"csv":    writeCSV,
	"jsonl":  writeJSONLines,
	"binary": writeBinary,
	"npy":    writeNPY,
}

// rowsHelp explains what a file of rows looks like.
const rowsHelp = `A file of results has a row for every vertex in them, in CSV with a header, as
JSON lines, or binary: 4 bytes little-endian for every vertex of the graph, all
ones where there is nothing to say, and vertices as their places from 0 on. Places
follow ascending numbers, or for text the order in which names first appear. npy is
the same as an array of NumPy. The name's suffix chooses, .csv, .jsonl, .bin or .npy,
and .gz or .zst behind it packs the file; --rows chooses for other names. - is
standard output.`

// rowFormat returns the format of a file: as chosen, by its suffix, or CSV.
func rowFormat(chosen, path string) (string, error) {
	bySuffix := map[string]string{"": "csv", ".csv": "csv", ".jsonl": "jsonl", ".ndjson": "jsonl", ".bin": "binary", ".npy": "npy"}
	switch suffix, ok := bySuffix[bareSuffix(path)]; {
	case chosen != "" && rowFormats[chosen] == nil:
		return "", usageError{fmt.Errorf("--rows %s: there are %s", chosen, strings.Join(rowNames(), ", "))}
	case chosen != "":
		return chosen, nil
	case ok:
		return suffix, nil
	}
	return "", usageError{fmt.Errorf("%s: results are written as .csv, .jsonl, .bin or .npy, and packed as .gz or .zst; --rows chooses for other names", path)}
}

func rowNames() []string {
	return slices.Sorted(maps.Keys(rowFormats))
}

// writeRows writes a column to the file at path, or to stdout for "-".
func writeRows(path, chosen string, stdout io.Writer, g *graph.Graph, c column) error {
	name, err := rowFormat(chosen, path)
	if err != nil {
		return err
	}
	return writePacked(path, stdout, func(w io.Writer) error {
		out := bufio.NewWriterSize(w, 1<<16)
		if err := rowFormats[name](g, c, out); err != nil {
			return err
		}
		return out.Flush()
	})
}

func writeCSV(g *graph.Graph, c column, w *bufio.Writer) error {
	line := []byte("vertex," + c.name + "\n")
	for v := range g.NumVertices() {
		x, ok := c.value(v)
		if !ok {
			continue
		}
		if _, err := w.Write(line); err != nil {
			return err
		}
		line = append(appendCSV(line[:0], g, v), ',')
		if c.vertex {
			line = appendCSV(line, g, hops.Vertex(x))
		} else {
			line = c.appendNumber(line, x)
		}
		line = append(line, '\n')
	}
	_, err := w.Write(line)
	return err
}

// appendCSV appends the name of v, in quotes if it could be misread without.
func appendCSV(dst []byte, g *graph.Graph, v hops.Vertex) []byte {
	start := len(dst)
	dst = g.AppendName(dst, v)
	if name := dst[start:]; g.Names.IsText() && bytes.ContainsAny(name, "\",\r\n") {
		quoted := bytes.ReplaceAll(name, []byte(`"`), []byte(`""`))
		dst = append(append(append(dst[:start], '"'), quoted...), '"')
	}
	return dst
}

func writeJSONLines(g *graph.Graph, c column, w *bufio.Writer) error {
	var line []byte
	for v := range g.NumVertices() {
		x, ok := c.value(v)
		if !ok {
			continue
		}
		line = appendJSON(append(line[:0], `{"vertex":`...), g, v)
		line = append(append(append(line, `,"`...), c.name...), `":`...)
		if c.vertex {
			line = appendJSON(line, g, hops.Vertex(x))
		} else {
			line = c.appendNumber(line, x)
		}
		if _, err := w.Write(append(line, "}\n"...)); err != nil {
			return err
		}
	}
	return nil
}

func appendJSON(dst []byte, g *graph.Graph, v hops.Vertex) []byte {
	if !g.Names.IsText() {
		return g.AppendName(dst, v)
	}
	return appendJSONText(dst, g.Name(v))
}

// writeNPY writes an array of 32-bit integers with -1 where there is nothing to say, or of
// real numbers with infinity.
func writeNPY(g *graph.Graph, c column, w *bufio.Writer) error {
	kind := "<i4"
	if c.real {
		kind = "<f8"
	}
	head := fmt.Sprintf("{'descr': '%s', 'fortran_order': False, 'shape': (%d,), }", kind, g.NumVertices())
	head += strings.Repeat(" ", 63-(10+len(head))%64) + "\n" // the numbers begin at a multiple of 64
	start := append([]byte("\x93NUMPY\x01\x00"), byte(len(head)), byte(len(head)>>8))
	if _, err := w.Write(append(start, head...)); err != nil {
		return err
	}
	return writeBinary(g, c, w)
}

func writeBinary(g *graph.Graph, c column, w *bufio.Writer) error {
	var word [8]byte
	for v := range g.NumVertices() {
		x, ok := c.value(v)
		size := 4
		switch {
		case c.real && !ok:
			x, size = math.Float64bits(math.Inf(1)), 8
		case c.real:
			size = 8
		case !ok:
			x = 1<<32 - 1
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
