package cluster

import (
	"unsafe"

	"github.com/gohops/hops/internal/bitset"
	"github.com/gohops/hops/internal/kernel"
)

// Looking for parents bottom-up, block by block of 64 words, in rows of any kind:
//
//  1. The heads of all open vertices of a block are probed, an array read in
//     order against a bitmap that fits in the second-level cache.
//  2. Those that missed and have more neighbours form a list; the next ones are
//     probed, one of each row at a time, until few rows are left, which are
//     scanned one by one; rows that go on where the tails are cut off are scanned
//     to their end.

// A probing is the rows that are looked at, the frontier that is looked for, and
// where parents go.
type probing struct {
	kernels kernel.Kernels
	rows    rows
	head    []uint32   // the first entry of each row
	long    bitset.Set // rows that go on after it
	tails   *tails
	front   bitset.Set
	parents []uint32
}

// rows are found by vertex.
type rows interface{ row(v uint32) []uint32 }

// words looks for parents of the vertices of the words from lo up to hi, all of one
// block, that are not in closed, which has these words only. It writes those words
// of next and returns how many entries it has looked at.
func (p *probing) words(list *scratch, closed, next bitset.Set, lo, hi int64) (examined int64) {
	heads := kernel.HeadProbe{
		Visited: &closed[0], Next: &next[lo], Tail: &p.long[lo],
		Head: &p.head[lo*64], Front: &p.front[0], Parents: &p.parents[lo*64],
		Misses: &list.vertices[0], Words: hi - lo, First: uint64(lo * 64),
	}
	p.kernels.ProbeHeads(&heads)
	if heads.Missed == 0 {
		return heads.Examined
	}
	return heads.Examined + p.probeTails(list, next, lo/blockWords, heads.Missed)
}

// probeTails looks at what follows the heads of the vertices on the list.
func (p *probing) probeTails(list *scratch, next bitset.Set, block, missed int64) (examined int64) {
	count, long := list.listTails(p.tails, block, missed)
	entries := p.tails.entries[p.tails.base[block]:]
	probe := kernel.TailProbe{
		Neighbors: unsafe.SliceData(entries), Front: &p.front[0], Parents: &p.parents[0],
		Vertices: &list.vertices[0], Pos: &list.pos[0], End: &list.end[0], Hits: &list.hits[0], Count: count,
	}
	for probe.Count > kernel.Slack {
		examined += probe.Count
		p.kernels.ProbeTails(&probe)
		for _, v := range list.hits[:probe.Found] {
			next.Add(uint64(v))
		}
	}
	for i, v := range list.vertices[:probe.Count] {
		examined += p.scanRest(next, v, entries[list.pos[i]:list.end[i]])
	}
	for _, v := range list.long[:long] {
		if !next.Has(uint64(v)) {
			examined += p.scanRest(next, v, p.rows.row(v)[1+longestTail:])
		}
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

// listTails finds the tails of the vertices on the list, and lists those that
// may be cut off.
func (s *scratch) listTails(t *tails, block, missed int64) (count, long int64) {
	pos := t.pos[block:]
	for _, v := range s.vertices[:missed] {
		start, end := uint32(pos[v]), uint32(pos[v+1])
		s.vertices[count], s.pos[count], s.end[count] = v, start, end
		if start < end {
			count++
		}
		s.long[long] = v
		if end-start == longestTail {
			long++
		}
	}
	return count, long
}
