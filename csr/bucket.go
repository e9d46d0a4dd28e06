package csr

import (
	"math"
	"math/bits"
	"slices"
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
	room  entries // for the entries of a bucket
	next  [digits]uint32
	ends  []int64  // of the rows, so far
	last  []uint32 // rank of what each row got last
	pairs []uint64 // ranks with their weights, of one row
}

// make makes the rows of bucket k. They are put together in room, where they
// would stand if there were no duplicates anywhere, and go back, finished, to the
// front of the bucket's own entries.
func (d *dealer) make(r *round, k int, room entries) {
	b, bk := d.b, &r.buckets[k]
	lo, hi := b.vertices(r, k)
	filled := bk.filled.Load()
	all := entries{b.rowOf, b.ranks, b.weights}.part(bk.start, filled)
	rows, counts, prefix := room.part(bk.start, filled), b.count[lo:hi], b.Parents.HubPrefix[lo:hi]
	d.open(counts)
	if filled <= int64(sortedUpTo) {
		d.dealInOrder(all, rows, counts, prefix)
	} else {
		d.sortEach(all, rows, counts, prefix)
	}
	start := int64(0)
	for i, end := range d.ends {
		row := rows.part(start, end-start)
		start += int64(counts[i])
		counts[i] = uint32(len(row.ranks))
		if row.weights != nil {
			copy(all.weights[bk.size:], row.weights)
		}
		bk.size += int64(copy(all.ranks[bk.size:], row.ranks))
	}
}

// open sets the ends to where rows of these lengths start.
func (d *dealer) open(counts []uint32) {
	d.ends, d.last = d.ends[:0], d.last[:0]
	sum := int64(0)
	for _, n := range counts {
		d.ends, d.last = append(d.ends, sum), append(d.last, noRank)
		sum += int64(n)
	}
}

// dealInOrder fills the rows by the sort.
func (d *dealer) dealInOrder(all, rows entries, counts []uint32, prefix []uint8) {
	all = d.sort(all)
	deal := d.deal
	if all.weights != nil {
		deal = d.dealWeighted
	}
	hubs, _ := slices.BinarySearch(all.ranks, d.b.hubs)
	deal(all.part(0, int64(hubs)), rows)
	start := int64(0)
	for i, end := range d.ends {
		prefix[i] = uint8(min(end-start, math.MaxUint8))
		start += int64(counts[i])
	}
	deal(all.part(int64(hubs), int64(len(all.ranks)-hubs)), rows)
}

// deal appends entries, as vertices, to their rows, unless they are there already.
func (d *dealer) deal(some, rows entries) {
	byRank, ends, last := d.b.byRank, d.ends, d.last
	for i, row := range some.rowOf {
		rank, end := some.ranks[i], ends[row]
		rows.ranks[end] = byRank[rank] // what comes next overwrites a duplicate
		ends[row] = end + int64(differ(last[row], rank))
		last[row] = rank
	}
}

// dealWeighted is deal for entries with weights, of which the least stays.
func (d *dealer) dealWeighted(some, rows entries) {
	byRank, ends, last := d.b.byRank, d.ends, d.last
	for i, row := range some.rowOf {
		rank, end := some.ranks[i], ends[row]
		if last[row] == rank {
			rows.weights[end-1] = min(rows.weights[end-1], some.weights[i])
			continue
		}
		rows.ranks[end], rows.weights[end] = byRank[rank], some.weights[i]
		ends[row], last[row] = end+1, rank
	}
}

// sort sorts entries by rank. They end up where they were or in the dealer's room.
func (d *dealer) sort(from entries) entries {
	width := bits.Len(uint(d.b.n - 1))
	passes := max((width+digitBits-1)/digitBits, 1)
	width = (width + passes - 1) / passes
	n := len(from.ranks)
	d.room.rowOf, d.room.ranks = slices.Grow(d.room.rowOf[:0], n)[:n], slices.Grow(d.room.ranks[:0], n)[:n]
	if from.weights != nil {
		d.room.weights = slices.Grow(d.room.weights[:0], n)[:n]
	}
	to := d.room
	for p := range passes {
		d.pass(from, to, p*width, d.next[:1<<width])
		from, to = to, from
	}
	return from
}

// pass sorts by the digit from a bit on that next has a counter for each value of.
func (d *dealer) pass(from, to entries, shift int, next []uint32) {
	clear(next)
	mask := uint32(len(next) - 1)
	for _, rank := range from.ranks {
		next[rank>>shift&mask]++
	}
	sum := uint32(0)
	for digit, n := range next {
		next[digit], sum = sum, sum+n
	}
	for i, rank := range from.ranks {
		at := &next[rank>>shift&mask]
		to.rowOf[*at], to.ranks[*at] = from.rowOf[i], rank
		if from.weights != nil {
			to.weights[*at] = from.weights[i]
		}
		*at++
	}
}

// sortEach fills the rows in the order of their entries and sorts each.
func (d *dealer) sortEach(all, rows entries, counts []uint32, prefix []uint8) {
	for i, row := range all.rowOf {
		rows.ranks[d.ends[row]] = all.ranks[i]
		if all.weights != nil {
			rows.weights[d.ends[row]] = all.weights[i]
		}
		d.ends[row]++
	}
	start := int64(0)
	for i := range d.ends {
		row := d.sortRow(rows.part(start, d.ends[i]-start))
		hubs, _ := slices.BinarySearch(row, d.b.hubs)
		prefix[i] = uint8(min(hubs, math.MaxUint8))
		for k, rank := range row {
			row[k] = d.b.byRank[rank]
		}
		d.ends[i] = start + int64(len(row))
		start += int64(counts[i])
	}
}

// sortRow sorts the ranks of a row, drops duplicates, and keeps the least weight of
// each. Bits of weights, none of which is negative, are in the order of the weights.
func (d *dealer) sortRow(row entries) []uint32 {
	if row.weights == nil {
		slices.Sort(row.ranks)
		return slices.Compact(row.ranks)
	}
	d.pairs = d.pairs[:0]
	for i, rank := range row.ranks {
		d.pairs = append(d.pairs, uint64(rank)<<32|uint64(math.Float32bits(row.weights[i])))
	}
	slices.Sort(d.pairs)
	n := 0
	for _, p := range d.pairs {
		if rank := uint32(p >> 32); n == 0 || row.ranks[n-1] != rank {
			row.ranks[n], row.weights[n] = rank, math.Float32frombits(uint32(p))
			n++
		}
	}
	return row.ranks[:n]
}
