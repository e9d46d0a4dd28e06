package csr

import (
	"context"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/gohops/hops"
)

// Entries are in place however many workers claim room in a bucket, for one buffer or for
// several, and leave some of it.
func TestHolesAreClosed(t *testing.T) {
	l := skewed(3000, 100_000)
	want := rows(l)
	for _, workers := range []int{1, 2, 7, 16, 40} {
		checkAgainstRows(t, build(t, l, workers), want)
	}
}

// fading is a list in memory that has loops instead of its edges when it is read again.
type fading struct {
	inMemory
	read *atomic.Int64
}

func (f fading) PairsAt(off int64, n int) []uint64 {
	if f.read.Add(int64(n)) > int64(len(f.pairs)) {
		return make([]uint64, n)
	}
	return f.inMemory.PairsAt(off, n)
}

// Entries that are missing are noticed, also where no sum of the edges is kept.
func TestEntriesThatAreMissing(t *testing.T) {
	f := fading{newInMemory(skewed(1000, 20_000)), new(atomic.Int64)}
	_, err := Build(context.Background(), hops.Source(f), 2)
	if err == nil || !strings.Contains(err.Error(), "gave other edges") {
		t.Errorf("error %v", err)
	}
}
