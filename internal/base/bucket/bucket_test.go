package bucket

import (
	"math"
	"testing"
)

// However narrow Δ is, a few hundred buckets without a vertex pass all distances that there are, and a
// search of any distances has not many more buckets than vertices.
func TestPacePassesAnyGap(t *testing.T) {
	var p Pace
	p.Reset()
	buckets, bound := 0, 0.0
	for ; bound < math.MaxFloat32; buckets++ {
		bound += p.Of(math.SmallestNonzeroFloat32)
		p.After(0, 1)
	}
	if buckets > 300 {
		t.Errorf("%d buckets from the smallest distance to the largest", buckets)
	}
	if p.Reset(); p.Of(3) != 3 {
		t.Errorf("a search begins with buckets of %v Δ", p.Of(1))
	}
	buckets = 0
	const all = 1 << 20
	for found, bound := int64(1), 0.0; found < all; buckets++ { // one vertex at each multiple of Δ
		before := found
		bound += p.Of(1)
		found = min(int64(bound), all)
		p.After(found-before, found)
	}
	if buckets > 20*1024 {
		t.Errorf("%d buckets for %d vertices", buckets, all)
	}
}

// A bucket that finds enough leaves Δ as it is.
func TestPaceKeepsDelta(t *testing.T) {
	var p Pace
	p.Reset()
	for all := int64(1); all < 1<<30; all *= 2 {
		if p.After(all/2, all); p.Of(1) != 1 && all > 1 {
			t.Fatalf("%v Δ after half of %d vertices", p.Of(1), all)
		}
	}
}
