package format

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"iter"
	"slices"
	"strconv"
	"strings"

	"github.com/gohops/hops/graph"
	"github.com/gohops/hops/internal/base/spell"
)

// readEdgeList reads lines of two columns, or three with a weight, or of more of
// which the columns that count are chosen.
func readEdgeList(ctx context.Context, f *file, opts *Options) (*Input, error) {
	p := &edgeList{opts: opts, suffix: f.suffix(), likely: opts.likely}
	if err := cmp.Or(p.check(), f.skipMark()); err != nil {
		return nil, err
	}
	p.look(f)
	if err := f.readHead(p); err != nil {
		return nil, err
	}
	if !p.started {
		return nil, &Error{File: f.name, Line: f.lines + 1, What: ErrNoEdges.Error(), Err: ErrNoEdges}
	}
	l, err := f.readBody(ctx, p, opts)
	if err != nil {
		return nil, err
	}
	l.head = p.oddities
	if p.interner != nil && p.skipped && p.suspect[0] != "" && (p.interner.has(p.suspect[0]) || p.interner.has(p.suspect[1])) {
		_ = l.close()
		once := !p.interner.has(p.suspect[0]) || !p.interner.has(p.suspect[1])
		return nil, &Error{File: f.name, Line: 1, What: "the first line may be a header or an edge: say --header yes or --header no", Err: notAHeader{once}}
	}
	var names *graph.Names
	if p.interner != nil {
		names, err = p.interner.finish(l, opts.team)
	} else {
		names, err = l.compact(opts.team)
	}
	if err != nil {
		_ = l.close()
		return nil, f.wrong("%v", err)
	}
	in := l.input(names, p.value >= 0, opts)
	in.BadLines, in.BadExamples = l.badLines(f)
	if p.edgeLine != "" {
		in.Notes = append(in.Notes, "the first line, "+p.edgeLine+", may be a header but is read as an edge; --header yes skips it")
	}
	in.Format = f.described(p.describe())
	in.undecided(opts.Directed)
	return in, nil
}

// notAHeader tells that other lines have names of what was skipped as a header: likely, that
// they do not have both.
type notAHeader struct{ likely bool }

func (notAHeader) Error() string { return "not a header" }

// input makes an Input of a finished list.
func (l *list) input(names *graph.Names, weighted bool, opts *Options) *Input {
	in := &Input{edges: l, Names: names, Weighted: weighted, Notes: l.notes(opts), close: l.close}
	if weighted && !opts.DropWeights {
		in.edges = &weightedList{l}
	}
	return in
}

// An edgeList parses edge lists. The first line that is not a comment decides
// what is left open by the options.
type edgeList struct {
	opts      *Options
	suffix    string
	delimiter byte
	interner  *interner // nil if names are numbers
	header    bool      // the first line looks like one
	suspect   [2]string // the names in it, if other lines may have them
	started   bool      // the first line of the body has been seen
	oddities            // of the lines before it
	skipped   bool      // a header
	columns   [][]byte  // of the header, if it was skipped
	headLine  string    // as it stands in the file
	likely    bool      // the first line may be a header, and is an edge all the same
	edgeLine  string    // that line

	from, to, value int // columns, from 0; value is -1 if there are no weights
	exactly         int // how many columns each line has; 0 if it does not matter
	atLeast         int
	plain           plainLines
}

var _ parser = (*edgeList)(nil)

// check refuses options that contradict each other.
func (p *edgeList) check() error {
	if n := len(p.opts.Columns); n != 0 && n != 2 && n != 3 {
		return fmt.Errorf("format: %d columns chosen: there are two ends and perhaps a weight", n)
	}
	if strings.IndexByte("\n\r\"", p.delimiter) >= 0 {
		return fmt.Errorf("format: %q cannot separate columns", p.delimiter)
	}
	if c := p.opts.Comment; c != "" && c[0] >= '0' && c[0] <= '9' {
		return fmt.Errorf("format: comments cannot begin with a digit, as %q does", c)
	}
	return nil
}

func (p *edgeList) describe() string {
	text := "edge list"
	switch p.delimiter {
	case ' ':
	case '\t':
		text += ", tab-separated"
	default:
		text += fmt.Sprintf(", columns separated by %q", p.delimiter)
	}
	if p.skipped {
		text += ", header " + p.headLine + " skipped"
	}
	if p.interner != nil {
		text += ", names are text"
	}
	if p.value >= 0 {
		text += ", weighted"
	}
	return text
}

// head implements parser.
func (p *edgeList) head(line []byte) (verdict, *fault) {
	line = bytes.TrimSuffix(line, []byte{'\n'})
	if p.isNothing(line) {
		if len(trimBlanks(line)) > 0 {
			p.leftOut(line)
		}
		return more, nil
	}
	if p.delimiter == 0 {
		p.settle([][]byte{line}, true)
	}
	fields, wrong := p.split(nil, line)
	if wrong != "" {
		return past, faultAt(0, "%s", wrong)
	}
	if !p.skipped {
		named, wrong := p.choose(fields)
		if wrong != "" {
			return past, faultAt(0, "%s", wrong)
		}
		if named || (p.header || p.opts.Header == WithHeader) && !p.isKnown(fields) {
			p.skipped, p.headLine, p.columns = true, quoted(line), cloned(fields)
			return more, nil
		}
	}
	if p.likely && !p.skipped {
		p.edgeLine = quoted(line)
	}
	p.started = true
	if wrong := p.setColumns(fields); wrong != "" {
		return past, faultAt(0, "%s", wrong)
	}
	return past, nil
}

// isKnown tells whether the caller knows the first line to be an edge.
func (p *edgeList) isKnown(fields [][]byte) bool {
	return p.opts.IsEdge != nil && len(fields) > max(p.from, p.to) && p.opts.IsEdge(string(fields[p.from]), string(fields[p.to]))
}

// guessDelimiter looks for what separates the columns of a line.
func guessDelimiter(line []byte, suffix string, ids IDKind) byte {
	if suffix == ".tsv" || (ids == TextIDs && bytes.IndexByte(line, '\t') >= 0) {
		return '\t'
	}
	for _, c := range []byte{',', ';'} {
		if bytes.IndexByte(line, c) >= 0 {
			return c
		}
	}
	return ' '
}

// choose finds the chosen columns, and tells whether the line has their names.
func (p *edgeList) choose(fields [][]byte) (named bool, wrong string) {
	p.from, p.to, p.value = 0, 1, -1
	chosen := []*int{&p.from, &p.to, &p.value}
	for i, name := range p.opts.Columns {
		number, err := strconv.Atoi(name)
		if err != nil {
			named = true
			number = 1 + slices.IndexFunc(fields, func(f []byte) bool { return string(f) == name })
		}
		if number < 1 || (err == nil && number > len(fields)) {
			return false, fmt.Sprintf("there is no column %q%s; there are %s", name, spell.Suggest(name, texts(fields)), listed(fields))
		}
		*chosen[i] = number - 1
	}
	return named, ""
}

func texts(fields [][]byte) iter.Seq[string] {
	return func(yield func(string) bool) {
		for _, f := range fields {
			if !yield(string(f)) {
				return
			}
		}
	}
}

func cloned(fields [][]byte) (copies [][]byte) {
	for _, f := range fields {
		copies = append(copies, bytes.Clone(f))
	}
	return copies
}

// listed shows the columns of a line by number.
func listed(fields [][]byte) string {
	const shown = 12
	var text []string
	for i, f := range fields[:min(shown, len(fields))] {
		text = append(text, fmt.Sprintf("%d: %s", i+1, quoted(f)))
	}
	if len(fields) > shown {
		text = append(text, "…")
	}
	return strings.Join(text, ", ")
}

// isName tells that a column is not meant to be a number.
func isName(field []byte) bool {
	return len(field) > 0 && bytes.IndexByte([]byte("0123456789+-."), field[0]) < 0
}

// setColumns sets how many columns lines have, given those of the first.
func (p *edgeList) setColumns(fields [][]byte) string {
	columns := len(fields)
	if p.opts.Columns != nil {
		p.atLeast = max(p.from, p.to, p.value) + 1
		return ""
	}
	switch {
	case p.suffix == ".el":
		p.exactly = 2
	case p.suffix == ".wel":
		p.exactly = 3
	case columns == 2 || columns == 3:
		p.exactly = columns
	case columns < 2:
		return "one column, where an edge has two ends"
	default:
		if p.columns != nil {
			fields = p.columns
		}
		return fmt.Sprintf("%d columns: choose those of the two ends, like --columns 1,2; there are %s", columns, listed(fields))
	}
	if p.exactly == 3 {
		p.value = 2
	}
	p.plain = plainLines{delimiter: p.delimiter, weighted: p.value >= 0, fractions: true}
	return ""
}

// isNothing tells whether a line is blank or a comment.
func (p *edgeList) isNothing(line []byte) bool {
	line = trimBlanks(line)
	return len(line) == 0 || p.isComment(line)
}

// isComment tells whether a line that is not blank is to be left out.
func (p *edgeList) isComment(line []byte) bool {
	switch {
	case p.opts.Comment == "":
		return line[0] == '#' || line[0] == '%'
	case p.opts.Comment == NoComments:
		return false
	}
	return bytes.HasPrefix(line, []byte(p.opts.Comment))
}

func (p *edgeList) split(fields [][]byte, line []byte) ([][]byte, string) {
	if p.delimiter == ' ' {
		return words(fields, line), ""
	}
	return columns(fields, line, p.delimiter)
}
