package format

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// parseNodeLink reads JSON as NetworkX and D3 write it: {"directed": …, "nodes": [{"id":
// …}], "links": [{"source": …, "target": …}]}; links may be called edges. A node without
// an id is called by its name, and links mean it by its place from 0 on. Cytoscape's
// elements, with their data within, are read too.
func parseNodeLink(d *document) error {
	p := &nodeLink{document: d, json: json.NewDecoder(&lineCounter{d: d})}
	p.json.UseNumber()
	err := p.object(map[string]func() error{
		"directed": func() error { return p.json.Decode(&d.directed) },
		"nodes":    func() error { return p.array(p.node) },
		"links":    func() error { return p.array(p.link) },
		"edges":    func() error { return p.array(p.link) },
		"elements": func() error {
			return p.object(map[string]func() error{"nodes": func() error { return p.array(p.node) }, "edges": func() error { return p.array(p.link) }})
		},
	})
	var broken *Error
	switch {
	case err == nil:
		return p.rest()
	case err == io.EOF || errors.Is(err, io.ErrUnexpectedEOF):
		return d.wrong("the file ends within an object")
	case errors.As(err, &broken):
		return err
	}
	return d.wrong("not a graph in JSON: %v", err)
}

// A lineCounter reads a document and counts its lines. The decoder reads ahead, by
// some kilobytes at most.
type lineCounter struct{ d *document }

func (c *lineCounter) Read(p []byte) (int, error) {
	n, err := c.d.in.Read(p[:min(len(p), 512)])
	c.d.line += countLines(p[:n])
	return n, err
}

type nodeLink struct {
	*document
	json    *json.Decoder
	names   []string // of nodes by place, if they have no ids
	waiting []link   // that came before the nodes they mean by place
	nodes   bool     // have come
}

// A link is an edge, or the data of one.
type link struct {
	Source, Target any
	Weight, Value  *json.Number
	Data           *link
}

func (p *nodeLink) object(keys map[string]func() error) error {
	if err := p.expect('{'); err != nil {
		return err
	}
	for p.json.More() {
		key, err := p.json.Token()
		if err != nil {
			return err
		}
		if use := keys[fmt.Sprint(key)]; use != nil {
			err = use()
		} else {
			var skipped json.RawMessage
			err = p.json.Decode(&skipped)
		}
		if err != nil {
			return err
		}
	}
	_, err := p.json.Token()
	return err
}

func (p *nodeLink) array(use func() error) error {
	if err := p.expect('['); err != nil {
		return err
	}
	for p.json.More() {
		if err := use(); err != nil {
			return err
		}
	}
	_, err := p.json.Token()
	return err
}

func (p *nodeLink) expect(want json.Delim) error {
	t, err := p.json.Token()
	if err == nil && t != want {
		return fmt.Errorf("%v, where %v is expected", t, want)
	}
	return err
}

func (p *nodeLink) node() error {
	var n struct {
		ID, Name any
		Data     *struct{ ID any }
	}
	if err := p.json.Decode(&n); err != nil {
		return err
	}
	p.nodes = true
	switch {
	case n.Data != nil:
		return p.vertex(text(n.Data.ID))
	case n.ID != nil:
		return p.vertex(text(n.ID))
	case n.Name == nil:
		n.Name = len(p.names)
	}
	p.names = append(p.names, text(n.Name))
	return cmp.Or(p.wait(text(n.Name)), p.vertex(text(n.Name)))
}

// text is the name that a value is: a string, or a number as it is written.
func text(v any) string {
	switch v := v.(type) {
	case nil:
		return ""
	case map[string]any:
		return text(v["id"])
	}
	return fmt.Sprint(v)
}

func (p *nodeLink) link() error {
	var l link
	if err := p.json.Decode(&l); err != nil {
		return err
	}
	if l.Data != nil {
		l = *l.Data
	}
	if !p.nodes { // their names are not known
		p.waiting = append(p.waiting, l)
		return p.wait(text(l.Source), text(l.Target))
	}
	return p.take(l)
}

func (p *nodeLink) take(l link) error {
	w := ""
	if l.Weight == nil {
		l.Weight = l.Value
	}
	if l.Weight != nil {
		w = l.Weight.String()
	}
	from, err := p.end(l.Source)
	if err != nil {
		return err
	}
	to, err := p.end(l.Target)
	if err != nil {
		return err
	}
	return p.edge(from, to, w)
}

// end is the name of an end of a link.
func (p *nodeLink) end(v any) (string, error) {
	n, ok := v.(json.Number)
	if !ok || p.names == nil {
		return text(v), nil
	}
	i, err := n.Int64()
	if err != nil || i < 0 || i >= int64(len(p.names)) {
		return "", p.wrong("a link to node %s of %d", n, len(p.names))
	}
	return p.names[i], nil
}

func (p *nodeLink) rest() error {
	for _, l := range p.waiting {
		if err := p.take(l); err != nil {
			return err
		}
	}
	return nil
}
