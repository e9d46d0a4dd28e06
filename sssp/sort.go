package sssp

import (
	"math/bits"
	"slices"
)

// A sorter sorts rows by weight. The weights of a row are mostly spread evenly between the lightest
// and the heaviest, so that the weight of an entry nearly gives its position:
//
//  1. Rows of a few entries are sorted by comparisons.
//  2. Others are dealt out to as many buckets as they have entries, by the position of their weight
//     between the least and the greatest, and every bucket is sorted. Where most weights fall into
//     one bucket, the row is in effect sorted by comparisons.
//  3. Long rows, whose buckets would be too many or too full, are sorted by digits.
type sorter struct {
	room []entry
	next [1 << sortDigit]uint32
}

const (
	// sortDigit is the digit of the radix sort, in bits: three of them cover a weight
	// without its sign, and the counters, 8 KiB, stay in a first-level cache. It bounds the
	// number of buckets, too.
	sortDigit = 11
	// bucketRow and radixRow are the lengths from which on rows are sorted by buckets and by
	// digits. Nanoseconds an entry by comparisons, buckets and digits, weights spread evenly: 35 and
	// 21 for rows of 32, 49 and 23 of 100, 78 and 25 of 1,000, buckets and digits 24 and 19 of 3,000.
	bucketRow = 24
	radixRow  = 1 << 10
)

func (s *sorter) sort(row []entry) {
	switch {
	case len(row) < bucketRow:
		slices.Sort(row)
	case len(row) < radixRow:
		s.byBuckets(row)
	default:
		s.byDigits(row)
	}
}

// byBuckets sorts a row by buckets: a power of two of them, at most as many as entries.
func (s *sorter) byBuckets(row []entry) {
	least, most := row[0], row[0]
	for _, e := range row {
		least, most = min(least, e), max(most, e)
	}
	low, count := least.weight(), 1<<(bits.Len(uint(len(row)))-1)
	scale := (float32(count) - 1) / (most.weight() - low)
	if !(scale > 0 && scale <= maxScale) { // weights are infinite, or all the same, nearly
		slices.Sort(row)
		return
	}
	next := s.next[:count]
	clear(next)
	for _, e := range row {
		next[s.bucket(e, low, scale)]++
	}
	s.room = slices.Grow(s.room[:0], len(row))
	to := s.room[:len(row)]
	startsOf(next)
	for _, e := range row {
		at := &next[s.bucket(e, low, scale)]
		to[*at] = e
		*at++
	}
	copy(row, to)
	first := uint32(0)
	for _, end := range next {
		if end-first > 1 {
			sortFew(row[first:end])
		}
		first = end
	}
}

// maxScale is a bound of the buckets per unit of weight, so that products are finite.
const maxScale = 1 << 100

// bucket is the number of an entry's bucket. It does not fall with rising weight.
func (s *sorter) bucket(e entry, low, scale float32) int {
	return int((e.weight()-low)*scale) & (len(s.next) - 1)
}

// sortFew sorts the entries of a bucket, mostly so few that a call of slices.Sort would take longer
// than the work.
func sortFew(row []entry) {
	if len(row) > bucketRow {
		slices.Sort(row)
		return
	}
	for i := 1; i < len(row); i++ {
		e, k := row[i], i
		for ; k > 0 && row[k-1] > e; k-- {
			row[k] = row[k-1]
		}
		row[k] = e
	}
}

// byDigits sorts a row by the digits of its weights.
func (s *sorter) byDigits(row []entry) {
	s.room = slices.Grow(s.room[:0], len(row))
	from, to := row, s.room[:len(row)]
	for shift := 32; shift < 64; shift += sortDigit {
		clear(s.next[:])
		for _, e := range from {
			s.next[e>>shift&(1<<sortDigit-1)]++
		}
		startsOf(s.next[:])
		for _, e := range from {
			at := &s.next[e>>shift&(1<<sortDigit-1)]
			to[*at] = e
			*at++
		}
		from, to = to, from
	}
	copy(row, from)
}

// startsOf replaces the lengths of buckets by the offsets where they begin.
func startsOf(lengths []uint32) {
	sum := uint32(0)
	for i, n := range lengths {
		lengths[i], sum = sum, sum+n
	}
}
