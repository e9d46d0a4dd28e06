package grid

import (
	"github.com/gohops/hops/internal/base/arena"
	"github.com/gohops/hops/internal/base/bitset"
	"github.com/gohops/hops/internal/ranks/rank"
)

// A prefix tells the ranks of a row what each has found as Algorithm 2 of the ROMEO
// paper does, for comparison: what the ranks before have found goes from rank to rank
// (an exclusive scan), and the last one broadcasts what all have. A rank receives three
// bitmaps, and in gathering as many as the row has other ranks; but the scan takes that
// many messages one after the other.
type prefix struct {
	*machine
	union bitset.Set // of what this rank and those before it have found, and then of all
}

// gather leaves the bitmaps where uniteWords looks for them: before the part of this rank
// what the ranks before have found, and after it what all have.
func (p *prefix) gather() error {
	before, last := p.part(0, 0), p.columns-1
	if p.j == 0 {
		before = nil
	}
	for from := range last { // rank from sends to the next
		var out, in []uint64
		switch p.j {
		case from:
			out = p.unite(before)
		case from + 1:
			in = before
		}
		if err := p.row.Exchange(arena.Bytes(out), p.cut(from+1, len(out)), arena.Bytes(in), p.cut(from, len(in))); err != nil {
			return err
		}
	}
	if p.j == last {
		p.unite(before)
	}
	if err := p.broadcast(last); err != nil {
		return err
	}
	if p.j < last {
		copy(p.part(0, last), p.union)
	}
	return nil
}

// unite adds what this rank has found to a set of others.
func (p *prefix) unite(others []uint64) bitset.Set {
	copy(p.union, p.mine(0))
	unite(p.union[:len(others)], others)
	return p.union
}

// broadcast brings the union of one rank to all: each is sent a piece, and the pieces are
// gathered, as MPI libraries broadcast what is long.
func (p *prefix) broadcast(from int) error {
	pieces, outCuts := make([]rank.Span, p.columns), make([]int64, p.columns+1)
	for j := range pieces {
		pieces[j] = rank.Span{Lo: outCuts[j], Hi: 8 * int64(len(p.union)*(j+1)/p.columns)}
		outCuts[j+1] = pieces[j].Hi
	}
	mine := pieces[p.j]
	out, in := arena.Bytes(p.union), arena.Bytes(p.union)[mine.Lo:mine.Hi]
	if p.j == from {
		in = make([]byte, mine.Size()) // nothing is sent within a rank
	} else {
		out, outCuts = nil, p.cut(from, 0)
	}
	if err := p.row.Exchange(out, outCuts, in, p.cut(from, int(mine.Size())/8)); err != nil {
		return err
	}
	return p.row.Gather(arena.Bytes(p.union), pieces)
}

// cut returns the cuts of an exchange in which some words go to, or come from, one rank.
func (p *prefix) cut(with, words int) []int64 {
	cuts := make([]int64, p.columns+1)
	for j := with + 1; j <= p.columns; j++ {
		cuts[j] = 8 * int64(words)
	}
	return cuts
}
