package csr

import (
	"cmp"
	"slices"
	"testing"

	"github.com/gohops/hops/internal/testing/guardtest"
)

// The kernels read and write nothing beside their arrays.
func TestKernelsStayInBounds(t *testing.T) {
	if !haveVectors || !haveShifts {
		t.Skip("no AVX-512")
	}
	const buckets, shift = 3, 2
	for _, side := range guardtest.Sides {
		for _, n := range []int{8, 16, 40} {
			pairs := guardtest.Make[uint64](t, side, n)
			for i := range pairs {
				pairs[i] = pick(uint32(i%(buckets<<shift)), uint32((i+1)%(buckets<<shift)))
			}
			if most := largestAVX512(&pairs[0], n); most != uint32(min(n, buckets<<shift-1)) {
				t.Fatalf("the largest label of %x is %d", pairs, most)
			}
			picked := guardtest.Make[uint64](t, side, 2*n+pickSlack)
			count := pickAVX512(&pairs[0], n, 0, buckets<<shift, both.ends(), &picked[0])
			if count != 2*n {
				t.Fatalf("picked %d, want %d", count, 2*n)
			}
			picks := guardtest.Copy(t, side, picked[:count+ranksAhead])
			ranks := guardtest.Make[uint32](t, side, buckets<<shift)
			next := guardtest.Copy(t, side, []uint32{0, bufferEntries, 2 * bufferEntries})
			buffers := guardtest.Make[uint64](t, side, buckets*bufferEntries)
			described := guardtest.Make[bucket](t, side, buckets)
			s := scatter{
				picks: &picks[0], count: count, ranks: &ranks[0], next: &next[0],
				buffers: &buffers[0], shift: shift, buckets: &described[0],
			}
			for scatterAMD64(&s); s.full >= 0; scatterAMD64(&s) {
				next[s.full] -= bufferEntries
			}
			if s.at != count {
				t.Fatalf("%d picks of %d were sorted", s.at, count)
			}
		}
		from := guardtest.Make[uint64](t, side, bufferEntries)
		rowOf, ranks := guardtest.Make[uint16](t, side, bufferEntries), guardtest.Make[uint32](t, side, bufferEntries)
		for i := range from {
			from[i] = uint64(i+1)<<33 | uint64(100+i)
		}
		splitAVX512(&from[0], bufferEntries, 15, &rowOf[0], &ranks[0])
		for i := range from {
			if rowOf[i] != uint16(2*(i+1)&15) || ranks[i] != uint32(100+i) {
				t.Errorf("entry %d is split into %d and %d", i, rowOf[i], ranks[i])
			}
		}
	}
}

// The kernels of the sort do what the loops in Go do, and nothing beside their arrays.
func TestSortKernelsStayInBounds(t *testing.T) {
	if !haveShifts {
		t.Skip("no BMI2")
	}
	const width, rows = 3, 4
	for _, side := range guardtest.Sides {
		for _, n := range []int{1, 7, 64} {
			rowOf, ranks := guardtest.Make[uint16](t, side, n), guardtest.Make[uint32](t, side, n)
			for i := range ranks {
				rowOf[i], ranks[i] = uint16(i%rows), uint32(i*29%(1<<(2*width)))
			}
			low, high := guardtest.Make[uint32](t, side, 1<<width), guardtest.Make[uint32](t, side, 1<<width)
			countAMD64(&ranks[0], n, &low[0], &high[0], width)
			startOf(low)
			startOf(high)
			words, sorted := guardtest.Make[uint64](t, side, n), guardtest.Make[uint64](t, side, n+wordsAhead)
			firstAMD64(&rowOf[0], &ranks[0], n, &words[0], &low[0], 1<<width-1)
			passAMD64(&words[0], n, &sorted[0], &high[0], width, 1<<width-1)
			if !slices.IsSortedFunc(sorted[:n], func(a, b uint64) int { return cmp.Compare(uint32(a), uint32(b)) }) {
				t.Fatalf("not sorted: %x", sorted[:n])
			}
			byRank := guardtest.Make[uint32](t, side, 1<<(2*width))
			for i := range byRank {
				byRank[i] = uint32(1000 + i)
			}
			state, out := guardtest.Make[uint64](t, side, rows), guardtest.Make[uint32](t, side, n*rows)
			for i := range state {
				state[i] = noRank<<32 | uint64(i*n)
			}
			dealAMD64(&sorted[0], n, &byRank[0], &state[0], &out[0])
			for i := range n {
				start := int(rowOf[i]) * n
				if row := out[start:uint32(state[rowOf[i]])]; !slices.Contains(row, 1000+ranks[i]) || !slices.IsSorted(row) || len(slices.Compact(row)) != len(row) {
					t.Fatalf("row %d is %d, and has the rank %d", rowOf[i], row, ranks[i])
				}
			}
		}
	}
}

// startOf replaces numbers by the sums of those before them.
func startOf(counts []uint32) {
	sum := uint32(0)
	for i, n := range counts {
		counts[i], sum = sum, sum+n
	}
}
