package export

import (
	"bytes"
	"context"
	"encoding/xml"
	"fmt"
	"strings"

	"github.com/gohops/hops"
)

func writeGraphML(ctx context.Context, w *writer) error {
	direction := "undirected"
	if w.g.Directed {
		direction = "directed"
	}
	key := ""
	if w.g.Weighted() {
		key = `<key id="weight" for="edge" attr.name="weight" attr.type="float"/>` + "\n"
	}
	fmt.Fprintf(w, "%s<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">\n%s<graph edgedefault=\"%s\">\n", xml.Header, key, direction)
	err := w.eachVertex(func(line []byte, v hops.Vertex) []byte {
		return append(w.escaped(append(line, `<node id="`...), v), "\"/>\n"...)
	})
	if err != nil {
		return err
	}
	err = w.each(ctx, func(line []byte, e hops.Edge, weight float32) []byte {
		line = w.escaped(append(line, `<edge source="`...), e.U)
		line = w.escaped(append(line, `" target="`...), e.V)
		if w.g.Weighted() {
			return w.weight(line, `"><data key="weight">`, weight, "</data></edge>\n")
		}
		return append(line, "\"/>\n"...)
	})
	if err != nil {
		return err
	}
	_, err = w.WriteString("</graph>\n</graphml>\n")
	return err
}

// escaped appends a name as XML has it. Bytes that are not UTF-8 cannot be in XML.
func (w *writer) escaped(line []byte, v hops.Vertex) []byte {
	if !w.g.Names.IsText() {
		return w.g.AppendName(line, v)
	}
	b := bytes.NewBuffer(line)
	_ = xml.EscapeText(b, []byte(w.g.Name(v)))
	return b.Bytes()
}

func writeDOT(ctx context.Context, w *writer) error {
	kind, arrow := "graph", " -- "
	if w.g.Directed {
		kind, arrow = "digraph", " -> "
	}
	fmt.Fprintf(w, "%s {\n", kind)
	err := w.eachVertex(func(line []byte, v hops.Vertex) []byte {
		if w.g.Degree(v) > 0 || w.g.Directed && w.g.InDegree(v) > 0 {
			return line // its edges name it
		}
		return append(w.word(line, v), ";\n"...)
	})
	if err != nil {
		return err
	}
	err = w.each(ctx, func(line []byte, e hops.Edge, weight float32) []byte {
		line = append(w.word(line, e.U), arrow...)
		return append(w.weight(w.word(line, e.V), " [weight=", weight, "]"), ";\n"...)
	})
	if err != nil {
		return err
	}
	_, err = w.WriteString("}\n")
	return err
}

// word appends a name as a word of DOT.
func (w *writer) word(line []byte, v hops.Vertex) []byte {
	if !w.g.Names.IsText() {
		return w.g.AppendName(line, v)
	}
	return append(append(append(line, '"'), strings.ReplaceAll(w.g.Name(v), `"`, `\"`)...), '"')
}
