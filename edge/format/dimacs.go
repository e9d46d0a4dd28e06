package format

import (
	"bytes"
	"context"
)

// readDimacs reads the shortest-path format of the 9th DIMACS challenge: lines
// "c …" are comments, one line "p sp VERTICES ARCS", then lines "a FROM TO LENGTH".
func readDimacs(ctx context.Context, f *file, opts *Options) (*Input, error) {
	p := &dimacs{}
	l, err := p.read(ctx, f, p, opts, "arcs")
	if err != nil {
		return nil, err
	}
	in := l.input(p.names(), true, opts)
	in.Format = f.described("DIMACS shortest paths")
	in.Directed, in.DirectedBy = true, ByFormat
	return in, nil
}

// A dimacs parses such files.
type dimacs struct{ ranged }

var _ parser = (*dimacs)(nil)

// head implements parser.
func (p *dimacs) head(line []byte) (verdict, *fault) {
	p.line++
	fields := words(nil, bytes.TrimSuffix(line, []byte{'\n'}))
	switch {
	case len(fields) == 0 || isDimacsComment(fields):
		return more, nil
	case string(fields[0]) != "p":
		return past, faultAt(0, `%s comes before "p sp VERTICES ARCS"`, quoted(fields[0]))
	case len(fields) != 4 || string(fields[1]) != "sp":
		return past, faultAt(0, `the header is not "p sp VERTICES ARCS"`)
	}
	if wrong := p.declare(fields[2], fields[3]); wrong != "" {
		return past, faultAt(0, "%s", wrong)
	}
	return last, nil
}

func isDimacsComment(fields [][]byte) bool { return string(fields[0]) == "c" }

// parse implements parser.
func (p *dimacs) parse(text []byte, out *batch) *fault {
	wrong := p.arcs(text, out)
	if i, what := p.shift(out, nil); what != "" {
		return faultAt(nthLine(text, i, isArc), "%s", what) // before what else is wrong
	}
	return wrong
}

// arcs parses lines up to one that is not well-formed.
func (p *dimacs) arcs(text []byte, out *batch) *fault {
	plain := plainLines{delimiter: ' ', weighted: true, letter: 'a'}
	for pos := 0; ; {
		if pos = plain.parse(text, pos, out); pos == len(text) {
			return nil
		}
		end := pos + bytes.IndexByte(text[pos:], '\n')
		if wrong := p.arc(text[pos:end], out); wrong != "" {
			return faultAt(pos, "%s", wrong)
		}
		pos = end + 1
	}
}

func isArc(line []byte) bool { return bytes.HasPrefix(bytes.TrimSpace(line), []byte("a")) }

// arc parses any line after the header.
func (p *dimacs) arc(line []byte, out *batch) string {
	out.fields = words(out.fields[:0], line)
	switch {
	case len(out.fields) == 0 || isDimacsComment(out.fields):
		return ""
	case string(out.fields[0]) == "p":
		return "a second header"
	case string(out.fields[0]) != "a":
		return "a line that begins with " + quoted(out.fields[0]) + `, where arcs begin with "a"`
	}
	return numberLine(out.fields[1:], out, wholeWeight)
}
