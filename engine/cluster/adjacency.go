package cluster

import (
	"github.com/gohops/hops/internal/base/arena"
	"github.com/gohops/hops/internal/base/bitset"
)

// An adjacency is the rows of a worker's vertices in one direction of the edges. Rows are
// numbered like the vertices or, in a graph with wide labels, where most vertices may
// have no row, by counting the vertices that have one: the others take a bit and a half.
type adjacency[L label] struct {
	full   bitset.Set // vertices that have a row; nil: rows are numbered like the vertices
	before []uint32   // of these, before each word

	offsets      []int64 // row k is neighbors[offsets[k]:offsets[k+1]]
	neighbors    []L
	prefix       []uint16 // heavy neighbours, which come first, in each row
	heavyColumns columns  // of the heavy vertices: vertices of the worker or, from count on, other heavy ones by index
}

// number is the number of the row of v, if it has one.
func (a *adjacency[L]) number(v uint32) (k uint32, ok bool) {
	if a.full == nil {
		return v, true
	}
	return a.full.Rank(a.before, uint64(v)), a.full.Has(uint64(v))
}

func (a *adjacency[L]) row(v uint32) []L {
	k, ok := a.number(v)
	if !ok {
		return nil
	}
	return a.neighbors[a.offsets[k]:a.offsets[k+1]]
}

func (a *adjacency[L]) degree(v uint32) int64 {
	k, ok := a.number(v)
	if !ok {
		return 0
	}
	return a.offsets[k+1] - a.offsets[k]
}

// split returns the heavy and the other neighbours of v.
func (a *adjacency[L]) split(v uint32) (heavy, light []L) {
	k, ok := a.number(v)
	if !ok {
		return nil, nil
	}
	row := a.neighbors[a.offsets[k]:a.offsets[k+1]]
	return row[:a.prefix[k]], row[a.prefix[k]:]
}

// each yields the vertices that have a row, ascending, with the row.
func (a *adjacency[L]) each(count uint32, yield func(v uint32, row []L)) {
	if a.full == nil {
		for v := range count {
			yield(v, a.row(v))
		}
		return
	}
	k := 0
	for v := range a.full.All {
		yield(uint32(v), a.neighbors[a.offsets[k]:a.offsets[k+1]])
		k++
	}
}

// layRows makes room for rows of count vertices with the given numbers of entries.
func (a *adjacency[L]) layRows(count uint32, entries func(v uint32) uint32, sparse bool, mem *arena.Arena) (err error) {
	rows := int(count)
	if sparse {
		if rows, err = a.findRows(count, entries, mem); err != nil {
			return err
		}
	}
	if a.offsets, err = arena.Make[int64](mem, rows+1); err != nil {
		return err
	}
	k, at := 0, int64(0)
	for v := range count {
		if n := entries(v); n > 0 || !sparse {
			a.offsets[k] = at
			at += int64(n)
			k++
		}
	}
	a.offsets[rows] = at
	a.neighbors, err = arena.Make[L](mem, int(at))
	return err
}

// findRows finds the vertices that have a row, and returns their number.
func (a *adjacency[L]) findRows(count uint32, entries func(v uint32) uint32, mem *arena.Arena) (rows int, err error) {
	words := bitset.Words(int64(count))
	if a.full, err = arena.Make[uint64](mem, words); err != nil {
		return 0, err
	}
	if a.before, err = arena.Make[uint32](mem, words); err != nil {
		return 0, err
	}
	for v := range count {
		if v%64 == 0 {
			a.before[v/64] = uint32(rows)
		}
		if entries(v) > 0 {
			a.full.Add(uint64(v))
			rows++
		}
	}
	return rows, nil
}

// columns are, for each of some vertices, by number, those that have it in their rows.
type columns struct{ offsets, entries []uint32 }

func (c *columns) column(i uint32) []uint32 { return c.entries[c.offsets[i]:c.offsets[i+1]] }

// makeColumns makes the columns of so many vertices. each yields all entries: the number
// of a vertex, and a vertex with it in its row. each is called twice.
func makeColumns(vertices int, mem *arena.Arena, each func(yield func(i, v uint32))) (c columns, err error) {
	c.offsets = make([]uint32, vertices+2)
	each(func(i, _ uint32) { c.offsets[i+2]++ })
	for i := 1; i < len(c.offsets); i++ {
		c.offsets[i] += c.offsets[i-1]
	}
	if c.entries, err = arena.Make[uint32](mem, int(c.offsets[len(c.offsets)-1])); err != nil {
		return c, err
	}
	each(func(i, v uint32) {
		c.entries[c.offsets[i+1]] = v
		c.offsets[i+1]++
	})
	return c, nil
}
