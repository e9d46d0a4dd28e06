package format

import (
	"bytes"
	"context"
)

// readDimacs reads the formats of the DIMACS challenges: lines "c …" are comments, and
// one line says what follows. After "p sp VERTICES ARCS" of the 9th challenge, lines are
// "a FROM TO LENGTH"; after "p edge VERTICES EDGES" of the 2nd they are "e END END", and
// lines "n …" about vertices are skipped.
func readDimacs(ctx context.Context, f *file, opts *Options) (*Input, error) {
	p := &dimacs{}
	l, err := p.read(ctx, f, p, opts, "arcs")
	if err != nil {
		return nil, err
	}
	in := l.input(p.names(), !p.edges, opts)
	if in.Format = f.described("DIMACS shortest paths"); p.edges {
		in.Format = f.described("DIMACS edges")
	}
	in.Directed, in.DirectedBy = !p.edges, ByFormat
	return in, nil
}

// A dimacs parses such files.
type dimacs struct {
	ranged
	edges bool // not arcs with lengths
}

func isEdgeProblem(field []byte) bool {
	return string(field) == "edge" || string(field) == "edges" || string(field) == "col"
}

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
	case len(fields) != 4 || string(fields[1]) != "sp" && !isEdgeProblem(fields[1]):
		return past, faultAt(0, `the header is neither "p sp VERTICES ARCS" nor "p edge VERTICES EDGES"`)
	}
	p.edges = isEdgeProblem(fields[1])
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
		return faultAt(nthLine(text, i, p.isArc), "%s", what) // before what else is wrong
	}
	return wrong
}

// arcs parses lines up to one that is not well-formed.
func (p *dimacs) arcs(text []byte, out *batch) *fault {
	plain := plainLines{delimiter: ' ', weighted: !p.edges, letter: p.letter()}
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

// letter is what lines of edges begin with.
func (p *dimacs) letter() byte {
	if p.edges {
		return 'e'
	}
	return 'a'
}

func (p *dimacs) isArc(line []byte) bool {
	line = bytes.TrimSpace(line)
	return len(line) > 0 && line[0] == p.letter()
}

// arc parses any line after the header.
func (p *dimacs) arc(line []byte, out *batch) string {
	out.fields = words(out.fields[:0], line)
	switch {
	case len(out.fields) == 0 || isDimacsComment(out.fields):
		return ""
	case string(out.fields[0]) == "p":
		return "a second header"
	case p.edges && string(out.fields[0]) == "n":
		return ""
	case string(out.fields[0]) != string(p.letter()):
		return "a line that begins with " + quoted(out.fields[0]) + ", where arcs begin with " + quoted([]byte{p.letter()})
	case p.edges:
		return numberLine(out.fields[1:], out, noWeight)
	}
	return numberLine(out.fields[1:], out, wholeWeight)
}
