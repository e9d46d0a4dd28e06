package csr

import "github.com/gohops/hops/graph"

// sides says at which of its ends an edge has an entry.
type sides uint8

const (
	both  sides = iota // undirected: the row of either end has the other
	outOf              // the row of its source has its target
	into               // the row of its target has its source
)

// perEdge is the number of entries of an edge.
func (s sides) perEdge() int64 {
	if s == both {
		return 2
	}
	return 1
}

// makeSides makes the rows: all at once, or those of a directed graph side by
// side. What HubPrefix says is to be about In, which therefore comes last.
func (b *builder) makeSides() error {
	b.rows = &b.Out
	if !b.Directed {
		err := b.makeRows()
		b.In = b.Out
		return err
	}
	if err := b.makeSide(outOf, &b.Out); err != nil {
		return err
	}
	return b.makeSide(into, &b.In)
}

func (b *builder) makeSide(s sides, rows *graph.Rows) error {
	b.sides, b.rows = s, rows
	clear(b.count)
	if err := b.countEntries(); err != nil {
		return err
	}
	return b.makeRows()
}
