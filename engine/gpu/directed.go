package gpu

import (
	"context"

	"github.com/gohops/hops"
)

// A directed graph has two sets of rows: those into the vertices, which bottom-up levels
// read, and those out of them, which top-down levels read. A vertex without an edge into
// it has no row of the first kind: no search finds it. Every vertex with an edge has a row
// of the second kind, which may be empty, so that a level can measure whatever it finds.
// kernels/directed.cu has the kernels.

// outRows are the rows that top-down levels read.
func (g *graph) outRows() *graph {
	if g.out != nil {
		return g.out
	}
	return g
}

// runDirected is kernel 1 of a directed graph. Both sets of rows are in falling order of
// the edges into a neighbour: who has many is found early.
func (b *builder) runDirected(ctx context.Context, src hops.Source) error {
	if err := b.prepare(src, Need(hops.Vertex(b.n), src.NumEdges(), true)); err != nil {
		return err
	}
	outDegree, anyDegree := b.makeDegrees(), b.makeDegrees()
	if b.temp.err != nil {
		return b.temp.err
	}
	err := b.loader.each(ctx, func(edges buffer, n int64) error {
		if err := b.count(edges, n, anyDegree); err != nil {
			return err
		}
		return b.countDirected(edges, n, b.degree, outDegree)
	})
	if err != nil {
		return err
	}
	if err := b.numberRows(b.degree, b.degree); err != nil {
		return err
	}
	if err := b.cutEntries(b.maxAlloc); err != nil {
		return err
	}
	if err := b.makeHeads(); err != nil {
		return err
	}
	err = b.loader.each(ctx, func(edges buffer, n int64) error { return b.scatterDirected(edges, n, true, b.head) })
	if err != nil {
		return err
	}
	if err := b.sortRows(); err != nil {
		return err
	}
	if err := b.chooseHubs(); err != nil {
		return err
	}
	return b.runOut(ctx, anyDegree, outDegree)
}

// outward returns a builder of the rows out of the vertices.
func (b *builder) outward() *builder {
	out := *b
	out.graph = &graph{
		kernels: b.kernels, mem: b.mem, n: b.n,
		head: b.head, hot: b.hot, hub: b.hub, // an argument must be some buffer
	}
	b.out = out.graph
	return &out
}

// runOut makes the rows out of the vertices.
func (b *builder) runOut(ctx context.Context, anyDegree, outDegree buffer) error {
	out := b.outward()
	if err := out.numberRows(anyDegree, outDegree); err != nil {
		return err
	}
	if err := out.cutEntries(b.maxAlloc); err != nil {
		return err
	}
	cursor := b.temp.makeZero("lengths of rows", int64(out.rows), 4)
	if b.temp.err != nil {
		return b.temp.err
	}
	err := b.loader.each(ctx, func(edges buffer, n int64) error { return out.scatterDirected(edges, n, false, cursor) })
	if err != nil {
		return err
	}
	return out.sortRows()
}

// onlyOut is the set of the vertices with edges out of them and none into them. It is nil
// for an undirected graph.
func (g *graph) onlyOut() ([]uint64, error) {
	if g.out == nil {
		return nil, nil
	}
	words := int64(g.words())
	in, out := make([][2]uint32, words), make([][2]uint32, words)
	if err := g.dev.read(bytesOf(in), g.index, 0); err != nil {
		return nil, err
	}
	if err := g.dev.read(bytesOf(out), g.out.index, 0); err != nil {
		return nil, err
	}
	set := make([]uint64, (words+1)/2)
	for w := range in {
		set[w/2] |= uint64(out[w][0]&^in[w][0]) << (w % 2 * 32)
	}
	return set, nil
}
