package format

import (
	"cmp"
	"io"
	"strings"
)

// parseGML reads the Graph Modelling Language: a graph is a list of nodes, with an id
// and perhaps a label, and of edges between ids. Nodes are called by their labels if
// all have one and no two the same, else by their ids.
func parseGML(d *document) error {
	p := &gml{document: d}
	for {
		key, err := d.token(false)
		if err == io.EOF && p.seen {
			return p.write()
		}
		if err == io.EOF {
			return d.wrong("the file has no graph")
		}
		if err == nil && key.text == "graph" && !key.quoted {
			p.seen = true
			err = p.entries(0, p.graph)
		} else if err == nil {
			err = p.skip(0)
		}
		if err != nil {
			return p.unfinished(err)
		}
	}
}

// A gml is what has been read of one.
type gml struct {
	*document
	seen  bool
	nodes []gmlNode
	edges []gmlEdge
	ids   map[string]int // places of nodes
}

type gmlNode struct {
	id, label string
	line      int64
}

type gmlEdge struct {
	from, to, weight string
	line             int64
}

func (p *gml) unfinished(err error) error {
	if err == io.EOF {
		return p.wrong("the file ends within a list")
	}
	return err
}

// entries reads a list of keys and values after its key.
func (p *gml) entries(depth int, use func(key string) error) error {
	open, err := p.token(false)
	if err != nil {
		return err
	}
	if !open.is("[") {
		return p.wrong("%s, where a list is expected", quoted([]byte(open.text)))
	}
	return p.list(depth, use)
}

// list reads keys and values after the bracket that opens their list.
func (p *gml) list(depth int, use func(key string) error) error {
	if depth > maxNesting {
		return p.wrong("lists within more than %d others", maxNesting)
	}
	for {
		key, err := p.token(false)
		switch {
		case err != nil:
			return err
		case key.is("]"):
			return nil
		case key.quoted || strings.ContainsAny(key.text, "[{};,=:"):
			return p.wrong("%s, where a key is expected", quoted([]byte(key.text)))
		}
		if err := use(key.text); err != nil {
			return err
		}
	}
}

// skip reads a value that does not matter.
func (p *gml) skip(depth int) error {
	t, err := p.token(false)
	if err != nil || !t.is("[") {
		return err
	}
	return p.list(depth, func(string) error { return p.skip(depth + 1) })
}

func (p *gml) value(to *string) error {
	t, err := p.token(false)
	if err == nil && t.is("[") {
		err = p.wrong("a list, where a value is expected")
	}
	*to = t.text
	return err
}

func (p *gml) graph(key string) error {
	switch key {
	case "directed":
		var value string
		err := p.value(&value)
		p.directed = value == "1"
		return err
	case "node":
		n := gmlNode{line: p.line}
		err := p.entries(1, func(key string) error {
			switch key {
			case "id":
				return p.value(&n.id)
			case "label":
				return p.value(&n.label)
			}
			return p.skip(2)
		})
		p.nodes = append(p.nodes, n)
		return cmp.Or(err, p.wait(n.id, n.label))
	case "edge":
		e := gmlEdge{line: p.line}
		err := p.entries(1, func(key string) error {
			if to := map[string]*string{"source": &e.from, "target": &e.to, "weight": &e.weight, "value": &e.weight}[key]; to != nil {
				return p.value(to)
			}
			return p.skip(2)
		})
		p.edges = append(p.edges, e)
		return cmp.Or(err, p.wait(e.from, e.to, e.weight))
	}
	return p.skip(1)
}

// write gives out the graph once all labels are known.
func (p *gml) write() error {
	labels := map[string]bool{}
	p.ids = map[string]int{}
	for i, n := range p.nodes {
		p.line = n.line
		if _, twice := p.ids[n.id]; twice || n.id == "" {
			return p.wrong("a node without an id of its own")
		}
		p.ids[n.id] = i
		labels[n.label] = true
	}
	byLabel := len(labels) == len(p.nodes) && !labels[""]
	for i := range p.nodes {
		n := &p.nodes[i]
		if !byLabel {
			n.label = n.id
		}
		p.line = n.line
		if err := p.vertex(n.label); err != nil {
			return err
		}
	}
	for _, e := range p.edges {
		p.line = e.line
		from, known := p.ids[e.from]
		to, both := p.ids[e.to]
		if !known || !both {
			return p.wrong("an edge from %q to %q, which are not both nodes", e.from, e.to)
		}
		if err := p.edge(p.nodes[from].label, p.nodes[to].label, e.weight); err != nil {
			return err
		}
	}
	return nil
}
