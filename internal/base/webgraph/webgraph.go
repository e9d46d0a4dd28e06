// Package webgraph reads graphs that the WebGraph framework has compressed in its BV format.
//
// A row is the successors of a vertex, ascending. It is stored as what it shares with an
// earlier row (blocks of the reference, copied or skipped in turn), intervals of
// consecutive numbers, and the differences of the rest, all in instantaneous codes
// (Boldi and Vigna, The WebGraph framework I, 2004).
package webgraph

import (
	"bufio"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strconv"
	"strings"
)

// Properties are the entries of the .properties file that rows depend on.
type Properties struct {
	Nodes, Arcs int64
	window      int64
	minInterval int64
	zetaK       int
	codes       map[string]code
}

// Parse reads the text of a .properties file.
func Parse(text string) (*Properties, error) {
	p := &Properties{
		window: 7, minInterval: 4, zetaK: 3,
		codes: map[string]code{"OUTDEGREES": gamma, "BLOCKS": gamma, "RESIDUALS": zeta, "REFERENCES": unary, "BLOCK_COUNT": gamma},
	}
	values := map[string]string{}
	for line := range strings.Lines(text) {
		if key, value, ok := strings.Cut(strings.TrimSpace(line), "="); ok && !strings.HasPrefix(key, "#") {
			values[strings.TrimSpace(key)] = strings.TrimSpace(value)
		}
	}
	if class := values["graphclass"]; !strings.HasSuffix(class, "BVGraph") {
		return nil, fmt.Errorf("graphclass is %q; BVGraph is read", class)
	}
	if end := values["endianness"]; end != "" && end != "big" {
		return nil, fmt.Errorf("endianness is %s; big is read", end)
	}
	zetaK := int64(p.zetaK)
	for key, to := range map[string]*int64{
		"nodes": &p.Nodes, "arcs": &p.Arcs, "windowsize": &p.window, "minintervallength": &p.minInterval, "zetak": &zetaK,
	} {
		text, given := values[key]
		if !given && key != "nodes" && key != "arcs" {
			continue
		}
		x, err := strconv.ParseInt(text, 10, 64)
		if err != nil || x < 0 {
			return nil, fmt.Errorf("%s is %q, not a number", key, text)
		}
		*to = x
	}
	if p.zetaK = int(zetaK); zetaK < 1 || zetaK > 16 || p.window > maxWindow {
		return nil, fmt.Errorf("zetak is %d and windowsize %d, which cannot be", zetaK, p.window)
	}
	return p, p.flags(values["compressionflags"])
}

// maxWindow bounds the rows that are kept for reference. WebGraph's default is 7.
const maxWindow = 1 << 10

// flags sets codes that differ from the usual ones, like RESIDUALS_GAMMA.
func (p *Properties) flags(text string) error {
	for flag := range strings.FieldsFuncSeq(text, func(r rune) bool { return r == '|' || r == ' ' }) {
		at := strings.LastIndexByte(flag, '_')
		c, known := map[string]code{"GAMMA": gamma, "DELTA": delta, "ZETA": zeta, "UNARY": unary}[flag[at+1:]]
		if at < 0 || !known {
			return fmt.Errorf("compressionflags has %s; gamma, delta, zeta and unary codes are read", flag)
		}
		p.codes[flag[:at]] = c
	}
	return nil
}

// A reader decodes rows from front to back.
type reader struct {
	*Properties
	bits     bitReader
	rows     [][]int64 // of the last vertices, by their numbers modulo the window and 1
	outdegs  code
	refs     code
	counts   code
	lengths  code
	residual code
}

// Rows yields the rows of all vertices. A row is valid until the next one. After an error
// there is none.
func (p *Properties) Rows(in *bufio.Reader) iter.Seq2[[]int64, error] {
	return func(yield func([]int64, error) bool) {
		r := &reader{
			Properties: p, bits: bitReader{in: in}, rows: make([][]int64, p.window+1),
			outdegs: p.codes["OUTDEGREES"], refs: p.codes["REFERENCES"], counts: p.codes["BLOCK_COUNT"],
			lengths: p.codes["BLOCKS"], residual: p.codes["RESIDUALS"],
		}
		arcs := int64(0)
		for x := range p.Nodes {
			row, err := r.row(x)
			if err == nil {
				arcs += int64(len(row))
			}
			if err == nil && r.bits.err != nil {
				err = r.bits.err
			}
			if err == nil && x == p.Nodes-1 && arcs != p.Arcs {
				err = fmt.Errorf("there are %d arcs, where the properties say %d", arcs, p.Arcs)
			}
			if err != nil {
				err = fmt.Errorf("row of vertex %d: %w", x, err)
			}
			if !yield(row, err) || err != nil {
				return
			}
		}
	}
}

var errDamaged = errors.New("the data is damaged")

// row decodes the row of vertex x.
func (r *reader) row(x int64) ([]int64, error) {
	at := x % (r.window + 1)
	row := r.rows[at][:0]
	degree := r.read(r.outdegs)
	if degree > r.Nodes || degree > r.Arcs {
		return nil, errDamaged
	}
	if degree > 0 {
		ref := int64(0)
		if r.window > 0 {
			ref = r.read(r.refs)
		}
		if ref > min(r.window, x) {
			return nil, errDamaged
		}
		var err error
		if ref > 0 {
			row, err = r.copied(row, r.rows[(x-ref)%(r.window+1)], degree)
		}
		if err == nil {
			row, err = r.rest(row, x, degree)
		}
		if err != nil {
			return nil, err
		}
	}
	r.rows[at] = row
	return row, r.check(row)
}

// check tells whether a row is ascending and within the graph.
func (r *reader) check(row []int64) error {
	last := int64(-1)
	for _, v := range row {
		if v <= last {
			return errDamaged
		}
		last = v
	}
	if last >= r.Nodes {
		return errDamaged
	}
	return nil
}

// copied appends the blocks of the reference that are copied.
func (r *reader) copied(row, ref []int64, degree int64) ([]int64, error) {
	count := r.read(r.counts)
	if count > int64(len(ref))+1 {
		return nil, errDamaged
	}
	for i := range count {
		length := r.read(r.lengths)
		if i > 0 {
			length++
		}
		if length > int64(len(ref)) {
			return nil, errDamaged
		}
		if i%2 == 0 {
			row = append(row, ref[:length]...)
		}
		ref = ref[length:]
	}
	if count%2 == 0 {
		row = append(row, ref...)
	}
	if int64(len(row)) > degree {
		return nil, errDamaged
	}
	return row, nil
}

// rest appends intervals and residuals, and sorts.
func (r *reader) rest(row []int64, x, degree int64) ([]int64, error) {
	copied := len(row)
	left := degree - int64(copied)
	if left > 0 && r.minInterval > 0 {
		prev := x
		for i, n := int64(0), r.read(gamma); i < n; i++ {
			start := r.read(gamma)
			if prev += start + 1; i == 0 {
				prev = x + signed(start)
			}
			length := r.read(gamma) + r.minInterval
			if length > left || length < 0 {
				return nil, errDamaged
			}
			for range length {
				row = append(row, prev)
				prev++
			}
			left -= length
		}
	}
	for prev, first := x, true; left > 0 && r.bits.err == nil; left-- {
		step := r.read(r.residual)
		if prev += step + 1; first {
			prev, first = x+signed(step), false
		}
		row = append(row, prev)
	}
	if copied > 0 || r.minInterval > 0 {
		slices.Sort(row)
	}
	return row, nil
}

// signed maps 0, 1, 2, 3, 4 … to 0, -1, 1, -2, 2 …
func signed(x int64) int64 { return x>>1 ^ -(x & 1) }

// A code is a way to write numbers as bits.
type code int

const (
	unary code = iota
	gamma
	delta
	zeta
)

// read decodes a number. After an error it returns 0.
func (r *reader) read(c code) int64 {
	b := &r.bits
	switch c {
	case unary:
		return int64(b.unary())
	case gamma:
		return b.gamma()
	case delta:
		return b.tail(b.gamma())
	}
	h := b.unary() * r.zetaK
	if h+r.zetaK > 62 {
		b.fail(errDamaged)
		return 0
	}
	left := int64(1) << h
	m := b.take(h + r.zetaK - 1)
	if m < left {
		return m + left - 1
	}
	return m<<1 + b.take(1) - 1
}
