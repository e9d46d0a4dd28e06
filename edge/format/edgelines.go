package format

import (
	"bytes"
	"fmt"

	"github.com/gohops/hops"
)

// parse implements parser.
func (p *edgeList) parse(text []byte, out *batch) *fault {
	plain := p.interner == nil && p.exactly > 0
	for pos := 0; pos < len(text); {
		if plain {
			pos = p.plain.parse(text, pos, out)
		}
		if pos == len(text) {
			break
		}
		end := pos + bytes.IndexByte(text[pos:], '\n')
		edges, names, weights := len(out.edges), len(out.names), len(out.weights)
		if wrong := p.line(text[pos:end], out); wrong != "" {
			if !p.opts.SkipBadLines {
				return faultAt(pos, "%s", wrong)
			}
			out.edges, out.names, out.weights = out.edges[:edges], out.names[:names], out.weights[:weights]
			out.skipBad(text[:pos], wrong)
		}
		pos = end + 1
	}
	if p.interner != nil {
		p.interner.intern(out)
	}
	return nil
}

// line parses any line, or says what is wrong with it.
func (p *edgeList) line(line []byte, out *batch) string {
	if p.isNothing(line) {
		if len(trimBlanks(line)) > 0 {
			out.leftOut(line)
		}
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
	if wrong := p.ends(fields[p.from], fields[p.to], out); wrong != "" {
		return wrong
	}
	if p.value >= 0 {
		return out.weight(fields[p.value])
	}
	return ""
}

// ends takes the names of an edge.
func (p *edgeList) ends(from, to []byte, out *batch) string {
	if p.interner != nil {
		for _, name := range [][]byte{from, to} {
			if wrong := checkText(name); wrong != "" {
				return wrong
			}
			out.names = append(out.names, p.interner.hash(name))
		}
		return ""
	}
	u, wrong := wholeNumber(from)
	if wrong != "" {
		return wrong + p.remedy(from)
	}
	v, wrong := wholeNumber(to)
	if wrong != "" {
		return wrong + p.remedy(to)
	}
	out.edges = append(out.edges, hops.Edge{U: hops.Vertex(u), V: hops.Vertex(v)})
	return ""
}

// remedy says how a field can be read that is not a number.
func (p *edgeList) remedy(field []byte) string {
	switch {
	case isNumeric(field):
		return ""
	case !p.skipped:
		return "; --ids string reads names, --header yes skips a first line"
	}
	return "; --ids string reads names"
}

// A badLine is one that was left out.
type badLine struct {
	line int64 // within its block
	what string
}

// badShown is how many lines are shown of those that are left out.
const badShown = 3

// skipBad counts a line that is left out; before is the text of its block before it.
func (b *batch) skipBad(before []byte, what string) {
	b.bad++
	if len(b.badLines) < badShown {
		b.badLines = append(b.badLines, badLine{countLines(before), what})
	}
}

// badLines counts what was left out of all blocks and shows the first.
func (l *list) badLines(f *file) (count int64, examples []string) {
	line := f.lines + 1
	for i := range l.segments {
		s := &l.segments[i]
		count += s.bad
		for _, b := range s.badLines {
			if len(examples) < badShown {
				examples = append(examples, (&Error{File: f.name, Line: line + b.line, What: b.what}).Error())
			}
		}
		line += s.lines
	}
	return count, examples
}

// checkText refuses what no name is meant to be.
func checkText(name []byte) string {
	if len(name) == 0 {
		return "a name is missing"
	}
	for _, c := range name {
		if c < ' ' || c == 0x7F {
			return "name " + quoted(name) + " has a control character: this is not text"
		}
	}
	return ""
}
