package grid

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/gohops/hops"
	"github.com/gohops/hops/internal/base/bitset"
	"github.com/gohops/hops/internal/base/spec"
	"github.com/gohops/hops/internal/ranks/distributed"
	"github.com/gohops/hops/internal/ranks/rank"
)

// shape returns the rows and columns of a grid of some ranks on some hosts, for n
// vertices. With more rows than columns, fewer ranks look for the same vertex bottom-up;
// and on one host, where the frontier exists once, more columns save nothing. But the
// vertices of a column have numbers of 32 bits.
func (o Options) shape(ranks, hosts int, n hops.Vertex) (rows, columns int, err error) {
	if o.Shape == "" {
		columns = 1
		if hosts > 1 {
			columns = int(math.Sqrt(float64(ranks)))
		}
		for ; columns > 1 && ranks%columns != 0; columns-- {
		}
		for ; columns < ranks && (ranks%columns != 0 || n/hops.Vertex(columns) > mostNumbers); columns++ {
		}
		return ranks / columns, columns, nil
	}
	if rows, columns, err = parseShape(o.Shape); err == nil && rows*columns != ranks {
		err = spec.Refuse(fmt.Errorf("grid: a grid of %s is not one of %d ranks", o.Shape, ranks))
	}
	return rows, columns, err
}

// mostNumbers is how many vertices a column has at most when hops chooses the shape:
// columns are divided by work, so that one may have twice as many vertices as another.
const mostNumbers = hops.NarrowLimit / 2

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

// A gridRank is where a rank is on the grid, and which vertices its block joins.
type gridRank struct {
	*distributed.Member
	rows, columns int
	i, j          int       // row and column of this rank
	row, column   rank.Comm // the ranks of this row and of this column
	oneHost       struct{ row, column bool }

	first    uint64      // first vertex of the row
	count    uint32      // vertices of the row
	inParts  []rank.Span // of the ranks of the column, in the frontier
	outParts []rank.Span // of the ranks of the row, in what was found
	numbers  numbers
}

// newGridRank returns this rank with its row and column.
func newGridRank(m *distributed.Member, rows, columns int) (p gridRank, err error) {
	me := m.Comm.Rank()
	p = gridRank{Member: m, rows: rows, columns: columns, i: me / columns, j: me % columns}
	if p.row, err = m.Comm.Split(p.i, p.j); err != nil {
		return p, err
	}
	if p.column, err = m.Comm.Split(p.j, p.i); err != nil {
		return p, err
	}
	p.oneHost.row, p.oneHost.column = onOneHost(p.row), onOneHost(p.column)
	return p, p.layPieces()
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
func (p *gridRank) layPieces() error {
	p.first = p.Parts.Cuts[p.i*p.columns]
	count := p.Parts.Cuts[(p.i+1)*p.columns] - p.first
	p.numbers = newNumbers(p.Parts, p.rows, p.columns)
	for i := range p.rows {
		start := p.numbers.starts[i*p.columns+p.j]
		lo, hi := p.Parts.Words(i*p.columns + p.j)
		p.inParts = append(p.inParts, rank.Span{Lo: int64(start) / 8, Hi: int64(start)/8 + 8*(hi-lo)})
	}
	if most := max(count, uint64(p.numbered())); most > hops.NarrowLimit {
		return fmt.Errorf("grid: a row or column of %d vertices, which take 32 bits: use a grid of more rows and columns than %d x %d", most, p.rows, p.columns)
	}
	p.count = uint32(count)
	words := int64(bitset.Words(int64(p.count)))
	for j := range int64(p.columns) {
		p.outParts = append(p.outParts, rank.Span{Lo: 8 * j * words, Hi: 8 * (j + 1) * words})
	}
	return nil
}

// numbered is the number of vertices of the column, rounded up by pieces to words.
func (p *gridRank) numbered() int64 { return 8 * p.inParts[p.rows-1].Hi }

// piece returns the words of this rank's piece in the bitmaps of the row.
func (p *gridRank) piece() (lo, hi int64) {
	lo, hi = p.Parts.Words(p.Comm.Rank())
	base := int64(bitset.Words(int64(p.first)))
	return lo - base, hi - base
}

func (p *gridRank) close() {
	for _, c := range []rank.Comm{p.row, p.column} {
		if c != nil {
			_ = c.Close()
		}
	}
}
