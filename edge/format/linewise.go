package format

import (
	"bytes"
	"io"
	"strconv"
	"strings"

	"github.com/gohops/hops"
)

// parseAdjacency reads lines of a vertex and its neighbours, with white space between,
// as NetworkX writes them. Without --directed an edge may be in the rows of both ends.
func parseAdjacency(d *document) error {
	d.silent = true
	var fields [][]byte
	return d.eachLine("#", func(line []byte) error {
		fields = words(fields[:0], line)
		if len(fields) == 1 {
			return d.vertex(string(fields[0]))
		}
		for _, to := range fields[1:] {
			if err := d.edge(string(fields[0]), string(to), ""); err != nil {
				return err
			}
		}
		return nil
	})
}

// parseTriples reads N-Triples and N-Quads: a triple is an edge from its subject to its
// object, unless the object is a literal. Names are IRIs without their brackets, and
// blank nodes.
func parseTriples(d *document) error {
	d.directed = true
	return d.eachLine("#", func(line []byte) error {
		var terms [3]string
		for i := range terms {
			term, rest, ok := triple(line)
			if !ok || i < 2 && term == "" {
				return d.wrong("%s, where a term of a triple is expected", quoted(trimBlanks(line)))
			}
			terms[i], line = term, rest
		}
		if !bytes.HasSuffix(bytes.TrimRight(line, " \t"), []byte(".")) {
			return d.wrong("a triple does not end with a point")
		}
		if terms[2] == "" {
			return d.vertex(terms[0])
		}
		return d.edge(terms[0], terms[2], "")
	})
}

// triple returns the term at the front of a line and what follows. A literal is "".
func triple(line []byte) (term string, rest []byte, ok bool) {
	line = bytes.TrimLeft(line, " \t")
	switch {
	case bytes.HasPrefix(line, []byte("<")):
		end := bytes.IndexByte(line, '>')
		if end <= 1 {
			return "", nil, false
		}
		return string(line[1:end]), line[end+1:], true
	case bytes.HasPrefix(line, []byte("_:")):
		end := bytes.IndexAny(line, " \t")
		if end < 0 {
			return "", nil, false
		}
		return string(line[:end]), line[end:], true
	case !bytes.HasPrefix(line, []byte(`"`)):
		return "", nil, false
	}
	for i := 1; i < len(line); i++ {
		switch line[i] {
		case '\\':
			i++
		case '"':
			end := bytes.IndexAny(line[i:], " \t") // behind a language or a type
			if end < 0 {
				end = len(line) - i
			}
			return "", line[i+end:], true
		}
	}
	return "", nil, false
}

// parsePajek reads Pajek's networks: *Vertices with labels, *Arcs and *Edges, or lists
// of these. A network with both has its edges in both directions.
func parsePajek(d *document) error {
	p := &pajek{document: d}
	if err := d.eachLine("%", p.read); err != io.EOF {
		return err
	}
	return p.declare()
}

type pajek struct {
	*document
	section  string
	labels   []string
	edges    bool // an undirected edge has come
	declared bool // the vertices have been given out
}

func (p *pajek) read(line []byte) error {
	if line[0] != '*' {
		return p.row(line)
	}
	fields := words(nil, line)
	p.section = strings.ToLower(string(fields[0]))
	switch p.section {
	case "*vertices":
		if len(fields) < 2 || p.labels != nil {
			return p.wrong("*Vertices needs a number, once")
		}
		n, wrong := wholeNumber(fields[1])
		if wrong != "" || n >= hops.NarrowLimit {
			return p.wrong("*Vertices %s: not a possible number", quoted(fields[1]))
		}
		if err := p.f.fits(int64(n) * 64); err != nil {
			return err
		}
		p.labels = make([]string, n)
		for i := range p.labels {
			p.labels[i] = strconv.Itoa(i + 1)
		}
	case "*arcs", "*arcslist":
		if p.edges {
			return p.wrong("*Arcs after *Edges; hops reads networks with the arcs first")
		}
		p.directed = true
		return p.declare()
	case "*edges", "*edgeslist":
		p.edges = true
		return p.declare()
	case "*network":
	default:
		return p.wrong("a section %s, which hops does not read", quoted(fields[0]))
	}
	return nil
}

// declare gives out the vertices, whose labels are known when the first edges come.
func (p *pajek) declare() error {
	switch {
	case p.labels == nil:
		return p.wrong("there is no *Vertices before the edges")
	case p.declared:
		return nil
	}
	p.declared = true
	seen := make(map[string]bool, len(p.labels))
	for _, label := range p.labels {
		seen[label] = true
	}
	for i, label := range p.labels {
		if len(seen) < len(p.labels) { // labels are not names where two are the same
			label = strconv.Itoa(i + 1)
			p.labels[i] = label
		}
		if err := p.vertex(label); err != nil {
			return err
		}
	}
	return nil
}

func (p *pajek) row(line []byte) error {
	fields := words(nil, line)
	if p.section == "*vertices" {
		return p.label(fields[0], bytes.TrimLeft(line[len(fields[0]):], " \t"))
	}
	if !strings.Contains(p.section, "arcs") && !strings.Contains(p.section, "edges") {
		return p.wrong("a line before *Vertices")
	}
	from, err := p.name(fields[0])
	if err != nil {
		return err
	}
	ends, w := fields[1:], ""
	if !strings.HasSuffix(p.section, "list") {
		if len(fields) < 2 {
			return p.wrong("one column, where an edge has two ends")
		}
		if ends = fields[1:2]; len(fields) > 2 {
			w = string(fields[2])
		}
	}
	for _, end := range ends {
		to, err := p.name(end)
		if err != nil {
			return err
		}
		if err := p.edge(from, to, w); err != nil {
			return err
		}
		if p.edges && p.directed {
			if err := p.edge(to, from, w); err != nil {
				return err
			}
		}
	}
	return nil
}

// label takes the label of a vertex, which may be in quotes.
func (p *pajek) label(number, rest []byte) error {
	i, err := p.place(number)
	if err != nil || len(rest) == 0 {
		return err
	}
	label := string(word(append(bytes.Clone(rest), '\n')))
	if rest[0] == '"' {
		end := bytes.IndexByte(rest[1:], '"')
		if end < 0 {
			return p.wrong("a quote is not closed on its line")
		}
		label = string(rest[1 : 1+end])
	}
	if label != "" {
		p.labels[i] = label
	}
	return nil
}

func (p *pajek) place(field []byte) (int, error) {
	x, wrong := wholeNumber(field)
	if wrong != "" {
		return 0, p.wrong("%s", wrong)
	}
	if x-1 >= uint64(len(p.labels)) {
		return 0, p.wrong("vertex %d is not within 1 … %d", x, len(p.labels))
	}
	return int(x - 1), nil
}

func (p *pajek) name(field []byte) (string, error) {
	i, err := p.place(field)
	if err != nil {
		return "", err
	}
	return p.labels[i], nil
}
