package format

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/gohops/hops/graph"
)

// readEdgeList reads lines of two columns, or three with a weight, or of more of
// which the columns that count are chosen.
func readEdgeList(ctx context.Context, f *file, opts *Options) (*Input, error) {
	p := &edgeList{opts: opts, suffix: f.suffix(), delimiter: opts.Delimiter}
	if opts.IDs == TextIDs {
		p.interner = newInterner()
	}
	if err := p.check(); err != nil {
		return nil, err
	}
	if err := f.readHead(p); err != nil {
		return nil, err
	}
	if !p.started {
		return nil, f.wrongLine("the file has no edges")
	}
	l, err := f.readBody(ctx, p, opts)
	if err != nil {
		return nil, err
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
	in := l.input(names, p.keepsWeights())
	in.Format = f.described(p.describe())
	in.undecided(opts.Directed)
	return in, nil
}

// input makes an Input of a finished list.
func (l *list) input(names *graph.Names, weighted bool) *Input {
	in := &Input{Source: l, Names: names, close: l.close}
	if weighted {
		in.Source = &weightedList{l}
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
	started   bool      // the first line of the body has been seen
	skipped   bool      // a header

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

func (p *edgeList) keepsWeights() bool { return p.value >= 0 && !p.opts.DropWeights }

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
		text += ", header skipped"
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
		return more, nil
	}
	if p.delimiter == 0 {
		p.delimiter = guessDelimiter(line, p.suffix, p.opts.IDs)
	}
	fields, wrong := p.split(nil, line)
	if wrong != "" {
		return past, faultAt(0, "%s", wrong)
	}
	if !p.skipped {
		header, wrong := p.choose(fields)
		if wrong != "" {
			return past, faultAt(0, "%s", wrong)
		}
		if header {
			p.skipped = true
			return more, nil
		}
	}
	p.started = true
	if wrong := p.setColumns(len(fields)); wrong != "" {
		return past, faultAt(0, "%s", wrong)
	}
	return past, nil
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

// choose finds the chosen columns, and tells whether the line is a header.
func (p *edgeList) choose(fields [][]byte) (header bool, wrong string) {
	p.from, p.to, p.value = 0, 1, -1
	chosen := []*int{&p.from, &p.to, &p.value}
	header = p.opts.Header == WithHeader
	for i, name := range p.opts.Columns {
		number, err := strconv.Atoi(name)
		if err != nil {
			header = true // which has the names
			number = 1 + slices.IndexFunc(fields, func(f []byte) bool { return string(f) == name })
		}
		if number < 1 || (err == nil && number > len(fields)) {
			return false, fmt.Sprintf("there is no column %q", name)
		}
		*chosen[i] = number - 1
	}
	if header || p.opts.Header == NoHeader || p.opts.IDs == TextIDs || p.delimiter == ' ' {
		return header, ""
	}
	return len(fields) > max(p.from, p.to) && isName(fields[p.from]) && isName(fields[p.to]), ""
}

// isName tells that a column is not meant to be a number.
func isName(field []byte) bool {
	return len(field) > 0 && bytes.IndexByte([]byte("0123456789+-."), field[0]) < 0
}

// setColumns sets how many columns lines have, given those of the first.
func (p *edgeList) setColumns(columns int) string {
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
		return fmt.Sprintf("%d columns: choose those of the two ends", columns)
	}
	if p.exactly == 3 {
		p.value = 2
	}
	p.plain = plainLines{delimiter: p.delimiter, weighted: p.value >= 0}
	return ""
}

// isNothing tells whether a line is blank or a comment.
func (p *edgeList) isNothing(line []byte) bool {
	line = trimBlanks(line)
	switch {
	case len(line) == 0:
		return true
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
