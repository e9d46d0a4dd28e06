package graph

import (
	"cmp"

	"github.com/gohops/hops"
)

// Name returns what v is called where the edges came from.
func (g *Graph) Name(v hops.Vertex) string { return string(g.AppendName(nil, v)) }

// AppendName appends the name of v to dst.
func (g *Graph) AppendName(dst []byte, v hops.Vertex) []byte {
	if !g.trusted() {
		if err := g.guard.oneName(g.Names, v); err != nil {
			g.guard.fail(err)
			return dst
		}
	}
	return g.Names.AppendName(dst, v)
}

// Lookup returns the vertex of that name and whether there is one.
func (g *Graph) Lookup(name string) (hops.Vertex, bool) {
	v, ok := g.Names.Lookup(name)
	ok = ok && v < g.NumVertices()
	if g.trusted() || ok && g.Name(v) == name {
		return v, ok
	}
	// Nothing was found, or the wrong thing: before that is said, it must not be
	// for damage anywhere in the names.
	if err := g.guard.allNames(g.Names); err != nil {
		g.guard.fail(err)
		return hops.NoVertex, false
	}
	return v, ok
}

// oneName checks the name of one vertex.
func (c *guard) oneName(l *Names, v hops.Vertex) error {
	switch {
	case l == nil:
		return nil
	case len(l.Narrow) > 0:
		return touch(c, l.Narrow[v:v+1])
	case len(l.Wide) > 0:
		return touch(c, l.Wide[v:v+1])
	case l.IsText():
		if err := touch(c, l.Ends[max(v, 1)-1:v+1]); err != nil {
			return err
		}
		return touch(c, l.text(uint64(v)))
	}
	return nil
}

// allNames checks those of all vertices.
func (c *guard) allNames(l *Names) error {
	if l == nil {
		return nil
	}
	return cmp.Or(touch(c, l.Narrow), touch(c, l.Wide), touch(c, l.Ends), touch(c, l.Text), touch(c, l.Table))
}
