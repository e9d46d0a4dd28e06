package grid

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/gohops/hops/internal/bitset"
	"github.com/gohops/hops/internal/distributed"
	"github.com/gohops/hops/internal/rank"
)

// shape returns the rows and columns of a grid of some ranks on some hosts. With
// more rows than columns, fewer ranks look for the same vertex bottom-up; and on
// one host, where the frontier exists once, more columns save nothing.
func (o Options) shape(ranks, hosts int) (rows, columns int, err error) {
	if o.Shape == "" && hosts == 1 {
		return ranks, 1, nil
	}
	if o.Shape == "" {
		columns = int(math.Sqrt(float64(ranks)))
		for ranks%columns != 0 {
			columns--
		}
		return ranks / columns, columns, nil
	}
	if rows, columns, err = parseShape(o.Shape); err == nil && rows*columns != ranks {
		err = fmt.Errorf("grid: a grid of %s is not one of %d ranks", o.Shape, ranks)
	}
	return rows, columns, err
}

// CheckShape tells what is wrong with a shape.
func CheckShape(shape string) error {
	_, _, err := parseShape(shape)
	return err
}

func parseShape(shape string) (rows, columns int, err error) {
	r, c, ok := strings.Cut(shape, "x")
	rows, errRows := strconv.Atoi(r)
	columns, errColumns := strconv.Atoi(c)
	if !ok || errRows != nil || errColumns != nil || rows < 1 || columns < 1 {
		return 0, 0, fmt.Errorf("grid: shape %q: want rows x columns, as in 2x3", shape)
	}
	return rows, columns, nil
}

// A place is where a rank is on the grid, and which vertices its block joins.
type place struct {
	*distributed.Member
	rows, columns int
	i, j          int       // row and column of this rank
	row, column   rank.Comm // the ranks of this row and of this column
	oneHost       struct{ row, column bool }

	first, count uint32      // vertices of the row
	inParts      []rank.Span // of the ranks of the column, in the frontier
	outParts     []rank.Span // of the ranks of the row, in what was found
	columnStart  []int64     // words of the column before each of its pieces
}

// findPlace finds this rank's place on a grid.
func findPlace(m *distributed.Member, rows, columns int) (p place, err error) {
	me := m.Comm.Rank()
	p = place{Member: m, rows: rows, columns: columns, i: me / columns, j: me % columns}
	if p.row, err = m.Comm.Split(p.i, p.j); err != nil {
		return p, err
	}
	if p.column, err = m.Comm.Split(p.j, p.i); err != nil {
		return p, err
	}
	p.oneHost.row, p.oneHost.column = onOneHost(p.row), onOneHost(p.column)
	p.layPieces()
	return p, nil
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
func (p *place) layPieces() {
	p.first = p.Parts.Cuts[p.i*p.columns]
	p.count = p.Parts.Cuts[(p.i+1)*p.columns] - p.first
	p.columnStart = []int64{0}
	for i := range p.rows {
		lo, hi := p.Parts.Words(i*p.columns + p.j)
		p.inParts = append(p.inParts, rank.Span{Lo: 8 * lo, Hi: 8 * hi})
		p.columnStart = append(p.columnStart, p.columnStart[i]+hi-lo)
	}
	words := int64(bitset.Words(int64(p.count)))
	for j := range int64(p.columns) {
		p.outParts = append(p.outParts, rank.Span{Lo: 8 * j * words, Hi: 8 * (j + 1) * words})
	}
}

// numbers is the number of vertices of the column, rounded up by pieces to words.
func (p *place) numbers() int64 { return 64 * p.columnStart[p.rows] }

// number is the place of a vertex of this column in it.
func (p *place) number(u uint32) uint32 {
	owner := p.Parts.Owner(u)
	return uint32(64*p.columnStart[owner/p.columns]) + u - p.Parts.Cuts[owner]
}

// piece returns the words of this rank's piece in the bitmaps of the row.
func (p *place) piece() (lo, hi int64) {
	lo, hi = p.Parts.Words(p.Comm.Rank())
	base := int64(bitset.Words(int64(p.first)))
	return lo - base, hi - base
}

func (p *place) close() {
	for _, c := range []rank.Comm{p.row, p.column} {
		if c != nil {
			_ = c.Close()
		}
	}
}
