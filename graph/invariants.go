package graph

import (
	"fmt"
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"

	"github.com/gohops/hops"
	"github.com/gohops/hops/internal/base/bitset"
	"github.com/gohops/hops/internal/base/par"
)

// Checksums say that a file is as somebody wrote it, not that hops wrote it. Engines
// use the arrays of a graph without looking: assembly writes where entries point, and
// queues have room for every vertex once. So Verify checks all that one array says of
// another, in one pass over the rows:
//
//   - offsets rise from 0 to the number of entries, and entries are vertices;
//   - no row has an entry twice, or its own vertex;
//   - weights are finite and not negative;
//   - Isolated and the index of parents say what the rows say;
//   - Out is the transpose of In, weights included;
//   - names are in order, and the table of names finds each of them.
//
// The order of a row is not checked beyond the hubs, which come first: it follows the
// number of edges with duplicates, which a file does not have.
//
// The transpose is checked by numbers, as Freivalds checks a product. Let x and y be
// random vectors: then x·A·y is the sum of x[u]·y[v] over the entries v of the rows
// Out of u, and equals the sum over the entries u of the rows In of v, whatever
// the order, if and, but for a chance of about 2⁻⁶⁰, only if they are the same
// entries. The vectors are functions of a key that is drawn for each verification. If
// there are weights, each product has a further factor, a function of the weight.

// A rowChecker checks the rows of some of the vertices of a graph.
type rowChecker struct {
	g       *Graph
	key     [2]uint64
	out, in uint64     // x·A·y so far, by the rows Out and by the rows In
	table   []uint32   // entries of a row by their hash, plus 1
	seen    bitset.Set // entries of a long row
	_       [64]byte   // keeps checkers on different cache lines
}

// tableRow is the length of the longest row whose entries are looked for in a table.
// The table for it takes 32 KiB, a first-level cache; a longer row uses a set of all
// vertices.
const tableRow = 2048

func newKey() [2]uint64 { return [2]uint64{rand.Uint64(), rand.Uint64() | 1} }

// vectors returns x[v] and y[v].
func (c *rowChecker) vectors(v uint32) (x, y uint64) {
	high, low := bits.Mul64(uint64(v)^c.key[0], c.key[1])
	x = high ^ low
	return x, x * x
}

// factor returns what the product of an entry is multiplied by for its weight.
func (c *rowChecker) factor(weight float32) uint64 {
	high, low := bits.Mul64(uint64(math.Float32bits(weight))^c.key[0], c.key[1])
	return high ^ low | 1
}

// validWeight tells whether a weight is finite and not negative, -0 included.
func validWeight(w float32) bool { return math.Float32bits(w) <= math.Float32bits(math.MaxFloat32) }

// weightsOf returns the weights of a row that is bounded, or nil without weights.
func (r *Rows) weightsOf(v uint32) []float32 {
	if r.Weights == nil {
		return nil
	}
	return r.Weights[r.Offsets[v]:r.Offsets[v+1]]
}

// words checks a range of words.
func (c *rowChecker) words(lo, hi int) error {
	for w := lo; w < hi; w++ {
		if err := c.word(w); err != nil {
			return err
		}
	}
	return nil
}

// word checks the rows of the 64 vertices of a word, and what else is said of them.
func (c *rowChecker) word(w int) error {
	g := c.g
	var isolated, more uint64
	first, end := uint64(w)*64, min(uint64(w)*64+64, uint64(g.NumVertices()))
	for i := first; i < end; i++ {
		v := uint32(i)
		row, hubs, ok := c.inRow(v)
		if !ok || g.Directed && !c.outRow(v) {
			return g.guard.nonsense(hops.Vertex(v))
		}
		head := v
		switch len(row) {
		case 0:
			isolated |= 1 << (v & 63)
		default:
			more |= 1 << (v & 63)
			fallthrough
		case 1:
			head = row[0]
		}
		if g.Parents.Head[v] != head || int(g.Parents.HubPrefix[v]) != min(hubs, math.MaxUint8) {
			return g.guard.nonsense(hops.Vertex(v))
		}
	}
	beyond := uint64(0)
	if end-first < 64 {
		beyond = ^uint64(0) << (end - first)
	}
	wrong := g.Isolated[w] ^ (isolated | beyond) | g.Parents.More[w] ^ more | g.Parents.Hub[w]&beyond
	if wrong != 0 {
		return g.guard.nonsense(hops.Vertex(first) + hops.Vertex(bits.TrailingZeros64(wrong)))
	}
	return nil
}

// inRow checks a row of In and returns it with the number of hubs that it starts with.
func (c *rowChecker) inRow(v uint32) (row []uint32, hubs int, ok bool) {
	g := c.g
	if row, ok = bounded(&g.In, v); !ok {
		return nil, 0, false
	}
	var sumX, sumY uint64
	n, late := len(g.Parents.Head), uint64(0)
	weights := g.In.weightsOf(v)
	for i, u := range row {
		if int(u) >= n || u == v {
			return nil, 0, false
		}
		x, y := c.vectors(u)
		if weights != nil {
			if !validWeight(weights[i]) {
				return nil, 0, false
			}
			factor := c.factor(weights[i])
			x, y = x*factor, y*factor
		}
		sumX, sumY = sumX+x, sumY+y
		hub := g.Parents.Hub[u>>6] >> (u & 63) & 1
		late |= hub & uint64((hubs-i)>>63) // a hub after another vertex
		hubs += int(hub)
	}
	x, y := c.vectors(v)
	c.in += y * sumX
	distinct := row
	if !g.Directed {
		c.out += x * sumY
		// An entry that is twice in the row of a hub is twice in the row of its
		// other end, or the graph is not symmetric. That row is checked in full if
		// its vertex is not a hub.
		if bitset.Set(g.Parents.Hub).Has(uint64(v)) {
			distinct = row[:hubs]
		}
	}
	return row, hubs, late == 0 && c.distinct(distinct)
}

// outRow checks a row of Out in a directed graph. No entry is twice in it if none is
// twice in the rows of In.
func (c *rowChecker) outRow(v uint32) bool {
	row, ok := bounded(&c.g.Out, v)
	if !ok {
		return false
	}
	n, sumY := len(c.g.Parents.Head), uint64(0)
	weights := c.g.Out.weightsOf(v)
	for i, u := range row {
		if int(u) >= n || u == v {
			return false
		}
		_, y := c.vectors(u)
		if weights != nil {
			if !validWeight(weights[i]) {
				return false
			}
			y *= c.factor(weights[i])
		}
		sumY += y
	}
	x, _ := c.vectors(v)
	c.out += x * sumY
	return true
}

// bounded returns a row and whether its offsets are in order.
func bounded(rows *Rows, v uint32) ([]uint32, bool) {
	lo, hi := rows.Offsets[v], rows.Offsets[v+1]
	if lo < 0 || hi < lo || hi > int64(len(rows.Neighbors)) {
		return nil, false
	}
	return rows.Neighbors[lo:hi], true
}

// distinct tells whether no entry of a row, all of which are vertices, is there twice.
func (c *rowChecker) distinct(row []uint32) bool {
	switch {
	case len(row) < 2:
		return true
	case len(row) <= 8:
		for i, u := range row[1:] {
			if slices.Contains(row[:i+1], u) {
				return false
			}
		}
		return true
	case len(row) <= tableRow:
		return c.distinctByTable(row)
	}
	return c.distinctBySet(row)
}

func (c *rowChecker) distinctByTable(row []uint32) bool {
	if c.table == nil {
		c.table = make([]uint32, 4*tableRow)
	}
	width := bits.Len(uint(2*len(row) - 1)) // at most half full
	table := c.table[:1<<width]
	clear(table)
	for _, u := range row {
		slot := u * 0x9E3779B1 >> (32 - width)
		for table[slot] != 0 {
			if table[slot] == u+1 {
				return false
			}
			slot = (slot + 1) & uint32(len(table)-1)
		}
		table[slot] = u + 1
	}
	return true
}

func (c *rowChecker) distinctBySet(row []uint32) bool {
	if c.seen == nil {
		c.seen = bitset.New(int64(c.g.NumVertices()))
	}
	twice := uint64(0)
	for _, u := range row {
		word := &c.seen[u>>6]
		twice |= *word >> (u & 63) & 1
		*word |= 1 << (u & 63)
	}
	for _, u := range row {
		c.seen[u>>6] = 0
	}
	return twice == 0
}

// verifyTotals checks what the header and the ends of the offsets say.
func (g *Graph) verifyTotals() error {
	for _, rows := range []*Rows{&g.In, &g.Out} {
		if rows.Offsets[0] != 0 || rows.Offsets[g.NumVertices()] != int64(len(rows.Neighbors)) {
			return fmt.Errorf("graph: %s: the offsets of the rows are not those of %d entries", g.guard.name, len(rows.Neighbors))
		}
	}
	if g.Loops < 0 || g.Duplicates < 0 || g.Tuples < g.Loops || g.Tuples-g.Loops-g.Duplicates != g.NumEdges() {
		return fmt.Errorf("graph: %s: %d edges read, %d self-loops and %d duplicates among them, but the rows have %d edges",
			g.guard.name, g.Tuples, g.Loops, g.Duplicates, g.NumEdges())
	}
	return nil
}

// verifyRows checks all rows.
func (g *Graph) verifyRows() error {
	key := newKey()
	team := par.NewTeam(0, nil)
	defer team.Close()
	checkers := make([]rowChecker, team.Size())
	for i := range checkers {
		checkers[i].g, checkers[i].key = g, key
	}
	err := team.Try(int64(len(g.Isolated)), 256, func(worker int, lo, hi int64) error {
		return g.guard.survive(func() error { return checkers[worker].words(int(lo), int(hi)) })
	})
	if err != nil {
		return err
	}
	var out, in uint64
	for i := range checkers {
		out, in = out+checkers[i].out, in+checkers[i].in
	}
	switch {
	case out == in:
		return nil
	case g.Directed:
		return fmt.Errorf("graph: %s: the rows of edges that lead in are not the transpose of those that lead out", g.guard.name)
	}
	return fmt.Errorf("graph: %s: the graph is undirected, but an edge is in the row of only one of its ends", g.guard.name)
}

// verifyNames checks that names are in order and, if they are text, that the table
// finds each of them, which also means that no two are the same.
func (g *Graph) verifyNames() error {
	l := g.Names
	if l == nil {
		return nil
	}
	return g.guard.inParallel(int64(l.Count), 4096, func(lo, hi int64) error {
		for v := lo; v < hi; v++ {
			if !l.orderly(uint64(v)) {
				return fmt.Errorf("graph: %s: the name of vertex %d makes no sense", g.guard.name, v)
			}
		}
		return nil
	})
}

// orderly tells whether name v follows name v-1 and can be found.
func (l *Names) orderly(v uint64) bool {
	switch {
	case len(l.Narrow) > 0:
		return v == 0 || l.Narrow[v-1] < l.Narrow[v]
	case len(l.Wide) > 0:
		return v == 0 || l.Wide[v-1] < l.Wide[v]
	case !l.IsText():
		return true
	}
	if l.Ends[v] > uint64(len(l.Text)) || v > 0 && l.Ends[v-1] > l.Ends[v] {
		return false
	}
	slot, found := l.probe(l.text(v))
	return found && uint64(l.Table[slot]) == v+1
}
