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

// A dealer makes the rows of buckets, one after the other.
type dealer struct {
	b     *builder
	rowOf []uint16 // room for the entries of a bucket
	ranks []uint32
	next  [digits]uint32
	ends  []int64  // of the rows, so far
	last  []uint32 // rank of what each row got last
}

// make makes the rows of bucket k. They are put together in room, where they
// would stand if there were no duplicates anywhere, and go back, finished, to the
// front of the bucket's own entries.
func (d *dealer) make(r *round, k int, room []uint32) {
	b, bk := d.b, &r.buckets[k]
	lo, hi := b.vertices(r, k)
	entries := bk.filled.Load()
	rowOf, ranks := b.rowOf[bk.start:][:entries], b.ranks[bk.start:][:entries]
	rows, counts, prefix := room[bk.start:][:entries], b.count[lo:hi], b.Parents.HubPrefix[lo:hi]
	d.open(counts)
	if entries <= int64(sortedUpTo) {
		d.dealInOrder(rowOf, ranks, rows, counts, prefix)
	} else {
		d.sortEach(rowOf, ranks, rows, counts, prefix)
	}
	start := int64(0)
	for i, end := range d.ends {
		row := rows[start:end]
		start += int64(counts[i])
		counts[i] = uint32(len(row))
		bk.size += int64(copy(ranks[bk.size:], row))
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
func (d *dealer) dealInOrder(rowOf []uint16, ranks, rows, counts []uint32, prefix []uint8) {
	rowOf, ranks = d.sort(rowOf, ranks)
	hubs, _ := slices.BinarySearch(ranks, d.b.hubs)
	d.deal(rowOf[:hubs], ranks[:hubs], rows)
	start := int64(0)
	for i, end := range d.ends {
		prefix[i] = uint8(min(end-start, math.MaxUint8))
		start += int64(counts[i])
	}
	d.deal(rowOf[hubs:], ranks[hubs:], rows)
}

// deal appends entries, as vertices, to their rows, unless they are there already.
func (d *dealer) deal(rowOf []uint16, ranks, rows []uint32) {
	byRank, ends, last := d.b.byRank, d.ends, d.last
	for i, row := range rowOf {
		rank, end := ranks[i], ends[row]
		rows[end] = byRank[rank] // what comes next overwrites a duplicate
		ends[row] = end + int64(differ(last[row], rank))
		last[row] = rank
	}
}

// sort sorts entries by rank. They end up where they were or in the dealer's room.
func (d *dealer) sort(rowOf []uint16, ranks []uint32) ([]uint16, []uint32) {
	width := bits.Len(uint(d.b.n - 1))
	passes := max((width+digitBits-1)/digitBits, 1)
	width = (width + passes - 1) / passes
	d.rowOf, d.ranks = slices.Grow(d.rowOf[:0], len(rowOf)), slices.Grow(d.ranks[:0], len(ranks))
	toRow, toRanks := d.rowOf[:len(rowOf)], d.ranks[:len(ranks)]
	for p := range passes {
		d.pass(rowOf, ranks, toRow, toRanks, p*width, d.next[:1<<width])
		rowOf, ranks, toRow, toRanks = toRow, toRanks, rowOf, ranks
	}
	return rowOf, ranks
}

// pass sorts by the digit from a bit on that next has a counter for each value of.
func (d *dealer) pass(rowOf []uint16, ranks []uint32, toRow []uint16, toRanks []uint32, shift int, next []uint32) {
	clear(next)
	mask := uint32(len(next) - 1)
	for _, rank := range ranks {
		next[rank>>shift&mask]++
	}
	sum := uint32(0)
	for digit, n := range next {
		next[digit], sum = sum, sum+n
	}
	for i, rank := range ranks {
		at := &next[rank>>shift&mask]
		toRow[*at], toRanks[*at] = rowOf[i], rank
		*at++
	}
}

// sortEach fills the rows in the order of their entries and sorts each.
func (d *dealer) sortEach(rowOf []uint16, ranks, rows, counts []uint32, prefix []uint8) {
	for i, row := range rowOf {
		rows[d.ends[row]] = ranks[i]
		d.ends[row]++
	}
	start := int64(0)
	for i := range d.ends {
		row := rows[start:d.ends[i]]
		slices.Sort(row)
		row = slices.Compact(row)
		hubs, _ := slices.BinarySearch(row, d.b.hubs)
		prefix[i] = uint8(min(hubs, math.MaxUint8))
		for k, rank := range row {
			row[k] = d.b.byRank[rank]
		}
		d.ends[i] = start + int64(len(row))
		start += int64(counts[i])
	}
}
