package csr

import (
	"math"
	"slices"
	"sort"

	"github.com/gohops/hops/internal/base/arena"
)

// The rows of a bucket are made by a radix sort whose last digit is the row: its
// entries, in order of rank, are dealt out to the rows, which so fill up in order
// with duplicates next to each other. No row is sorted by itself, and the table from
// ranks to vertices is read from its front to its end instead of anywhere.

const (
	digitBits = 12
	digits    = 1 << digitBits

	noRank = math.MaxUint32
)

// sortedUpTo bounds the second pair of arrays that the sort needs, to 6 MiB for
// each worker. Larger buckets have a vertex with a great part of all edges; their
// rows are sorted one by one, in place. A variable, so that tests can lower it.
var sortedUpTo = 1 << 20

// entries are entries of rows in arrays side by side: the row of each within its
// bucket, the rank of the neighbour, and the weight. An array that is nil is not there.
type entries struct {
	rowOf   []uint16
	ranks   []uint32
	weights []float32
}

// part returns n entries from start on.
func (e entries) part(start, n int64) entries {
	if e.rowOf != nil {
		e.rowOf = e.rowOf[start:][:n]
	}
	if e.weights != nil {
		e.weights = e.weights[start:][:n]
	}
	e.ranks = e.ranks[start:][:n]
	return e
}

// A dealer makes the rows of buckets, one after the other.
type dealer struct {
	b     *builder
	next  [3][digits]uint32 // where the next entry with each digit goes
	room  []uint64          // for what follows
	words [2][]uint64       // entries of a bucket before and after a pass: rows in the high halves, ranks in the low
	rows  entries           // the rows of a bucket
	moved [2][]float32      // the weights of words
	state []uint64          // of each row: what it got last in the high half, its end in the low
	pairs []uint64          // ranks with their weights, of one row
}

// leastRoom is the room that a dealer has at least, in words: a huge page.
const leastRoom = 1 << 18

// wordsAhead is how many entries before its use a vertex is fetched from the table by rank,
// of which a bucket uses few entries in each cache line.
const wordsAhead = 32

// open makes room for n entries of rows with these lengths.
func (d *dealer) open(n int, counts []uint32) {
	if need := 2*n + (n+1)/2 + wordsAhead; len(d.room) < need {
		d.room = arena.OnHeap[uint64](max(need, leastRoom))
	}
	d.words = [2][]uint64{d.room[:n], d.room[n:][:n]}
	d.rows.ranks = arena.View[uint32](arena.Bytes(d.room[2*n:]))[:n]
	if d.b.weighted != nil {
		for i := range d.moved {
			d.moved[i] = slices.Grow(d.moved[i][:0], n)[:n]
		}
		d.rows.weights = slices.Grow(d.rows.weights[:0], n)[:n]
	}
	d.state = d.state[:0]
	sum := uint32(0)
	for _, c := range counts {
		d.state = append(d.state, noRank<<32|uint64(sum))
		sum += c
	}
}

// make makes the rows of bucket k of a round whose rows begin at end. They go back, finished,
// to the front of the bucket's own entries.
func (d *dealer) make(r *round, k int, end int64) {
	b, bk := d.b, &r.buckets[k]
	lo, hi := b.vertices(r, k)
	all := entries{b.rowOf, b.ranks, b.weights}.part(bk.start, bk.entries)
	counts, prefix := b.count[lo:hi], b.Parents.HubPrefix[lo:hi]
	if bk.entries > int64(sortedUpTo) {
		bk.size = d.sortEach(all, d.roomFor(bk, end), counts, prefix)
		return
	}
	d.open(int(bk.entries), counts)
	d.dealInOrder(all, counts, prefix)
	bk.size = d.close(all, counts)
}

// roomFor is room for the entries of a large bucket: where its rows would stand if there were
// no duplicates anywhere, which is free until then. Rows that are made in place have no such room.
func (d *dealer) roomFor(bk *bucket, end int64) entries {
	if !d.b.rowsInPlace {
		return entries{nil, d.b.rows.Neighbors, d.b.rows.Weights}.part(end+bk.before, bk.entries)
	}
	room := entries{ranks: arena.OnHeap[uint32](int(bk.entries))}
	if d.b.weighted != nil {
		room.weights = arena.OnHeap[float32](int(bk.entries))
	}
	return room
}

// close moves the rows, without the gaps that duplicates left, to the front of all, and
// returns the number of their entries.
func (d *dealer) close(all entries, counts []uint32) (size int64) {
	start := int64(0)
	for i, s := range d.state {
		row := d.rows.part(start, int64(uint32(s))-start)
		start += int64(counts[i])
		counts[i] = uint32(len(row.ranks))
		if row.weights != nil {
			copy(all.weights[size:], row.weights)
		}
		size += int64(copy(all.ranks[size:], row.ranks))
	}
	return size
}

// dealInOrder fills the rows by the sort.
func (d *dealer) dealInOrder(all entries, counts []uint32, prefix []uint8) {
	words, weights := d.sort(all)
	limit := uint64(d.b.hubs)
	hubs := sort.Search(len(words), func(i int) bool { return words[i]&math.MaxUint32 >= limit })
	d.deal(words[:hubs], weights[:min(hubs, len(weights))])
	start := uint32(0)
	for i, s := range d.state {
		prefix[i] = uint8(min(uint32(s)-start, math.MaxUint8))
		start += counts[i]
	}
	d.deal(words[hubs:], weights[min(hubs, len(weights)):])
}

// deal appends entries, as vertices, to their rows, unless they are there already.
func (d *dealer) deal(words []uint64, weights []float32) {
	if d.b.weighted != nil {
		d.dealWeighted(words, weights)
		return
	}
	byRank, state, rows := d.b.byRank, d.state, d.rows.ranks
	if haveShifts && len(words) > 0 {
		dealAMD64(&words[0], len(words), &byRank[0], &state[0], &rows[0])
		return
	}
	for _, w := range words {
		rank, row := uint32(w), w>>32
		s := state[row]
		end := uint32(s)
		rows[end] = byRank[rank] // what comes next overwrites a duplicate
		state[row] = uint64(rank)<<32 | uint64(end+uint32(differ(uint32(s>>32), rank)))
	}
}

// dealWeighted is deal for entries with weights, of which the least stays.
func (d *dealer) dealWeighted(words []uint64, weights []float32) {
	for i, w := range words {
		rank, row := uint32(w), w>>32
		s := d.state[row]
		end := uint32(s)
		if uint32(s>>32) == rank {
			d.rows.weights[end-1] = min(d.rows.weights[end-1], weights[i])
			continue
		}
		d.rows.ranks[end], d.rows.weights[end] = d.b.byRank[rank], weights[i]
		d.state[row] = uint64(rank)<<32 | uint64(end+1)
	}
}
