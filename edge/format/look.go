package format

import (
	"bytes"
	"cmp"
	"io"
	"slices"
	"strings"
)

// sampleBytes is how much of an edge list is looked at before it is read: some
// thousand lines, which take less than a millisecond.
const sampleBytes = 64 << 10

// look decides what the options leave open by the first lines of a file.
func (p *edgeList) look(f *file) {
	front, err := f.content.Peek(sampleBytes)
	var lines [][]byte
	for line := range bytes.Lines(front) {
		if err == nil && line[len(line)-1] != '\n' {
			break // the sample ends within it
		}
		if line = bytes.TrimSuffix(line, []byte{'\n'}); !p.isNothing(line) {
			lines = append(lines, line)
		}
	}
	if len(lines) > 0 {
		p.settle(lines, err != io.EOF)
	}
}

// settle decides by some lines; more tells that others follow.
func (p *edgeList) settle(lines [][]byte, more bool) {
	p.delimiter = cmp.Or(p.opts.Delimiter, guessDelimiter(lines[0], p.suffix, IntIDs))
	if p.opts.Delimiter == 0 && p.delimiter == ' ' && p.opts.IDs == AutoIDs && areTabbed(lines) {
		p.delimiter = '\t'
	}
	if p.opts.IDs == TextIDs || p.opts.IDs == AutoIDs && p.areText(p.sample(lines)) {
		p.interner = newInterner()
		p.delimiter = cmp.Or(p.opts.Delimiter, guessDelimiter(lines[0], p.suffix, TextIDs))
	}
	s := p.sample(lines)
	switch {
	case s == nil || p.opts.Header != AutoHeader:
	case len(lines) == 1 && !more: // a graph without edges, as Write writes it, or one edge
		p.header = string(s[0][0]) == "source" && string(s[0][1]) == "target"
	default:
		p.header = p.isHeader(s)
		p.likely = !p.header && p.interner != nil && mayBeHeader(s[0], s[1:])
	}
}

// areTabbed tells whether all lines have as many tabs and some have blanks in a column, as
// lists of names do.
func areTabbed(lines [][]byte) bool {
	tabs, blanks := bytes.Count(lines[0], []byte{'\t'}), false
	for _, line := range lines {
		if bytes.Count(line, []byte{'\t'}) != tabs {
			return false
		}
		blanks = blanks || len(words(nil, line)) > tabs+1
	}
	return tabs > 0 && blanks
}

// sample splits lines into columns: the ends of an edge, and its weight if there
// are three. It is nil if the first line does not have the columns that were chosen.
// Others that lack some, as damaged ones may, are left out.
func (p *edgeList) sample(lines [][]byte) (s [][][]byte) {
	for i, line := range lines {
		fields, wrong := p.split(nil, line)
		if i == 0 && wrong == "" {
			_, wrong = p.choose(fields)
		}
		if i == 0 && (wrong != "" || len(fields) <= max(p.from, p.to)) {
			return nil
		}
		if wrong != "" || len(fields) <= max(p.from, p.to) {
			continue
		}
		row := [][]byte{fields[p.from], fields[p.to]}
		switch {
		case p.value >= 0 && p.value < len(fields):
			row = append(row, fields[p.value])
		case p.opts.Columns == nil && len(fields) == 3:
			row = append(row, fields[2])
		}
		s = append(s, row)
	}
	return s
}

// textPerMille is how many of a thousand lines must have an end that is not a
// number for names to be text. Fewer are taken for damage, which is reported. It is a
// choice: higher, and files whose names are mostly numbers need --ids string; lower, and
// a damaged file of numbers is read as text.
const textPerMille = 100

// areText tells whether the names of a sample are text. The first line, which may
// be a header, counts only if it is alone.
func (p *edgeList) areText(s [][][]byte) bool {
	if len(s) > 1 {
		s = s[1:]
	}
	text := 0
	for _, row := range s {
		if !isNumeric(row[0]) || !isNumeric(row[1]) {
			text++
		}
	}
	return 1000*text > textPerMille*len(s)
}

// isNumeric tells whether a field is meant to be a number, well-formed or not.
func isNumeric(field []byte) bool {
	return len(field) == 0 || !isName(field) && len(bytes.Trim(field, "0123456789+-.eE")) == 0
}

// headerWords are what people call the columns of edges.
var headerWords = strings.Fields(`source target src dst dest destination from to start end head tail node node1 node2
	nodeid fromnode tonode fromnodeid tonodeid from_node to_node from_id to_id source_id target_id id id1 id2 u v
	vertex vertex1 vertex2 a b user user1 user2 friend follower followee parent child :start_id :end_id name name1 name2`)

// isHeader tells whether the first line of a sample names the columns. Where names
// are numbers it does if neither of its ends is one. Where they are text it does if
// its weight is not a number, if it has words that headers have, or if it stands
// alone among lines that share names: then the whole file decides.
func (p *edgeList) isHeader(s [][][]byte) bool {
	first, other := s[0], s[1:]
	switch {
	case !isName(first[0]) || !isName(first[1]):
		return false
	case p.interner == nil:
		return true
	case len(first) == 3 && len(other) > 0 && !isNumeric(first[2]):
		return true
	}
	p.suspect = [2]string{string(first[0]), string(first[1])}
	return isHeaderWord(first[0]) && isHeaderWord(first[1]) || p.delimiter != ' ' && isAlone(first, other)
}

// mayBeHeader tells whether a first line of text has a word that headers have, or stands alone
// among lines that share names, and no other line of the sample has a name of it.
func mayBeHeader(first [][]byte, other [][][]byte) bool {
	word := slices.ContainsFunc(first[:2], func(f []byte) bool { return len(f) > 1 && isHeaderWord(f) })
	named, shared := sharing(first, other)
	return !named && (word || shared > 1 && shared == len(other))
}

func isHeaderWord(field []byte) bool {
	return slices.Contains(headerWords, strings.ToLower(string(field)))
}

// minSharing is how many lines must share names for one that does not to stand out. It is
// a choice: in a file of fewer lines a first edge between two other vertices is likely.
const minSharing = 4

// isAlone tells whether the first line shares no name with the others, nine in ten
// of which do so among themselves.
func isAlone(first [][]byte, other [][][]byte) bool {
	named, shared := sharing(first, other)
	return !named && !bytes.Equal(first[0], first[1]) && shared >= minSharing && 10*shared >= 9*len(other)
}

// sharing tells whether other lines have a name of the first, and how many share names among
// themselves.
func sharing(first [][]byte, other [][][]byte) (named bool, shared int) {
	count := map[string]int{}
	for _, row := range other {
		count[string(row[0])]++
		count[string(row[1])]++
	}
	for _, row := range other {
		if count[string(row[0])] > 1 || count[string(row[1])] > 1 {
			shared++
		}
	}
	return count[string(first[0])] > 0 || count[string(first[1])] > 0, shared
}
