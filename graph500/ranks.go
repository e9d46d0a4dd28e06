package graph500

import (
	"time"

	"github.com/gohops/hops"
	"github.com/gohops/hops/check"
)

// The benchmark on several ranks: every rank runs the same flow on its share of
// the edges and its part of the tree. They meet before and after what is timed,
// and a time is that of the slowest. One process alone is the group of one rank,
// for which all of this is nothing.

// alone is the group of a process that has no others.
type alone struct{}

func (alone) Rank() int          { return 0 }
func (alone) Size() int          { return 1 }
func (alone) Host(int) int       { return 0 }
func (alone) Sum([]uint64) error { return nil }
func (alone) Max([]uint64) error { return nil }
func (alone) Barrier() error     { return nil }
func (alone) Abort(error)        {}

func (alone) Exchange(out []byte, _ []int64, in []byte, _ []int64) error {
	copy(in, out)
	return nil
}

func (alone) Shared(size int64) ([]byte, func() error, error) {
	return make([]byte, size), func() error { return nil }, nil
}

// stopwatch starts all ranks' clocks together; the function that it returns stops
// them and tells the longest time.
func (b *bench) stopwatch() (stop, error) {
	if err := b.comm.Barrier(); err != nil {
		return nil, err
	}
	start := time.Now()
	return func() (time.Duration, error) {
		longest := []uint64{uint64(time.Since(start))}
		err := b.comm.Max(longest)
		return time.Duration(longest[0]), err
	}, nil
}

// total adds up numbers of all ranks, in place.
func (b *bench) total(numbers ...*int64) error {
	v := make([]uint64, len(numbers))
	for i, n := range numbers {
		v[i] = uint64(*n)
	}
	err := b.comm.Sum(v)
	for i, n := range numbers {
		*n = int64(v[i])
	}
	return err
}

// addMemory makes the memory of this rank that of all.
func (b *bench) addMemory() error {
	m := &b.res.Memory
	m.Process = peakResident()
	return b.total(&m.Finished, &m.BuildPeak, &m.Process)
}

// neighbours is how many ranks share this host's memory, this one included.
func (b *bench) neighbours() int {
	count := 0
	for r := range b.comm.Size() {
		if b.comm.Host(r) == b.comm.Host(b.comm.Rank()) {
			count++
		}
	}
	return count
}

// mine is this rank's share of the edge list.
func (b *bench) mine() (lo, hi int64) {
	return check.Share(b.cfg.Edges(), b.comm.Rank(), b.comm.Size())
}

// A window shows a range of a source's edges as a source of its own.
type window struct {
	hops.Source
	lo, hi int64
}

func (w window) NumEdges() int64 { return w.hi - w.lo }

func (w window) EdgesAt(dst []hops.Edge, off int64) (int, error) {
	return w.Source.EdgesAt(dst, w.lo+off)
}

// A weightedWindow is a window with weights.
type weightedWindow struct {
	window
	tuples hops.WeightedSource
}

func (w weightedWindow) WeightsAt(dst []float32, off int64) (int, error) {
	return w.tuples.WeightsAt(dst, w.lo+off)
}

func (w weightedWindow) TuplesAt(edges []hops.Edge, weights []float32, off int64) (int, error) {
	return hops.TuplesAt(w.tuples, edges, weights, w.lo+off)
}

// A share is a source of which the edges of a window are at hand. All others are
// generated when someone asks.
type share struct {
	hops.Source
	lo, hi int64
	kept   hops.Source
}

func (s *share) EdgesAt(dst []hops.Edge, off int64) (int, error) {
	if s.has(off, len(dst)) {
		return s.kept.EdgesAt(dst, off-s.lo)
	}
	return s.Source.EdgesAt(dst, off)
}

// has tells whether so many edges from off on are at hand.
func (s *share) has(off int64, count int) bool { return off >= s.lo && off+int64(count) <= s.hi }

// A weightedShare is a share with weights.
type weightedShare struct {
	share
	tuples     hops.WeightedSource
	keptTuples hops.WeightedSource
}

func (s *weightedShare) WeightsAt(dst []float32, off int64) (int, error) {
	if s.has(off, len(dst)) {
		return s.keptTuples.WeightsAt(dst, off-s.lo)
	}
	return s.tuples.WeightsAt(dst, off)
}

func (s *weightedShare) TuplesAt(edges []hops.Edge, weights []float32, off int64) (int, error) {
	if s.has(off, len(edges)) {
		return hops.TuplesAt(s.keptTuples, edges, weights, off-s.lo)
	}
	return hops.TuplesAt(s.tuples, edges, weights, off)
}
