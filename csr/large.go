package csr

import (
	"math"
	"slices"
)

// Rows of buckets that are too large for the sort of radix.go.

// sortEach fills the rows in the order of their entries and sorts each, which takes no
// room beside that of the rows. It returns the number of entries that are left.
func (d *dealer) sortEach(all entries, room entries, counts []uint32, prefix []uint8) (size int64) {
	ends := make([]int64, len(counts))
	sum := int64(0)
	for i, n := range counts {
		ends[i], sum = sum, sum+int64(n)
	}
	for i, row := range all.rowOf {
		room.ranks[ends[row]] = all.ranks[i]
		if all.weights != nil {
			room.weights[ends[row]] = all.weights[i]
		}
		ends[row]++
	}
	start := int64(0)
	for i, end := range ends {
		part := room.part(start, end-start)
		row := d.sortRow(part)
		hubs, _ := slices.BinarySearch(row, d.b.hubs)
		prefix[i] = uint8(min(hubs, math.MaxUint8))
		for k, rank := range row {
			row[k] = d.b.byRank[rank]
		}
		start += int64(counts[i])
		counts[i] = uint32(len(row))
		if all.weights != nil {
			copy(all.weights[size:], part.weights[:len(row)])
		}
		size += int64(copy(all.ranks[size:], row))
	}
	return size
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
