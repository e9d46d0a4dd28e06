package format

import (
	"bytes"
	"context"
	"fmt"

	"github.com/gohops/hops"
)

// readMetis reads the format of the METIS partitioner: a header and then a line
// for each vertex with its neighbours, so that every edge is there twice.
//
// The vertex of a line depends on all lines before it. Workers number
// the rows of a block from 0; when all are read, each block gets the number of
// its first row.
func readMetis(ctx context.Context, f *file, opts *Options) (*Input, error) {
	p := &metis{}
	if err := f.readHead(p); err != nil {
		return nil, err
	}
	if p.at == 0 {
		return nil, f.wrongLine("the file ends before its header does")
	}
	l, err := f.readBody(ctx, p, opts.withWeights())
	if err != nil {
		return nil, err
	}
	if err := p.finish(f, l, opts); err != nil {
		_ = l.close()
		return nil, err
	}
	in := l.input(p.names(), p.edgeWeights, opts)
	in.Format = f.described("METIS")
	in.Directed, in.DirectedBy = false, ByFormat
	return in, nil
}

// A metis parses such files.
type metis struct {
	ranged
	skip        int // numbers before the neighbours: size and weights of the vertex
	edgeWeights bool
}

var _ parser = (*metis)(nil)

// head implements parser.
func (p *metis) head(line []byte) (verdict, *fault) {
	p.line++
	fields := words(nil, bytes.TrimSuffix(line, []byte{'\n'}))
	if len(fields) == 0 || fields[0][0] == '%' {
		return more, nil
	}
	if wrong := p.header(fields); wrong != "" {
		return past, faultAt(0, "%s", wrong)
	}
	return last, nil
}

// header reads "VERTICES EDGES [FMT [NCON]]". FMT is up to three digits, each 0
// or 1: rows have a size, have weights of the vertex, have weights of edges.
func (p *metis) header(fields [][]byte) string {
	if len(fields) < 2 || len(fields) > 4 {
		return fmt.Sprintf("a header of %d numbers, where there should be 2, 3 or 4", len(fields))
	}
	if wrong := p.declare(fields[0], fields[1]); wrong != "" {
		return wrong
	}
	if p.vertices > hops.NarrowLimit {
		return errTooMany.Error()
	}
	kind := uint64(0)
	if len(fields) > 2 {
		var wrong string
		kind, wrong = wholeNumber(fields[2])
		if wrong != "" || kind > 111 || kind%10 > 1 || kind/10%10 > 1 {
			return "the third number of the header is " + quoted(fields[2]) + ", not three digits of 0 and 1"
		}
	}
	p.edgeWeights = kind%10 == 1
	p.skip = int(kind / 100)
	if kind/10%10 == 1 {
		p.skip++
	}
	if len(fields) < 4 {
		return ""
	}
	weights, wrong := wholeNumber(fields[3])
	if wrong != "" || weights == 0 || weights > 1<<20 || kind/10%10 == 0 {
		return "the fourth number of the header is " + quoted(fields[3]) + ", not the number of weights that a vertex has"
	}
	p.skip += int(weights) - 1
	return ""
}

// parse implements parser.
func (p *metis) parse(text []byte, out *batch) *fault {
	line := int32(0)
	for pos := 0; pos < len(text); line++ {
		if skipped := p.notARow(text[pos:]); skipped > 0 {
			out.skipped = append(out.skipped, line)
			pos += skipped
			continue
		}
		end, wrong := p.row(text, pos, out)
		if wrong != "" {
			return faultAt(pos, "%s", wrong)
		}
		out.rows++
		pos = end + 1
	}
	return nil
}

// notARow returns the length of a line that is a comment, or blank where even a
// vertex without neighbours has a weight; else 0.
func (p *metis) notARow(text []byte) int {
	if text[0] != '%' && p.skip == 0 {
		return 0
	}
	line := text[:bytes.IndexByte(text, '\n')+1]
	if text[0] == '%' || !isNotBlank(line) {
		return len(line)
	}
	return 0
}

// row parses one row and returns where its line ends.
func (p *metis) row(text []byte, pos int, out *batch) (end int, wrong string) {
	skip := p.skip
	for {
		for isBlank(text[pos]) {
			pos++
		}
		if text[pos] == '\n' {
			if skip > 0 {
				return 0, "the row ends before the weights of its vertex do"
			}
			return pos, ""
		}
		x, length := number(text[pos:])
		if length <= 0 || !isBlank(text[pos+length]) && text[pos+length] != '\n' {
			return 0, notANumber(word(text[pos:]))
		}
		pos += length
		if skip > 0 {
			skip--
			continue
		}
		if x-1 >= p.vertices {
			return 0, fmt.Sprintf("vertex %d is not within 1 … %d", x, p.vertices)
		}
		out.edges = append(out.edges, hops.Edge{U: hops.Vertex(out.rows), V: hops.Vertex(x - 1)})
		if p.edgeWeights {
			if pos, wrong = p.weight(text, pos, out); wrong != "" {
				return 0, wrong
			}
		}
	}
}

// word is the column at the front of a text that holds at least a line.
func word(text []byte) []byte {
	end := 0
	for !isBlank(text[end]) && text[end] != '\n' {
		end++
	}
	return text[:end]
}

// weight parses the weight of an edge, a positive integer.
func (p *metis) weight(text []byte, pos int, out *batch) (end int, wrong string) {
	for isBlank(text[pos]) {
		pos++
	}
	field := word(text[pos:])
	w, length := number(field)
	if length != len(field) || w == 0 {
		return 0, "the weight of an edge is " + quoted(field) + ", not a positive integer"
	}
	out.taken(field, float32(w))
	out.weights = append(out.weights, float32(w))
	return pos + length, ""
}

// finish numbers the rows and checks what only the whole can show.
func (p *metis) finish(f *file, l *list, opts *Options) error {
	l.vertices = hops.Vertex(p.vertices)
	first := make([]uint64, len(l.segments)) // row of each segment
	rows := uint64(0)
	for k := range l.segments {
		first[k] = rows
		rows += uint64(l.segments[k].rows)
	}
	if rows < p.vertices {
		return &Error{File: f.name, Line: p.at, What: fmt.Sprintf("the header says %d vertices, there are %d rows", p.vertices, rows)}
	}
	wrong := make([]wrongRow, len(l.segments))
	m := l.tally(opts.team, func(k int) {
		wrong[k] = l.segments[k].addRows(first[k], p.vertices)
	})
	for k, w := range wrong {
		if w.what != "" {
			return l.wrongRow(f, k, w.row, w.what)
		}
	}
	entries := uint64(l.NumEdges())
	if k, i, ok := l.fold(opts.team, m); !ok {
		u, _ := l.segments[k].at(i)
		return l.wrongRow(f, k, u-first[k], l.oneSided(k, i, 1))
	}
	if entries != 2*p.entries {
		return p.miscounted(f, entries/2, "edges")
	}
	return nil
}

// A wrongRow is a row of a segment, and what is wrong with it.
type wrongRow struct {
	row  uint64
	what string
}

// addRows turns rows of the block into rows of the file, until an edge cannot be.
func (s *segment) addRows(first, vertices uint64) wrongRow {
	for i := range s.edges() {
		row, v := s.at(i)
		u := first + row
		switch {
		case u >= vertices:
			return wrongRow{row, fmt.Sprintf("row %d, where the header says %d vertices", u+1, vertices)}
		case u == v:
			return wrongRow{row, fmt.Sprintf("vertex %d is its own neighbour", u+1)}
		}
		s.narrow[2*i] = uint32(u)
	}
	return wrongRow{}
}
