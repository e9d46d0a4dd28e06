package format

import (
	"bufio"
	"bytes"
	"math"
	"slices"
	"strconv"
	"strings"
)

// Oracles read the text formats line by line, with what the standard library
// has, and share nothing with the readers.

// scanned returns the lines of a file without their ends.
func scanned(data []byte) []string {
	data = bytes.TrimPrefix(data, []byte("\xEF\xBB\xBF"))
	if front := data[:min(len(data), 4096)]; len(front) > 0 && bytes.Contains(front[:len(front)-1], []byte("\r")) && !bytes.ContainsAny(front, "\n\x00") {
		data = bytes.ReplaceAll(data, []byte("\r"), []byte("\n"))
	}
	s := bufio.NewScanner(bytes.NewReader(data))
	s.Buffer(nil, 1<<24)
	s.Split(func(data []byte, atEOF bool) (int, []byte, error) {
		if i := bytes.IndexByte(data, '\n'); i >= 0 {
			return i + 1, data[:i], nil
		}
		if atEOF && len(data) > 0 {
			return len(data), data, nil
		}
		return 0, nil, nil
	})
	var lines []string
	for s.Scan() {
		lines = append(lines, s.Text())
	}
	return lines
}

func isUTF16(data []byte) bool {
	return bytes.HasPrefix(data, []byte("\xFF\xFE")) || bytes.HasPrefix(data, []byte("\xFE\xFF"))
}

// fieldsOf splits at spaces and tabs; the end of a line may have been CR LF.
func fieldsOf(line string) []string {
	return strings.FieldsFunc(line, func(r rune) bool { return r == ' ' || r == '\t' || r == '\r' })
}

func blank(s string) string { return strings.Trim(s, " \t\r") }

// parseName parses a number from 0 to 2⁶⁴-1.
func parseName(s string) (uint64, bool) {
	if s == "" || strings.Trim(s, "0123456789") != "" {
		return 0, false
	}
	x, err := strconv.ParseUint(s, 10, 64)
	return x, err == nil
}

// value parses a finite decimal number that is one as a float32, too.
func value(s string) (float32, bool) {
	x, err := strconv.ParseFloat(s, 32)
	ok := err == nil && !math.IsNaN(x) && !math.IsInf(x, 0) && !strings.ContainsAny(s, "xX_")
	return float32(x), ok
}

func decimal(x uint64) string { return strconv.FormatUint(x, 10) }

// edgeListOracle reads edge lists.
func edgeListOracle(data []byte, suffix string, opts Options) (fileGraph, error) {
	o := edgeOracle{opts: opts, suffix: suffix, delimiter: opts.Delimiter, seen: map[string]bool{}}
	if isUTF16(data) {
		return fileGraph{}, wrong{1}
	}
	lines := scanned(data)
	for i, line := range lines {
		o.follows = slices.ContainsFunc(lines[i+1:], func(l string) bool { return !o.isNothing(l) })
		if !o.line(line) {
			return fileGraph{}, wrong{int64(i) + 1}
		}
	}
	if !o.started {
		return fileGraph{}, wrong{int64(len(lines)) + 1}
	}
	o.g.vertices = uint64(len(o.seen))
	o.g.directed = opts.Directed
	return o.g, nil
}

type edgeOracle struct {
	opts      Options
	suffix    string
	delimiter byte
	chosen    []int // columns
	headed    bool
	started   bool
	columns   int // that each line must have; 0 if any number
	seen      map[string]bool
	follows   bool // a line that is neither blank nor a comment
	g         fileGraph
}

func (o *edgeOracle) isNothing(line string) bool {
	trimmed := blank(line)
	switch {
	case trimmed == "":
		return true
	case o.opts.Comment == "":
		return trimmed[0] == '#' || trimmed[0] == '%'
	}
	return o.opts.Comment != NoComments && strings.HasPrefix(trimmed, o.opts.Comment)
}

// line reads one line and tells whether it is well-formed.
func (o *edgeOracle) line(line string) bool {
	if o.isNothing(line) {
		return true
	}
	if o.delimiter == 0 {
		o.delimiter = o.guess(line)
	}
	fields, ok := o.split(line)
	if !ok {
		return false
	}
	if !o.started && !o.headed {
		header, ok := o.choose(fields)
		if !ok {
			return false
		}
		if header {
			o.headed = true
			return true
		}
	}
	if !o.started {
		o.started = true
		if !o.settle(len(fields)) {
			return false
		}
	}
	return o.edge(fields)
}

func (o *edgeOracle) guess(line string) byte {
	switch {
	case o.suffix == ".tsv" || o.opts.IDs == TextIDs && strings.Contains(strings.TrimRight(line, "\r"), "\t"):
		return '\t'
	case strings.Contains(line, ","):
		return ','
	case strings.Contains(line, ";"):
		return ';'
	}
	return ' '
}

func (o *edgeOracle) split(line string) ([]string, bool) {
	if o.delimiter == ' ' {
		return fieldsOf(line), true
	}
	return csvFields(line, rune(o.delimiter))
}

// csvFields splits a line rune by rune; bytes that are no text count as such.
func csvFields(line string, delimiter rune) (fields []string, ok bool) {
	bytes := []byte(line)
	skip := func(i int) int {
		for i < len(bytes) && rune(bytes[i]) != delimiter && blank(string(bytes[i])) == "" {
			i++
		}
		return i
	}
	for i := 0; ; i++ {
		field, quoted := "", false
		if i = skip(i); i < len(bytes) && bytes[i] == '"' {
			quoted = true
			for i++; ; i++ {
				if i >= len(bytes) {
					return nil, false
				}
				if bytes[i] == '"' {
					if i++; i >= len(bytes) || bytes[i] != '"' {
						break
					}
				}
				field += string(bytes[i : i+1])
			}
			i = skip(i)
		}
		start := i
		for i < len(bytes) && rune(bytes[i]) != delimiter {
			i++
		}
		switch {
		case quoted && i > start:
			return nil, false
		case !quoted:
			field = blank(string(bytes[start:i]))
		}
		if fields = append(fields, field); i >= len(bytes) {
			return fields, true
		}
	}
}

// choose finds the columns, and whether the line is a header.
func (o *edgeOracle) choose(fields []string) (header, ok bool) {
	header = o.opts.Header == WithHeader
	o.chosen = []int{0, 1}
	if o.opts.Columns != nil {
		o.chosen = nil
		for _, name := range o.opts.Columns {
			at, err := strconv.Atoi(name)
			at--
			if err != nil {
				at, header = slices.Index(fields, name), true
			}
			if at < 0 || at >= len(fields) {
				return false, false
			}
			o.chosen = append(o.chosen, at)
		}
	}
	if !header && o.opts.Header == AutoHeader && o.opts.IDs == IntIDs && o.follows {
		header = true
		for _, at := range o.chosen[:2] {
			if at >= len(fields) || fields[at] == "" || strings.ContainsRune("0123456789+-.", rune(fields[at][0])) {
				header = false
			}
		}
	}
	return header, true
}

func (o *edgeOracle) settle(columns int) bool {
	if o.opts.Columns != nil {
		o.g.weighted = len(o.chosen) == 3
		return true
	}
	o.columns = columns
	switch o.suffix {
	case ".el":
		o.columns = 2
	case ".wel":
		o.columns = 3
	}
	if o.columns == 3 {
		o.chosen = append(o.chosen, 2)
		o.g.weighted = true
	}
	return o.columns == 2 || o.columns == 3
}

func (o *edgeOracle) edge(fields []string) bool {
	if o.columns > 0 && len(fields) != o.columns || len(fields) <= slices.Max(o.chosen) {
		return false
	}
	e := namedEdge{from: fields[o.chosen[0]], to: fields[o.chosen[1]]}
	for _, end := range []*string{&e.from, &e.to} {
		if o.opts.IDs == TextIDs {
			if *end == "" || strings.ContainsFunc(*end, func(r rune) bool { return r < ' ' || r == 0x7F }) {
				return false
			}
		} else {
			x, ok := parseName(*end)
			if !ok {
				return false
			}
			*end = decimal(x)
		}
		o.seen[*end] = true
	}
	if o.g.weighted {
		var ok bool
		if e.weight, ok = value(fields[o.chosen[2]]); !ok {
			return false
		}
	}
	o.g.edges = append(o.g.edges, e)
	return true
}
