package cluster

import (
	"context"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/gohops/hops"
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
//  1. transpose   the pieces of the frontier are gathered along the column
//  2. explore     each block by itself, top-down or bottom-up, marks the parents
//     that it found for vertices of its row (band.go)
//  3. prefix, or  the bitmaps of what was found are gathered along the row. Every
//     rank computes from them what ranks before it have found, and
//     what all have: a vertex belongs to the first rank that found it
//     (gridrow.go)
//  4. predecessors of these vertices are told to the owner of the piece, in every
//     level or, by default, once at the end (predecessors.go)
//
// Bottom-up, the ranks of a row look for the same vertices, and most of them find
// a parent for a vertex that needs one. Where most vertices will find one, a level
// therefore has two passes: first a vertex is looked for by one rank, the one that
// has its heaviest neighbour, and after the row has heard what came of it, by the
// others.
//
// Ranks of a row or a column that are all on one host have these bitmaps in common
// and write where the others read: then 1 and 3 are meetings, in which nothing is
// sent. Otherwise bitmaps go as lists where that is smaller.
type grid struct {
	*Rank
	ctx           context.Context
	opts          Options
	rows, columns int
	i, j          int
	row, column   rank.Comm // the ranks of this row and of this column

	first, count uint32      // vertices of the row
	inParts      []rank.Span // of the ranks of the column, in the frontier
	outParts     []rank.Span // of the ranks of the row, in what was found
	columnStart  []int64     // words of the column before each of its pieces

	blocked
	bands    []band
	explorer Explorer   // instead of the bands, if there is a device
	closed   bitset.Set // for it
	// carry, if not nil, gathers the frontier of the column from device to device.
	carry func() error

	// in is the frontier, and next the next one, by label; but only the pieces of
	// the column, and this rank's piece, are ever looked at.
	in, next bitset.Set
	out      [2]bitset.Set // what each rank of the row has found, in each pass
	two      bool          // this level has two passes
	pass     int           // the one under way
	visited  bitset.Set    // of the row
	shares   []share       // of the ranks of the row, as far as they can be seen from here
	gathered bool          // in is whole
	together struct{ row, column bool }
	wires    struct{ row, column wire }
	tree     *hops.Tree
	kernels  kernel.Kernels
	state    level.Front
	total    struct{ connected, entries int64 }
	sums     []uint64
	traffic  rank.Traffic
	sending  *exchanger
	waiting  time.Duration // for the others, in this level

	predecessors []uint64 // to be sent
	phases       struct{ topDown, bottomUp, admit, settle func(int) }
}

// A share is what one rank of the row has found so far.
type share struct {
	assigned bitset.Set // vertices that fell to it
	marks    []uint32   // their parents
}

var (
	gridTopDown  = level.Step{Name: "top-down", Direction: level.TopDown}
	gridBottomUp = level.Step{Name: "bottom-up", Direction: level.BottomUp}
)

// shape returns the rows and columns of a grid of some ranks on some hosts. With
// more rows than columns, fewer ranks look for the same vertex bottom-up; and on
// one host, where the frontier exists once, more columns save nothing.
func (o Options) shape(ranks, hosts int) (rows, columns int, err error) {
	if o.Grid == "" && hosts == 1 {
		return ranks, 1, nil
	}
	if o.Grid == "" {
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
	if g.rows, g.columns, err = b.opts.shape(b.comm.Size(), b.hosts.count); err != nil {
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
	g.together.row, g.together.column = onOneHost(g.row), onOneHost(g.column)
	g.layPieces()
	lo, hi := b.parts.rank(me)
	for _, e := range b.entries[lo:hi] {
		g.total.entries += int64(e)
		if e > 0 {
			g.total.connected++
		}
	}
	return nil
}

func onOneHost(c rank.Comm) bool {
	for r := range c.Size() {
		if c.Host(r) != c.Host(0) {
			return false
		}
	}
	return true
}

// layPieces finds the vertices of the row, and where pieces and parts lie in the
// bitmaps.
func (g *grid) layPieces() {
	g.first = g.parts.cuts[g.i*g.columns]
	g.count = g.parts.cuts[(g.i+1)*g.columns] - g.first
	g.columnStart = []int64{0}
	for i := range g.rows {
		lo, hi := g.parts.words(i*g.columns + g.j)
		g.inParts = append(g.inParts, rank.Span{Lo: 8 * lo, Hi: 8 * hi})
		g.columnStart = append(g.columnStart, g.columnStart[i]+hi-lo)
	}
	words := int64(bitset.Words(int64(g.count)))
	for j := range int64(g.columns) {
		g.outParts = append(g.outParts, rank.Span{Lo: 8 * j * words, Hi: 8 * (j + 1) * words})
	}
}

// numbers is how many vertices the column has, rounded up by pieces to words.
func (g *grid) numbers() int64 { return 64 * g.columnStart[g.rows] }

// number is the place of a vertex of this column in it.
func (g *grid) number(u uint32) uint32 {
	p := g.parts.owner(u)
	return uint32(64*g.columnStart[p/g.columns]) + u - g.parts.cuts[p]
}

// piece returns the words of this rank's piece in the bitmaps of the row.
func (g *grid) piece() (lo, hi int64) {
	lo, hi = g.parts.words(g.comm.Rank())
	base := int64(bitset.Words(int64(g.first)))
	return lo - base, hi - base
}
