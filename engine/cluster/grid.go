package cluster

import (
	"context"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/gohops/hops"
	"github.com/gohops/hops/internal/arena"
	"github.com/gohops/hops/internal/bitset"
	"github.com/gohops/hops/internal/kernel"
	"github.com/gohops/hops/internal/rank"
	"github.com/gohops/hops/level"
)

// Two dimensions: the ranks form a grid of R rows and C columns, and rank (i, j)
// has the block of the adjacency matrix that leads from the vertices of column j
// to those of row i.
//
// The vertices are divided into R·C pieces in order of their labels. Row i has the
// C pieces of its ranks, which are contiguous; column j has the R pieces of its
// ranks, one from each row. So what row i has found, rank (i, j) has for its own
// piece, and what column j needs next its own ranks have: the transposition is a
// gathering along the column, whatever the shape of the grid. A level:
//
//  1. explore     each block by itself, top-down or bottom-up, marks the parents
//     that it found for vertices of its row
//  2. prefix, or  the bitmaps of what was found are gathered along the row. Every
//     rank computes from them what ranks before it have found, and
//     what all have: a vertex belongs to the first rank that found it
//  3. predecessors of these vertices are sent to the owner of the piece, in every
//     level or, by default, once at the end
//  4. transpose   each rank's piece of what the row has found is gathered along
//     its column: the next frontier
//
// Bitmaps go as lists where that is smaller.
type grid struct {
	*Rank
	ctx           context.Context
	opts          Options
	rows, columns int
	i, j          int
	row, column   rank.Comm // the ranks of this row and of this column

	first, count uint32 // vertices of the row
	pieces       []uint32
	inParts      []rank.Span // of the ranks of the column, in the frontier
	outParts     []rank.Span // of the ranks of the row, in what was found

	byRow    block // for each vertex of the row, its neighbours in the column
	byColumn block // the other way round
	filling  fill

	in       bitset.Set // frontier of the column
	outs     bitset.Set // what each rank of the row has found
	out      bitset.Set // this rank's part of it
	visited  bitset.Set // of the row
	assigned bitset.Set // vertices whose parents this rank has still to tell
	marks    []uint32   // parents found, numbered within the column
	wires    [2]wire    // along the row, along the column
	tree     *hops.Tree
	kernels  kernel.Kernels
	state    level.Front
	total    struct{ connected, entries int64 }
	tallies  []tally
	sums     []uint64
	traffic  rank.Traffic
	sending  *exchanger

	predecessors []uint64 // to be sent
}

var (
	gridTopDown  = level.Step{Name: "top-down grid", Direction: level.TopDown, Exchange: "grid"}
	gridBottomUp = level.Step{Name: "bottom-up grid", Direction: level.BottomUp, Exchange: "grid"}
)

// shape returns the rows and columns of a grid of some ranks.
func (o Options) shape(ranks int) (rows, columns int, err error) {
	if o.Grid == "" {
		// With more rows than columns, fewer ranks look for the same vertex
		// bottom-up.
		columns = int(math.Sqrt(float64(ranks)))
		for ranks%columns != 0 {
			columns--
		}
		return ranks / columns, columns, nil
	}
	if rows, columns, err = parseGrid(o.Grid); err == nil && rows*columns != ranks {
		err = fmt.Errorf("cluster: a grid of %s is not one of %d ranks", o.Grid, ranks)
	}
	return rows, columns, err
}

// CheckGrid tells what is wrong with a shape.
func CheckGrid(shape string) error {
	_, _, err := parseGrid(shape)
	return err
}

func parseGrid(shape string) (rows, columns int, err error) {
	r, c, ok := strings.Cut(shape, "x")
	rows, errRows := strconv.Atoi(r)
	columns, errColumns := strconv.Atoi(c)
	if !ok || errRows != nil || errColumns != nil || rows < 1 || columns < 1 {
		return 0, 0, fmt.Errorf("cluster: a grid %q: want rows x columns, as in 2x3", shape)
	}
	return rows, columns, nil
}

// divideGrid divides the vertices into pieces and finds this rank's place.
func (b *builder) divideGrid() (err error) {
	g := &grid{Rank: b.Rank, opts: b.opts, kernels: bestKernels()}
	b.grid = g
	if g.rows, g.columns, err = b.opts.shape(b.comm.Size()); err != nil {
		return err
	}
	b.parts = newPartition(b.entries, ^uint32(0), b.comm.Size(), 1)
	me := b.comm.Rank()
	g.i, g.j = me/g.columns, me%g.columns
	if g.row, err = b.comm.Split(g.i, g.j); err != nil {
		return err
	}
	if g.column, err = b.comm.Split(g.j, g.i); err != nil {
		return err
	}
	g.first = b.parts.cuts[g.i*g.columns]
	g.count = b.parts.cuts[(g.i+1)*g.columns] - g.first
	g.pieces = []uint32{0}
	for i := range g.rows {
		lo, hi := b.parts.words(i*g.columns + g.j)
		from := int64(g.pieces[i]) / 8
		g.inParts = append(g.inParts, rank.Span{Lo: from, Hi: from + 8*(hi-lo)})
		g.pieces = append(g.pieces, g.pieces[i]+uint32(64*(hi-lo)))
	}
	words := int64(bitset.Words(int64(g.count)))
	for j := range int64(g.columns) {
		g.outParts = append(g.outParts, rank.Span{Lo: 8 * j * words, Hi: 8 * (j + 1) * words})
	}
	lo, hi := b.parts.rank(me)
	for _, e := range b.entries[lo:hi] {
		g.total.entries += int64(e)
		if e > 0 {
			g.total.connected++
		}
	}
	return nil
}

// columnNumber is the number that a vertex has within its column, and label the
// other way round.
func (g *grid) columnNumber(u uint32) (column int, number uint32) {
	p := g.parts.owner(u)
	column = p % g.columns
	number = u - g.parts.cuts[p]
	for i := range p / g.columns { // the pieces before it in the column
		lo, hi := g.parts.words(i*g.columns + column)
		number += uint32(64 * (hi - lo))
	}
	return column, number
}

func (g *grid) label(number uint32) uint32 {
	i := 0
	for g.pieces[i+1] <= number {
		i++
	}
	return g.parts.cuts[i*g.columns+g.j] + number - g.pieces[i]
}

// prepare makes room for searches.
func (g *grid) prepare() (err error) {
	words := bitset.Words(int64(g.count))
	for _, set := range []struct {
		at    *bitset.Set
		words int
	}{
		{&g.in, int(g.pieces[g.rows] / 64)},
		{&g.outs, words * g.columns},
		{&g.visited, words},
		{&g.assigned, words},
	} {
		if *set.at, err = arena.Make[uint64](&g.mem, set.words); err != nil {
			return err
		}
	}
	g.out = g.outs[g.outParts[g.j].Lo/8 : g.outParts[g.j].Hi/8]
	if g.marks, err = arena.Make[uint32](&g.mem, int(g.count)); err != nil {
		return err
	}
	if g.wires[0], err = newWire(&g.mem, len(g.outs), g.columns); err != nil {
		return err
	}
	if g.wires[1], err = newWire(&g.mem, len(g.in), g.rows); err != nil {
		return err
	}
	if g.sums, err = arena.Make[uint64](&g.mem, sumCount); err != nil {
		return err
	}
	g.tallies = make([]tally, g.team.Size())
	g.sending = newExchanger(&Rank{comm: g.row, team: single})
	sums := g.sums[:2]
	sums[0], sums[1] = uint64(g.total.connected), uint64(g.total.entries)
	if err := rank.Reduced(g.comm, rank.Sum, sums); err != nil {
		return err
	}
	g.total.connected, g.total.entries = int64(sums[0]), int64(sums[1])
	return nil
}
