package format

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"math/bits"
	"slices"

	"github.com/gohops/hops"
)

// plainLines is the fast way through lines that are what nearly all are: two
// numbers, or three with a weight, one character between them and nothing around
// them but perhaps a letter in front.
type plainLines struct {
	delimiter byte // ' ' stands for a tab as well
	weighted  bool
	fractions bool // weights may have some, after a point
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
	if !haveVectors {
		return p.oneByOne(text, pos, math.MaxInt, out)
	}
	for {
		pos = p.byVectors(text, pos, out)
		after := p.oneByOne(text, pos, 1, out) // one that the kernel has no room for, or leaves
		if after == pos {
			return pos
		}
		pos = after
	}
}

const (
	// vectorSize is the length of a vector. A line that is longer is read one number at a time.
	vectorSize = 64
	// linesAtOnce is for how many edges there is room when the kernel is called.
	linesAtOnce = 4096
)

// A lineScan has the arguments and results of the kernel.
type lineScan struct {
	text, last *byte // the first line, and where one may begin at most
	edges      *hops.Edge
	weights    *float32 // nil if there are none
	room       int      // edges at most
	first      uint64   // the bit of the first digit of a line
	separator  byte
	other      byte // the same, for another separator
	letter     byte
	fractions  bool

	bytes, lines int // what was read
}

// byVectors is parse for lines that fit into a vector, of numbers that fit into a lane.
func (p plainLines) byVectors(text []byte, pos int, out *batch) int {
	if len(text)-pos < vectorSize {
		return pos
	}
	scan := lineScan{
		text: &text[pos], last: &text[len(text)-vectorSize], room: linesAtOnce, first: 1,
		separator: p.delimiter, other: p.delimiter, letter: p.letter, fractions: p.fractions,
	}
	if p.delimiter == ' ' {
		scan.other = '\t'
	}
	if p.letter != 0 {
		scan.first = 1 << 2
	}
	out.edges = slices.Grow(out.edges, linesAtOnce)
	scan.edges = &out.edges[:len(out.edges)+1][len(out.edges)]
	if p.weighted {
		out.weights = slices.Grow(out.weights, linesAtOnce)
		scan.weights = &out.weights[:len(out.weights)+1][len(out.weights)]
	}
	plainAVX512(&scan)
	out.edges = out.edges[:len(out.edges)+scan.lines]
	if p.weighted {
		weights := out.weights[:len(out.weights)+scan.lines]
		if out.kept && slices.ContainsFunc(weights[len(out.weights):], mayBeRounded) {
			out.edges = out.edges[:len(out.edges)-scan.lines]
			return p.oneByOne(text, pos, scan.lines, out)
		}
		out.weights = weights
	}
	return pos + scan.bytes
}

// mayBeRounded tells whether a weight may stand for an integer that it does not hold.
func mayBeRounded(weight float32) bool { return weight >= exactIntegers }

// oneByOne is parse for so many lines at most.
func (p plainLines) oneByOne(text []byte, pos, lines int, out *batch) int {
	edges, weights := out.edges, out.weights
	separator, other, start := p.delimiter, p.delimiter, 0
	if separator == ' ' {
		other = '\t'
	}
	if p.letter != 0 {
		start = 2
	}
	for ; lines > 0 && len(text)-pos >= maxPlain; lines-- {
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
		w, third := float32(0), 0
		if p.weighted {
			if line[at] != separator && line[at] != other {
				break
			}
			third = at + 1
			if w, at = plainWeight(line, third, p.fractions); at <= 0 {
				break
			}
		}
		last := at
		if line[at] == '\r' {
			at++
		}
		if line[at] != '\n' {
			break
		}
		if out.kept && mayBeRounded(w) {
			out.taken(line[third:last], w)
		}
		edges = append(edges, hops.Edge{U: hops.Vertex(u), V: hops.Vertex(v)})
		if p.weighted {
			weights = append(weights, w)
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
	if n == 8 && at+16 <= len(line) {
		more, low := digits8(binary.LittleEndian.Uint64(line[at+8:]))
		value, n = value*wholePowersOfTen[more]+low, 8+more
	}
	if n%8 == 0 { // there may be more digits
		value, n = longNumber(line[at:], value, n)
	}
	if uint(n-1) >= maxDigits {
		return 0, -1
	}
	return value, at + n
}

// wholePowersOfTen are those by which digits are moved when others follow.
var wholePowersOfTen = [16]uint64{1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15}

// powersOfTen are exact, as are all up to 10²².
var powersOfTen = [maxDigits]float64{
	1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9,
	1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19,
}

// plainWeight parses the weight at a position of a line and returns where it ends: -1 if
// there is none, or one that takes more than a division.
//
// All digits are one whole number, to be divided by a power of ten. If both are exact in
// 64 bits, the quotient is the nearest of 64 bits. Rounded once more, to 32 bits, it is
// the nearest of 32 bits, unless it lies in the middle between two of these: the digits
// may then lie on either side of the middle.
func plainWeight(line []byte, at int, fractions bool) (value float32, end int) {
	whole, end := plainNumber(line, at)
	if end <= 0 || !fractions || line[end] != '.' {
		return float32(whole), end
	}
	fraction, last := plainNumber(line, end+1)
	if last <= 0 || last-at > maxDigits {
		return 0, -1
	}
	power := powersOfTen[last-end-1]
	const exact = 1 << 53 // all whole numbers up to here are exact in 64 bits
	high, all := bits.Mul64(whole, uint64(power))
	if high != 0 || all >= exact || all+fraction >= exact {
		return 0, -1
	}
	quotient := float64(all+fraction) / power
	const middle = 1 << 28 // the highest of the 29 bits that 32-bit numbers do not have
	if math.Float64bits(quotient)%(2*middle) == middle {
		return 0, -1
	}
	return float32(quotient), last
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
