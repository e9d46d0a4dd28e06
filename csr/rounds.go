package csr

import (
	"cmp"
	"fmt"
	"sync/atomic"
	"unsafe"

	"github.com/gohops/hops/graph"

	"github.com/gohops/hops/internal/base/arena"
)

const (
	// rounds is how many passes over the source make the rows, at most.
	rounds = 4
	// Passes is how often Build reads an undirected source, at most: once more
	// to count. A directed one takes a little more than twice as many.
	Passes = 1 + rounds
	// bucketEntries is how many entries a bucket should have: with the room they are
	// sorted in and the rows they end up in, 0.8 MB, which fits a second-level cache of
	// 1 MB. Twice as many made that step take 1.2 times as long where it has 2 MB.
	bucketEntries = 1 << 15
	// maxBucketShift keeps the number of a row in its bucket within 16 bits.
	maxBucketShift = 16
	// bufferEntries is how many entries for one bucket a worker collects before
	// it claims room for them: a power of two.
	bufferEntries = 32
	// claimShare bounds what all workers together claim of a bucket and do not use.
	claimShare = bucketEntries / 32
	// smallRound is worth a single round whatever its share of the graph.
	smallRound = 1 << 18
)

// A round is a range of buckets whose rows are made together.
type round struct {
	first   int // bucket
	buckets []bucket
	entries int64 // of all buckets
	room    int64 // for entries, with what workers claim and leave
}

// A bucket is a range of 1<<shift vertices.
type bucket struct {
	start   int64        // of its entries within the round
	entries int64        // as counted
	claimed atomic.Int64 // room that workers have claimed so far
	size    int64        // entries of its rows when they are finished
	before  int64        // entries of the buckets before it in its round
	_       [24]byte     // workers claim room in different buckets at once
}

// bucketShift is log₂ of the size of a bucket's description in bytes, a cache line.
const bucketShift = 6

var _ [1 << bucketShift]byte = [unsafe.Sizeof(bucket{})]byte{}

// end returns where the room of bucket k ends within the round.
func (r *round) end(k int) int64 {
	if k+1 < len(r.buckets) {
		return r.buckets[k+1].start
	}
	return r.room
}

// makeRows runs all rounds of one side.
func (b *builder) makeRows() (err error) {
	total := int64(0)
	for _, c := range b.count {
		total += int64(c)
	}
	b.chooseShift(total)
	plan := b.planRounds(total)
	if err := b.reserve(plan, total); err != nil {
		return err
	}
	dealers := make([]dealer, b.team.Size())
	for i := range dealers {
		dealers[i].b = b
	}
	end := int64(0)
	for i := range plan {
		if end, err = b.makeRound(&plan[i], dealers, end); err != nil {
			return err
		}
	}
	b.rows.Offsets[b.n] = end
	b.Duplicates = (total - end) / b.sides.perEdge()
	arena.Free(b.mem, b.rowOf)
	if b.rowsInPlace {
		b.rows.Neighbors, b.rows.Weights = b.ranks, b.weights
	} else {
		arena.Free(b.mem, b.ranks)
		arena.Free(b.mem, b.weights)
	}
	b.rows.Neighbors = arena.Shrink(b.mem, b.rows.Neighbors, int(end))
	if b.weighted != nil {
		b.rows.Weights = arena.Shrink(b.mem, b.rows.Weights, int(end))
	}
	return nil
}

// chooseShift sets the size of a bucket, in vertices, so that it has about the
// right number of entries.
func (b *builder) chooseShift(total int64) {
	b.shift = maxBucketShift
	for b.shift > 6 && total/(int64(b.n>>b.shift)+1) > bucketEntries {
		b.shift--
	}
}

// planRounds chooses the rounds. With weights there is one where it takes no more memory than
// several: its rows are made in place.
func (b *builder) planRounds(total int64) []round {
	if b.weighted != nil {
		plan := b.divide(total, 1)
		if b.rowsInPlace = b.fitsInPlace(&plan[0], total); b.rowsInPlace {
			return plan
		}
	}
	plan := b.divide(total, rounds)
	b.rowsInPlace = len(plan) == 1 && b.fitsInPlace(&plan[0], total)
	return plan
}

// fitsInPlace says whether the rows of a single round can be made in place: buckets that are
// too large to be sorted in a cache need room beside them, for which there is little in Need.
func (b *builder) fitsInPlace(r *round, total int64) bool {
	largest := int64(0)
	for k := range r.buckets {
		largest = max(largest, r.buckets[k].entries)
	}
	return largest <= int64(sortedUpTo) || int64(b.team.Size())*largest*entrySize <= total/entrySlack
}

const (
	entrySize  = 4 + 4 // a neighbour and its weight
	entrySlack = 4     // a quarter of a byte for each entry
)

// divide divides the buckets into at most as many rounds as there may be, of about equal
// numbers of entries.
func (b *builder) divide(total, rounds int64) (plan []round) {
	share, spare := max(total/rounds+1, smallRound), int64(b.team.Size())*int64(b.claimEntries()-bufferEntries)
	r, done := round{}, int64(0)
	for k := 0; k<<b.shift < b.n; k++ {
		if done+r.entries >= int64(len(plan)+1)*share {
			plan = append(plan, r)
			done += r.entries
			r = round{first: k}
		}
		n := int64(0)
		for _, c := range b.count[k<<b.shift : min((k+1)<<b.shift, b.n)] {
			n += int64(c)
		}
		r.buckets = append(r.buckets, bucket{start: r.room, entries: n, before: r.entries})
		r.entries += n
		r.room += n + spare
	}
	return append(plan, r)
}

// reserve allocates the rows, and room for the entries of the largest round. Rows that are
// made in place need only that room.
func (b *builder) reserve(plan []round, total int64) error {
	largest := int64(0)
	for i := range plan {
		largest = max(largest, plan[i].room)
	}
	err := cmp.Or(arena.MakeAll(b.mem, b.n+1, &b.rows.Offsets), arena.MakeAll(b.mem, int(largest), &b.rowOf), arena.MakeAll(b.mem, int(largest), &b.ranks))
	if err == nil && b.weighted != nil {
		err = arena.MakeAll(b.mem, int(largest), &b.weights)
	}
	if err == nil && !b.rowsInPlace {
		err = arena.MakeAll(b.mem, int(total), &b.rows.Neighbors)
		if err == nil && b.weighted != nil {
			err = arena.MakeAll(b.mem, int(total), &b.rows.Weights)
		}
	}
	return err
}

// makeRound makes the rows of one round, which start at end, and returns where
// they end.
func (b *builder) makeRound(r *round, dealers []dealer, end int64) (int64, error) {
	if err := b.bin(r); err != nil {
		return end, err
	}
	b.team.For(int64(len(r.buckets)), 1, func(worker int, k, _ int64) {
		if b.ctx.Err() == nil {
			dealers[worker].make(r, int(k), end)
		}
	})
	if err := b.ctx.Err(); err != nil {
		return end, fmt.Errorf("csr: %w", err)
	}
	starts := make([]int64, len(r.buckets))
	for k := range r.buckets {
		starts[k] = end
		end += r.buckets[k].size
	}
	if b.rowsInPlace {
		b.closeUp(r, starts)
	}
	b.team.For(int64(len(r.buckets)), 1, func(_ int, k, _ int64) {
		b.place(r, int(k), starts[k])
	})
	return end, nil
}

// vertices returns the range of the vertices of bucket k of a round.
func (b *builder) vertices(r *round, k int) (lo, hi int) {
	return (r.first + k) << b.shift, min((r.first+k+1)<<b.shift, b.n)
}

// closeUp moves the finished rows of all buckets to where they belong, each over the entries
// that left the row before it: one worker moves neighbours, another one weights.
func (b *builder) closeUp(r *round, starts []int64) {
	b.team.For(2, 1, func(_ int, array, _ int64) {
		for k := range r.buckets {
			bk := &r.buckets[k]
			switch {
			case array == 0:
				copy(b.ranks[starts[k]:], b.ranks[bk.start:][:bk.size])
			case b.weights != nil:
				copy(b.weights[starts[k]:], b.weights[bk.start:][:bk.size])
			}
		}
	})
}

// place says where the rows of one bucket begin, and copies them there if they were not made
// in place.
func (b *builder) place(r *round, k int, end int64) {
	if bk := &r.buckets[k]; !b.rowsInPlace {
		copy(b.rows.Neighbors[end:], b.ranks[bk.start:][:bk.size])
		if b.weighted != nil {
			copy(b.rows.Weights[end:], b.weights[bk.start:][:bk.size])
		}
	}
	lo, hi := b.vertices(r, k)
	for v := lo; v < hi; v++ {
		b.rows.Offsets[v] = end
		end += int64(b.count[v])
	}
}

// bin reads all edges and sorts the entries of this round's rows into buckets.
func (b *builder) bin(r *round) error {
	binners := make([]*binner, b.team.Size())
	for i := range binners {
		binners[i] = newBinner(b, r)
	}
	err := b.eachBlock(func(worker int, some block) error { return binners[worker].add(some) })
	for _, w := range binners {
		w.flushAll()
		if w.full && err == nil {
			err = b.changed()
		}
	}
	if err != nil {
		return err
	}
	return b.closeHoles(r, binners)
}

// sides says at which of its ends an edge has an entry.
type sides uint8

const (
	both  sides = iota // undirected: the row of either end has the other
	outOf              // the row of its source has its target
	into               // the row of its target has its source
)

// perEdge is the number of entries of an edge.
func (s sides) perEdge() int64 {
	if s == both {
		return 2
	}
	return 1
}

// ends is a set of the ends of an edge that have an entry: 1 for U, 2 for V.
func (s sides) ends() uint64 { return [...]uint64{both: 3, outOf: 1, into: 2}[s] }

// makeSides makes the rows: all at once, or those of a directed graph side by
// side. What HubPrefix says is to be about In, which therefore comes last.
func (b *builder) makeSides() error {
	b.rows = &b.Out
	if !b.Directed {
		err := b.makeRows()
		b.In = b.Out
		return err
	}
	if err := b.makeSide(outOf, &b.Out); err != nil {
		return err
	}
	return b.makeSide(into, &b.In)
}

func (b *builder) makeSide(s sides, rows *graph.Rows) error {
	b.sides, b.rows = s, rows
	clear(b.count)
	if err := b.countEntries(); err != nil {
		return err
	}
	return b.makeRows()
}
