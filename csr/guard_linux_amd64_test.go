package csr

import (
	"testing"

	"github.com/gohops/hops/internal/guardtest"
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
