package format

import (
	"io"
	"strings"
)

// parseDOT reads the language of Graphviz: one graph or digraph with statements of
// nodes, edges, attributes and subgraphs. Of attributes only the weight of edges counts.
func parseDOT(d *document) error {
	p := &dot{document: d}
	if err := p.advance(); err != nil {
		return p.unfinished(err)
	}
	if strings.EqualFold(p.now.text, "strict") {
		if err := p.advance(); err != nil {
			return p.unfinished(err)
		}
	}
	switch strings.ToLower(p.now.text) {
	case "digraph":
		d.directed = true
	case "graph":
	default:
		return d.wrong("%s, where graph or digraph is expected", quoted([]byte(p.now.text)))
	}
	for !p.now.is("{") {
		if err := p.advance(); err != nil {
			return p.unfinished(err)
		}
	}
	if _, err := p.body(0); err != nil {
		return p.unfinished(err)
	}
	if err := p.advance(); err != io.EOF {
		return d.wrong("text after the graph")
	}
	return nil
}

type dot struct {
	*document
	now token
}

func (p *dot) advance() (err error) {
	p.now, err = p.token(true)
	return err
}

func (p *dot) unfinished(err error) error {
	if err == io.EOF {
		return p.wrong("the file ends within the graph")
	}
	return err
}

// maxNesting bounds subgraphs within subgraphs.
const maxNesting = 1000

// body reads the statements after a brace up to the closing one, and returns the
// nodes in them, if it is that of a subgraph.
func (p *dot) body(depth int) (nodes []string, err error) {
	if depth > maxNesting {
		return nil, p.wrong("subgraphs within more than %d others", maxNesting)
	}
	if err := p.advance(); err != nil {
		return nil, err
	}
	for !p.now.is("}") {
		if p.now.is(";") || p.now.is(",") {
			if err := p.advance(); err != nil {
				return nil, err
			}
			continue
		}
		found, err := p.statement(depth)
		if err != nil {
			return nil, err
		}
		if depth > 0 { // nobody asks for those of the whole graph
			nodes = append(nodes, found...)
		}
	}
	return nodes, nil
}

// statement reads one statement, and leaves the token after it.
func (p *dot) statement(depth int) ([]string, error) {
	first := p.now
	from, err := p.operand(depth)
	if err != nil {
		return nil, err
	}
	if p.now.is("=") { // an attribute of the graph
		if err := p.advance(); err != nil {
			return nil, err
		}
		return nil, p.advance()
	}
	lower := strings.ToLower(first.text)
	if !first.quoted && (lower == "graph" || lower == "node" || lower == "edge") {
		_, err := p.attributes()
		return nil, err
	}
	all, groups := from, [][]string{from}
	for p.now.is("->") || p.now.is("--") {
		if p.now.is("->") != p.directed {
			return nil, p.wrong("%s is not an edge of this kind of graph", p.now.text)
		}
		if err := p.advance(); err != nil {
			return nil, err
		}
		to, err := p.operand(depth)
		if err != nil {
			return nil, err
		}
		all, groups = append(all, to...), append(groups, to)
	}
	w, err := p.attributes()
	if err != nil {
		return nil, err
	}
	return all, p.take(groups, w)
}

// take gives out the nodes of a statement, or the edges between those of its groups.
func (p *dot) take(groups [][]string, weight string) error {
	for _, name := range groups[0] {
		if err := p.vertex(name); err != nil {
			return err
		}
	}
	for i := range groups[1:] {
		for _, u := range groups[i] {
			for _, v := range groups[i+1] {
				if err := p.edge(u, v, weight); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// operand reads a node or a subgraph.
func (p *dot) operand(depth int) (nodes []string, err error) {
	if strings.EqualFold(p.now.text, "subgraph") && !p.now.quoted {
		for !p.now.is("{") {
			if err := p.advance(); err != nil {
				return nil, err
			}
		}
	}
	if p.now.is("{") {
		if nodes, err = p.body(depth + 1); err != nil {
			return nil, err
		}
		return nodes, p.advance()
	}
	if !p.now.quoted && strings.ContainsAny(p.now.text, "[]=:-") && !strings.HasPrefix(p.now.text, "-.") {
		if _, wrong := weight([]byte(p.now.text)); wrong != "" {
			return nil, p.wrong("%s, where a node is expected", quoted([]byte(p.now.text)))
		}
	}
	name := p.now.text
	if err := p.advance(); err != nil {
		return nil, err
	}
	for p.now.is(":") { // a port
		if err := p.advance(); err != nil {
			return nil, err
		}
		if err := p.advance(); err != nil {
			return nil, err
		}
	}
	return []string{name}, nil
}

// attributes reads lists of attributes, and returns the weight in them.
func (p *dot) attributes() (weight string, err error) {
	for p.now.is("[") {
		key := ""
		for !p.now.is("]") {
			before := p.now
			if err := p.advance(); err != nil {
				return "", err
			}
			switch {
			case p.now.is("="):
				key = before.text
			case before.is("=") && key == "weight":
				weight = p.now.text
			}
		}
		if err := p.advance(); err != nil {
			return "", err
		}
	}
	return weight, nil
}
