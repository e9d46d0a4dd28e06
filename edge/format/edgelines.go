package format

import (
	"bytes"
	"encoding/binary"
	"fmt"

	"github.com/gohops/hops"
)

// parse implements parser.
func (p *edgeList) parse(text []byte, out *batch) *fault {
	plain := p.opts.IDs == IntIDs && p.exactly > 0
	for pos := 0; pos < len(text); {
		if plain {
			if pos = p.plainLines(text, pos, out); pos == len(text) {
				break
			}
		}
		end := pos + bytes.IndexByte(text[pos:], '\n')
		if wrong := p.line(text[pos:end], out); wrong != "" {
			return faultAt(pos, "%s", wrong)
		}
		pos = end + 1
	}
	return nil
}

const (
	// maxDigits is how long a number of 64 bits is, without leading zeros.
	maxDigits = 20
	// maxPlain is how long three such numbers are with what separates them and
	// the end of the line.
	maxPlain = 3*(maxDigits+1) + 1
)

// plainLines parses lines as long as they are what nearly all are: numbers with
// one character between them and nothing around them. It returns where it
// stopped.
func (p *edgeList) plainLines(text []byte, pos int, out *batch) int {
	edges, weights := out.edges, out.weights
	separator, other, weighted := p.delimiter, p.delimiter, p.value >= 0
	if separator == ' ' {
		other = '\t'
	}
	for len(text)-pos >= maxPlain {
		line := text[pos:][:maxPlain]
		u, at := plainNumber(line, 0)
		if at <= 0 || (line[at] != separator && line[at] != other) {
			break
		}
		v, at := plainNumber(line, at+1)
		if at <= 0 {
			break
		}
		w := uint64(0)
		if weighted {
			if line[at] != separator && line[at] != other {
				break
			}
			if w, at = plainNumber(line, at+1); at <= 0 {
				break
			}
		}
		if line[at] == '\r' {
			at++
		}
		if line[at] != '\n' {
			break
		}
		edges = append(edges, hops.Edge{U: hops.Vertex(u), V: hops.Vertex(v)})
		if weighted {
			weights = append(weights, float32(w))
		}
		pos += at + 1
	}
	out.edges, out.weights = edges, weights
	return pos
}

// plainNumber parses the number at a position of a line that has eight bytes
// more and returns where it ends: -1 if there is none of up to maxDigits.
func plainNumber(line []byte, at int) (value uint64, end int) {
	n, value := digits8(binary.LittleEndian.Uint64(line[at:]))
	if n == 8 {
		value, n = longNumber(line[at:], value, n)
	}
	if uint(n-1) >= maxDigits {
		return 0, -1
	}
	return value, at + n
}

// line parses any line, or says what is wrong with it.
func (p *edgeList) line(line []byte, out *batch) string {
	line = trimBlanks(line)
	if len(line) == 0 || p.isComment(line) {
		return ""
	}
	var wrong string
	if out.fields, wrong = p.split(out.fields[:0], line); wrong != "" {
		return wrong
	}
	fields := out.fields
	switch {
	case p.exactly > 0 && len(fields) != p.exactly:
		return fmt.Sprintf("%d columns, where there should be %d", len(fields), p.exactly)
	case len(fields) < p.atLeast:
		return fmt.Sprintf("%d columns, where column %d is needed", len(fields), p.atLeast)
	}
	var e hops.Edge
	for i, column := range []int{p.from, p.to} {
		value, wrong := wholeNumber(fields[column])
		if wrong != "" {
			return wrong
		}
		if i == 0 {
			e.U = hops.Vertex(value)
		} else {
			e.V = hops.Vertex(value)
		}
	}
	if p.value >= 0 {
		w, wrong := weight(fields[p.value])
		if wrong != "" {
			return wrong
		}
		out.weights = append(out.weights, w)
	}
	out.edges = append(out.edges, e)
	return ""
}
