package cluster

import (
	"errors"

	"github.com/gohops/hops/internal/arena"
	"github.com/gohops/hops/internal/bitset"
	"github.com/gohops/hops/internal/par"
	"github.com/gohops/hops/internal/rank"
	"github.com/gohops/hops/internal/tails"
)

// blocked is a block of the matrix as bottom-up levels read it.
type blocked struct {
	byRow block // for each vertex of the row, its neighbours in the column
	// home has the vertices whose heaviest neighbour is in this column.
	home bitset.Set
	// The rest is missing where most rows are empty.
	head  []uint32 // the first entry of each row
	long  bitset.Set
	tails tails.Tails

	filling fill
}

// hypersparse is one row in how many that is not empty below which only such rows
// take more than a bit.
const hypersparse = 8

func (b *blocked) compact() bool { return b.head == nil }

// finishGrid orders the rows, takes duplicates out, and makes what searches use
// beside them.
func (b *builder) finishGrid() (err error) {
	g := b.grid
	if err := b.orderBlock(); err != nil {
		return err
	}
	b.entryCount = int64(len(g.byRow.entries))
	if err := g.chooseHomes(b.class); err != nil {
		return err
	}
	if int64(len(g.byRow.offsets)-1)*hypersparse >= int64(g.count) {
		if err := g.fillHeads(); err != nil {
			return err
		}
	}
	g.cutBands()
	errs := make([]error, len(g.bands))
	g.team.Run(func(t int) { errs[t] = g.fillColumns(&g.bands[t], &g.mem) })
	return errors.Join(errs...)
}

// orderBlock orders the rows by class and label of the neighbour, and closes the
// gaps that duplicates leave.
func (b *builder) orderBlock() (err error) {
	g := b.grid
	f := &g.filling
	b.team.Run(func(t int) {
		var s rowSorter
		lo, hi := par.Split(int64(g.count), 64, t, b.team.Size())
		for v := uint32(lo); v < uint32(hi); v++ {
			row := g.byRow.row(v)
			f.counts[v] = uint32(s.order(row, b.class, row))
		}
	})
	full := g.byRow
	if g.byRow, err = newBlock(f.counts, &b.mem); err != nil {
		return err
	}
	for v := range g.count {
		copy(g.byRow.row(v), full.row(v))
	}
	full.free(&b.mem)
	arena.Free(&b.mem, f.counts)
	arena.Free(&b.mem, f.filled)
	return nil
}

// fillHeads copies the beginnings of the rows.
func (g *grid) fillHeads() (err error) {
	// Kernels read heads by whole words.
	if g.head, err = arena.Make[uint32](&g.mem, 64*len(g.byRow.full)); err != nil {
		return err
	}
	if g.long, err = arena.Make[uint64](&g.mem, len(g.byRow.full)); err != nil {
		return err
	}
	for v := range g.count {
		if row := g.byRow.row(v); len(row) > 0 {
			g.head[v] = row[0]
			if len(row) > 1 {
				g.long.Add(uint64(v))
			}
		}
	}
	g.tails, err = tails.New(int64(g.count), g.byRow.row, par.NewTeam(1, nil), &g.mem)
	return err
}

// homeChunk is for how many vertices of the row homes are chosen at a time.
const homeChunk = 1 << 16

// chooseHomes finds for each vertex of the row the rank of the row that has its
// heaviest neighbour. Of equals it takes the one that a vertex comes to first,
// each vertex starting with another.
func (g *grid) chooseHomes(classes []uint8) (err error) {
	if g.home, err = arena.Make[uint64](&g.mem, len(g.byRow.full)); err != nil {
		return err
	}
	all, err := arena.Make[uint8](&g.mem, homeChunk*g.columns)
	if err != nil {
		return err
	}
	defer arena.Free(&g.mem, all)
	parts := make([]rank.Span, g.columns)
	for j := range int64(g.columns) {
		parts[j] = rank.Span{Lo: j * homeChunk, Hi: (j + 1) * homeChunk}
	}
	for first := int64(0); first < int64(g.count); first += homeChunk {
		chunk := min(homeChunk, int64(g.count)-first)
		mine := all[parts[g.j].Lo:parts[g.j].Hi]
		for k := range chunk {
			mine[k] = 0
			if row := g.byRow.row(uint32(first + k)); len(row) > 0 {
				mine[k] = classes[row[0]]
			}
		}
		if err := g.row.Gather(all, parts); err != nil {
			return err
		}
		for k := range chunk {
			if mine[k] > 0 && g.isHome(all, k, mine[k]) {
				g.home.Add(uint64(first + k))
			}
		}
	}
	return nil
}

// isHome tells whether no other rank of the row has a heavier neighbour of vertex
// k of a chunk than this one, whose class is given, or an equal one and comes
// before it.
func (g *grid) isHome(all []uint8, k int64, class uint8) bool {
	me := turn(g.j, k, g.columns)
	for j := range g.columns {
		c := all[int64(j)*homeChunk+k]
		if c > class || c == class && turn(j, k, g.columns) < me {
			return false
		}
	}
	return true
}

// turn is when vertex k comes to column j.
func turn(j int, k int64, columns int) int64 {
	return (int64(j) + k) % int64(columns)
}
