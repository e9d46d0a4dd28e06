package format

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// t0Graph is a small graph with names from 0 on.
var t0Graph = fileGraph{vertices: 4, edges: []namedEdge{{"0", "1", 3}, {"1", "2", 4}, {"0", "2", 5}}}

// serializedBytes writes a graph whose names are vertices as GAPBS does.
func serializedBytes(g fileGraph, directed bool) []byte {
	out := make([][]int32, g.vertices)
	in := make([][]int32, g.vertices)
	add := func(rows [][]int32, from, to string, w float32) {
		u, _ := strconv.Atoi(from)
		v, _ := strconv.Atoi(to)
		rows[u] = append(rows[u], int32(v))
		if g.weighted {
			rows[u] = append(rows[u], int32(w))
		}
	}
	for _, e := range g.edges {
		add(out, e.from, e.to, e.weight)
		if directed {
			add(in, e.to, e.from, e.weight)
		} else if e.from != e.to {
			add(out, e.to, e.from, e.weight)
		}
	}
	size := 1
	if g.weighted {
		size = 2
	}
	var b bytes.Buffer
	put := func(x any) { _ = binary.Write(&b, binary.LittleEndian, x) }
	rows := func(rows [][]int32) {
		end := int64(0)
		for _, row := range rows {
			put(end)
			end += int64(len(row) / size)
		}
		put(end)
		put(slices.Concat(rows...))
	}
	put(directed)
	put(int64(len(slices.Concat(out...)) / size))
	put(int64(g.vertices))
	rows(out)
	if directed {
		rows(in)
	}
	return b.Bytes()
}

// packedBytes writes the edges of a graph as Graph500 does.
func packedBytes(g fileGraph) (b []byte) {
	for _, e := range g.edges {
		u, _ := strconv.ParseUint(e.from, 10, 48)
		v, _ := strconv.ParseUint(e.to, 10, 48)
		b = binary.LittleEndian.AppendUint32(b, uint32(u))
		b = binary.LittleEndian.AppendUint32(b, uint32(v))
		b = binary.LittleEndian.AppendUint16(b, uint16(u>>32))
		b = binary.LittleEndian.AppendUint16(b, uint16(v>>32))
	}
	return b
}

// edgeLines writes "u v" or "u v w", whatever is between the columns.
func edgeLines(g fileGraph, before, delimiter, end string) string {
	var b strings.Builder
	for _, e := range g.edges {
		b.WriteString(before + e.from + delimiter + e.to)
		if g.weighted {
			fmt.Fprintf(&b, "%s%v", delimiter, e.weight)
		}
		b.WriteString(end)
	}
	return b.String()
}

// metisText writes a graph whose names count from 1 on, without loops.
func metisText(g fileGraph, comment string) string {
	rows := make([]string, g.vertices+1)
	for _, e := range g.edges {
		for _, end := range [][2]string{{e.from, e.to}, {e.to, e.from}} {
			u, _ := strconv.Atoi(end[0])
			rows[u] += " " + end[1]
			if g.weighted {
				rows[u] += fmt.Sprintf(" %v", e.weight)
			}
		}
	}
	header := fmt.Sprintf("%s%d %d", comment, g.vertices, len(g.edges))
	if g.weighted {
		header += " 001"
	}
	return header + "\n" + strings.Join(rows[1:], "\n"+comment) + "\n"
}
