package cluster

import (
	"github.com/gohops/hops/internal/bitset"
	"github.com/gohops/hops/internal/kernel"
	"github.com/gohops/hops/internal/tails"
)

// Looking for parents bottom-up, block by block of 64 words, in rows of any kind:
//
//  1. The heads of all open vertices of a block are probed, an array read in
//     order against a bitmap that fits in the second-level cache.
//  2. Those that missed and have more neighbours form a list, for which the next
//     ones are probed, a column of the tails at a time; rows that go on where the
//     tails are cut off are scanned to their end.

// blockWords is the unit in which a gathered bottom-up level is handed out: 64
// words of the bitmaps, 4,096 vertices, 16 KiB of heads.
const blockWords = 1 << tails.BlockShift / 64

// A probing is the rows that are looked at, the frontier that is looked for, and
// where parents go.
type probing struct {
	kernels kernel.Kernels
	rows    rows
	head    []uint32   // the first entry of each row
	long    bitset.Set // rows that go on after it
	tails   *tails.Tails
	front   bitset.Set
	parents []uint32
}

// rows are found by vertex.
type rows interface{ row(v uint32) []uint32 }

// words looks for parents of the vertices of the words from lo up to hi, all of one
// block, that are not in closed, which has these words only. It writes those words
// of next and returns how many entries it has looked at.
func (p *probing) words(list *tails.List, closed, next bitset.Set, lo, hi int64) (examined int64) {
	heads := kernel.HeadProbe{
		Visited: &closed[0], Next: &next[lo], More: &p.long[lo],
		Head: &p.head[lo*64], Front: &p.front[0], Parents: &p.parents[lo*64],
		Misses: &list.Vertices[0], Words: hi - lo, First: uint64(lo * 64),
	}
	p.tails.Expect(lo/blockWords, p.kernels, list)
	p.kernels.ProbeHeads(&heads)
	if heads.Missed == 0 {
		return heads.Examined
	}
	return heads.Examined + p.probeTails(list, next, lo/blockWords, heads.Missed)
}

// probeTails looks at what follows the heads of the vertices on the list.
func (p *probing) probeTails(list *tails.List, next bitset.Set, block, missed int64) int64 {
	probe := tails.Probe{Kernels: p.kernels, Front: p.front, Next: next, Parents: p.parents}
	examined, open := p.tails.Look(block, missed, &probe, list)
	for _, v := range open {
		examined += p.scanRest(next, v, p.rows.row(v)[1+tails.Longest:])
	}
	return examined
}

// scanRest looks at the neighbours of v that are left and returns at how many.
func (p *probing) scanRest(next bitset.Set, v uint32, rest []uint32) int64 {
	i := p.kernels.ScanRow(rest, &p.front[0])
	if i < 0 {
		return int64(len(rest))
	}
	p.parents[v] = rest[i]
	next.Add(uint64(v))
	return int64(i) + 1
}
