package cpu

import (
	"slices"
	"testing"

	"github.com/gohops/hops"
	"github.com/gohops/hops/edge"
)

// A level that finds more than the bins hold runs in rounds, and finds the same.
func TestBinsFill(t *testing.T) {
	src, err := edge.NewUniform(1<<16, 16, 1)
	if err != nil {
		t.Fatal(err)
	}
	s, err := Build(t.Context(), src, Options{Direction: stepTopDown, Threads: 2})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	var levels [2][]int32
	for i, size := range []int64{binSize(2), smallestBin} {
		room := int64(0)
		for w := range s.m.workers {
			s.m.workers[w].bins.size = uint32(size)
			room += size * int64(len(s.m.workers))
		}
		tree := hops.NewTree(src.NumVertices())
		trace, err := s.Search(t.Context(), 0, tree)
		if err != nil {
			t.Fatal(err)
		}
		most := int64(0)
		for _, l := range trace.Levels {
			most = max(most, l.Found)
		}
		if filled := most > room; filled != (size == smallestBin) {
			t.Errorf("bins for %d pairs, and the largest level finds %d", room, most)
		}
		levels[i] = tree.Levels(nil)
	}
	if !slices.Equal(levels[0], levels[1]) {
		t.Error("levels differ")
	}
}

// All bins together hold no more pairs than they may, unless a bin would be too small.
func TestBinSize(t *testing.T) {
	for workers, want := range map[int64]int64{1: largestBin, 2: largestBin, 4: 1 << 16, 8: 1 << 14, 16: 1 << 13, 1024: smallestBin} {
		if got := binSize(workers); got != want {
			t.Errorf("%d workers: bins of %d pairs, want %d", workers, got, want)
		}
	}
}
