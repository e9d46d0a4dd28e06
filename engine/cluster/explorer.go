package cluster

import (
	"github.com/gohops/hops/internal/bitset"
	"github.com/gohops/hops/level"
)

// The exploration of a block may run elsewhere than on the threads of its rank: on
// a device that somebody lends. Everything else of a level stays here.

// An Explorer has a block of the matrix and explores it. Bitmaps of rows are those
// of all rows of the block, from 0; the frontier is by label.
type Explorer interface {
	// Front sets words of the frontier, from the given one on.
	Front(first int64, words []uint64) error
	// TopDown finds the rows that columns of the frontier lead to and that are
	// not in visited; BottomUp those that are not in closed and have a column in
	// the frontier. Both return how many entries they looked at.
	TopDown(visited, out []uint64) (examined int64, err error)
	BottomUp(closed, out []uint64) (examined int64, err error)
	// Parents returns a parent of each row that was found, the one of the last
	// time.
	Parents(dst []uint32) error
	Close() error
}

// Lines are the rows or the columns of a block that are not empty: number k has
// Entries[Offsets[k]:Offsets[k+1]]. Rows are numbered from 0 and columns by label.
type Lines struct {
	Numbers []uint32
	Offsets []int64
	Entries []uint32
}

// A Device lends an explorer for a block of so many rows, of a graph of n vertices,
// to a rank with a number of its own on its host. All ranks of a process call it at
// once.
type Device func(rows, columns Lines, n, count int64, local int) (Explorer, error)

// lend gives the block to the device.
func (g *grid) lend() (err error) {
	columns := &g.bands[0].columns
	numbers := make([]uint32, 0, len(g.byRow.offsets)-1)
	for v := range g.byRow.full.All {
		numbers = append(numbers, uint32(v))
	}
	g.explorer, err = g.opts.Device(
		Lines{numbers, g.byRow.offsets, g.byRow.entries},
		Lines{columns.labels, columns.offsets, columns.entries},
		int64(g.n), int64(g.count), g.hosts.local,
	)
	if err != nil {
		return err
	}
	g.closed = make(bitset.Set, len(g.byRow.full))
	return g.chooseWay()
}

// exploreAway runs a pass of a level on the device.
func (g *grid) exploreAway(d level.Direction) (err error) {
	if g.pass == 0 && g.carry == nil {
		for _, piece := range g.inParts {
			if err := g.explorer.Front(piece.Lo/8, g.in[piece.Lo/8:piece.Hi/8]); err != nil {
				return err
			}
		}
	}
	b := &g.bands[0]
	looked := int64(0)
	if d == level.TopDown {
		looked, err = g.explorer.TopDown(g.visited, g.mine(0))
	} else {
		for i := range g.closed {
			g.closed[i] = g.visited[i] | ^g.asked(int64(i))
		}
		looked, err = g.explorer.BottomUp(g.closed, g.mine(g.pass))
	}
	b.tally.examined += looked
	return err
}
