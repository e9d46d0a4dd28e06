package format

import (
	"bytes"
	"encoding/binary"
	"fmt"

	"github.com/gohops/hops"
)

// plainLines is the fast way through lines that are what nearly all are: two
// numbers, or three with a weight, one character between them and nothing around
// them but perhaps a letter in front.
type plainLines struct {
	delimiter byte // ' ' stands for a tab as well
	weighted  bool
	letter    byte // that lines begin with, and then a delimiter; 0 if none
}

const (
	// maxDigits is how long a number of 64 bits is, without leading zeros.
	maxDigits = 20
	// maxPlain is how long three such numbers are with what separates them, the
	// letter and the end of the line.
	maxPlain = 2 + 3*(maxDigits+1) + 1
)

// parse appends the edges of lines to out until one is not plain, or may not end
// before the text does, and returns where that one starts.
func (p plainLines) parse(text []byte, pos int, out *batch) int {
	edges, weights := out.edges, out.weights
	separator, other, start := p.delimiter, p.delimiter, 0
	if separator == ' ' {
		other = '\t'
	}
	if p.letter != 0 {
		start = 2
	}
	for len(text)-pos >= maxPlain {
		line := text[pos:][:maxPlain]
		if start > 0 && (line[0] != p.letter || line[1] != separator && line[1] != other) {
			break
		}
		u, at := plainNumber(line, start)
		if at <= 0 || line[at] != separator && line[at] != other {
			break
		}
		v, at := plainNumber(line, at+1)
		if at <= 0 {
			break
		}
		w := uint64(0)
		if p.weighted {
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
		if p.weighted {
			weights = append(weights, float32(w))
		}
		pos += at + 1
	}
	out.edges, out.weights = edges, weights
	return pos
}

// plainNumber parses the number at a position of a line and returns where it
// ends: -1 if there is none, or one too long to be plain.
func plainNumber(line []byte, at int) (value uint64, end int) {
	var n int
	if at+8 <= len(line) {
		n, value = digits8(binary.LittleEndian.Uint64(line[at:]))
	}
	if n == 8 || at+8 > len(line) {
		value, n = longNumber(line[at:], value, n)
	}
	if uint(n-1) >= maxDigits {
		return 0, -1
	}
	return value, at + n
}

// A weightKind is how the third column of a line is to be read.
type weightKind int

const (
	noWeight weightKind = iota
	wholeWeight
	realWeight
)

// numberLines parses lines of two numbers and perhaps a weight with white space
// between them. Blank lines are skipped.
func numberLines(text []byte, out *batch, plain plainLines, kind weightKind) *fault {
	for pos := 0; ; {
		if pos = plain.parse(text, pos, out); pos == len(text) {
			return nil
		}
		end := pos + bytes.IndexByte(text[pos:], '\n')
		out.fields = words(out.fields[:0], text[pos:end])
		if len(out.fields) > 0 {
			if wrong := numberLine(out.fields, out, kind); wrong != "" {
				return faultAt(pos, "%s", wrong)
			}
		}
		pos = end + 1
	}
}

// numberLine takes the columns of an edge.
func numberLine(fields [][]byte, out *batch, kind weightKind) string {
	want := 2
	if kind != noWeight {
		want = 3
	}
	if len(fields) != want {
		return fmt.Sprintf("%d columns, where there should be %d", len(fields), want)
	}
	u, wrong := wholeNumber(fields[0])
	if wrong != "" {
		return wrong
	}
	v, wrong := wholeNumber(fields[1])
	if wrong != "" {
		return wrong
	}
	if kind != noWeight {
		wrong := out.weight(fields[2])
		if wrong == "" && kind == wholeWeight && bytes.ContainsAny(fields[2], ".eE") {
			wrong = "weight " + quoted(fields[2]) + " is not an integer"
		}
		if wrong != "" {
			return wrong
		}
	}
	out.edges = append(out.edges, hops.Edge{U: hops.Vertex(u), V: hops.Vertex(v)})
	return ""
}
