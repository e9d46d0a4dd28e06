package format

import (
	"encoding/xml"
	"errors"
	"io"
	"strings"
)

// parseGraphML reads the XML of Gephi, yEd and NetworkX. Edges have the weight that the
// data of a key called weight gives them.
func parseGraphML(d *document) error {
	x := xml.NewDecoder(d.in)
	x.Strict = true
	p := &graphML{document: d, weights: map[string]bool{}}
	for {
		t, err := x.Token()
		line, _ := x.InputPos()
		d.line = int64(line)
		if err == io.EOF {
			return p.end()
		}
		var syntax *xml.SyntaxError
		if errors.As(err, &syntax) {
			return d.wrong("not well-formed XML: %s", syntax.Msg)
		}
		if err != nil {
			return err
		}
		switch t := t.(type) {
		case xml.StartElement:
			err = p.start(t)
		case xml.EndElement:
			err = p.close(t.Name.Local)
		case xml.CharData:
			if p.inWeight {
				p.weight += string(t)
			}
		}
		if err != nil {
			return err
		}
	}
}

// A graphML is the place within such a file.
type graphML struct {
	*document
	weights  map[string]bool // ids of the keys for weights, one for each type
	found    bool            // a graph
	from, to string          // of the edge that is open
	inEdge   bool
	inWeight bool
	weight   string
}

func attribute(t xml.StartElement, name string) string {
	for _, a := range t.Attr {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}

func (p *graphML) start(t xml.StartElement) error {
	switch t.Name.Local {
	case "key":
		if attribute(t, "attr.name") == "weight" && attribute(t, "for") != "node" {
			p.weights[attribute(t, "id")] = true
		}
	case "graph":
		directed := attribute(t, "edgedefault") == "directed"
		if p.found && directed != p.directed {
			return p.wrong("graphs with and without directions in one file")
		}
		p.directed, p.found = directed, true
	case "node":
		return p.vertex(attribute(t, "id"))
	case "edge":
		if own := attribute(t, "directed"); own != "" && (own == "true") != p.directed {
			return p.wrong("edges with and without directions in one graph")
		}
		p.inEdge, p.from, p.to, p.weight = true, attribute(t, "source"), attribute(t, "target"), ""
	case "data":
		p.inWeight = p.inEdge && p.weights[attribute(t, "key")]
	case "hyperedge":
		return p.wrong("a hyperedge, which is not an edge between two vertices")
	}
	return nil
}

func (p *graphML) close(name string) error {
	switch name {
	case "data":
		p.inWeight = false
	case "edge":
		p.inEdge = false
		return p.edge(p.from, p.to, strings.TrimSpace(p.weight))
	}
	return nil
}

func (p *graphML) end() error {
	if !p.found {
		return p.wrong("the file has no graph")
	}
	return nil
}
