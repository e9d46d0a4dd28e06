package query

import (
	"context"

	"github.com/gohops/hops"
	"github.com/gohops/hops/graph"
)

// A detour finds shortest paths that avoid some vertices, and some edges of the vertex
// that they start from.
type detour struct {
	passed []hops.Vertex // vertices to avoid
	passes []uint64      // a bit for each
	start  uint32
	barred map[uint32]bool // vertices that no edge of start may lead to

	find func(ctx context.Context, from, to hops.Vertex) ([]hops.Vertex, error)
}

func newDetour(g *graph.Graph, weighted bool) (*detour, error) {
	d := &detour{passes: make([]uint64, g.NumVertices()/64+1)}
	out, in := new(filtered), new(filtered)
	if !weighted {
		f := NewPathFinder(g)
		f.a.row = func(v hops.Vertex) ([]uint32, error) {
			row, err := g.OutRow(v)
			row, _ = out.keep(row, nil, func(u uint32) bool { return d.allows(uint32(v), u) })
			return row, err
		}
		f.b.row = func(v hops.Vertex) ([]uint32, error) {
			row, err := g.InRow(v)
			row, _ = in.keep(row, nil, func(u uint32) bool { return d.allows(u, uint32(v)) })
			return row, err
		}
		d.find = func(ctx context.Context, from, to hops.Vertex) ([]hops.Vertex, error) {
			return f.Find(ctx, nil, from, to)
		}
		return d, nil
	}
	a, err := newBall(g, func(v hops.Vertex) ([]uint32, []float32, error) {
		row, weights, err := g.OutEdges(v)
		row, weights = out.keep(row, weights, func(u uint32) bool { return d.allows(uint32(v), u) })
		return row, weights, err
	}, 0)
	if err != nil {
		return nil, err
	}
	b, err := newBall(g, func(v hops.Vertex) ([]uint32, []float32, error) {
		row, weights, err := g.InEdges(v)
		row, weights = in.keep(row, weights, func(u uint32) bool { return d.allows(u, uint32(v)) })
		return row, weights, err
	}, 0)
	d.find = func(ctx context.Context, from, to hops.Vertex) ([]hops.Vertex, error) {
		path, _, err := balls{a, b}.find(ctx, from, to)
		return path, err
	}
	return d, err
}

// bar closes the vertices that were passed before start, and opens all others.
func (d *detour) bar(passed []hops.Vertex, start hops.Vertex) {
	for _, v := range d.passed {
		d.passes[v>>6] = 0
	}
	for _, v := range passed {
		d.passes[v>>6] |= 1 << (v & 63)
	}
	d.passed, d.start, d.barred = passed, uint32(start), map[uint32]bool{}
}

// allows tells whether the edge from v to u may be used.
func (d *detour) allows(v, u uint32) bool {
	return (d.passes[v>>6]>>(v&63)|d.passes[u>>6]>>(u&63))&1 == 0 && !(v == d.start && d.barred[u])
}

// filtered has room for a row without some of its entries.
type filtered struct {
	row     []uint32
	weights []float32
}

// keep returns the entries of a row that are allowed. A row without others is returned as
// it is.
func (f *filtered) keep(row []uint32, weights []float32, allowed func(u uint32) bool) ([]uint32, []float32) {
	first := 0
	for first < len(row) && allowed(row[first]) {
		first++
	}
	if first == len(row) {
		return row, weights
	}
	f.row = append(f.row[:0], row[:first]...)
	if weights != nil {
		f.weights = append(f.weights[:0], weights[:first]...)
	}
	for i := first + 1; i < len(row); i++ {
		if allowed(row[i]) {
			f.row = append(f.row, row[i])
			if weights != nil {
				f.weights = append(f.weights, weights[i])
			}
		}
	}
	if weights == nil {
		return f.row, nil
	}
	return f.row, f.weights
}
