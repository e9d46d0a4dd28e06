package main

import (
	"testing"

	"github.com/gohops/hops"
	"github.com/gohops/hops/check"
	"github.com/gohops/hops/edge"
	"github.com/gohops/hops/engine/grid"
)

// Bitmaps go from device to device as they are, or packed by the device in every level: the trees
// are right, and the bytes of the trace show which form went.
func TestBitmapsPackedOnADevice(t *testing.T) {
	if testing.Short() {
		t.Skip("the race detector sees no kernel")
	}
	src, err := edge.NewKronecker(11, 16, 2, 3)
	if err != nil {
		t.Fatal(err)
	}
	for name, o := range map[string]grid.Options{
		"3x2":    {Shape: "3x2"},
		"1x5":    {Shape: "1x5"},
		"4x1":    {Shape: "4x1"},
		"staged": {Shape: "2x2", Exchange: "host"},
	} {
		t.Run(name, func(t *testing.T) {
			dense, packed := o, o
			dense.Bitmaps, packed.Bitmaps = "dense", "packed"
			comparePacked(t, bytesOfLevels(t, src, dense), bytesOfLevels(t, src, packed))
		})
	}
}

// bytesOfLevels are the bytes that devices moved in each level of a search, all of whose vertices
// were validated. The last has the parents too.
func bytesOfLevels(t *testing.T, src hops.Source, o grid.Options) (bytes []int64) {
	t.Helper()
	s, _ := buildOnDevice(t, src, o)
	tree, err := s.NewTree()
	if err != nil {
		t.Fatal(err)
	}
	trace, err := s.Search(t.Context(), 1, tree)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := check.New(src, 1).Tree(t.Context(), tree); err != nil {
		t.Errorf("%s: %v", o.Bitmaps, err)
	}
	for _, l := range trace.Levels {
		bytes = append(bytes, l.Exchange.BusBytes+l.Exchange.DeviceBytes)
	}
	return bytes
}

// comparePacked: the levels of dense bitmaps all move as much, but for second passes and parents.
// Packed, the first one moves less, and no level much more.
func comparePacked(t *testing.T, dense, packed []int64) {
	t.Helper()
	if len(packed) != len(dense) || len(dense) < 4 {
		t.Fatalf("bytes by level: dense %v, packed %v", dense, packed)
	}
	for i := range dense {
		if few := i == 0 || i == len(dense)-1; few && packed[i] >= dense[i] || packed[i] > dense[i]*3/2 || packed[i] == 0 {
			t.Errorf("level %d: %d bytes packed, %d dense", i, packed[i], dense[i])
		}
	}
}
