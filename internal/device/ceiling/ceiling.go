// Package ceiling measures the highest rates at which the memory of this host can be
// read, to compare the levels of a search with.
//
// The rates depend on the size of the array that is read, because caches hold part of
// it, so they are measured over as many bytes as a search uses. A level is bounded by
// the bytes that it reads in order, by the cache lines that it reads at random in large
// arrays, and by the bits that it probes in a bitmap that fits in a cache.
package ceiling

import (
	"time"

	"github.com/gohops/hops/internal/base/arena"
	"github.com/gohops/hops/internal/base/par"
)

// Rates are the rates of all workers of a team together, in the best of a few runs.
type Rates struct {
	Stream float64 // bytes a second, read in order
	Lines  float64 // reads a second, each at a random place
}

const (
	// runs is how often each rate is measured. The best run counts, because other
	// processes slow the others down.
	runs = 5
	// minBytes and minReads are how many bytes a run reads in order, and how many
	// places it reads at random, at least. They make the time to start the workers
	// negligible.
	minBytes, minReads = 128 << 20, 4 << 20
)

// Measure reads an array of that many bytes, at least a page, on huge pages.
func Measure(team *par.Team, bytes int64) (Rates, error) {
	var mem arena.Arena
	defer mem.Close()
	words, err := arena.Make[uint64](&mem, max(512, int(bytes/8)))
	if err != nil {
		return Rates{}, err
	}
	team.For(int64(len(words)), 1<<16, func(_ int, lo, hi int64) {
		for i := range words[lo:hi] {
			words[lo+int64(i)] = uint64(i)
		}
	})
	var r Rates
	for range runs {
		r.Stream = max(r.Stream, stream(team, words))
		r.Lines = max(r.Lines, scatter(team, words))
	}
	return r, nil
}

// stream returns the bytes a second of reading all words in order, each worker its
// share.
func stream(team *par.Team, words []uint64) float64 {
	passes := max(1, minBytes/(8*len(words)))
	sums := make([]padded, team.Size())
	start := time.Now()
	team.Run(func(w int) {
		lo, hi := par.Split(int64(len(words)), 8, w, team.Size())
		for range passes {
			sums[w].sum += add(words[lo:hi])
		}
	})
	return float64(passes) * 8 * float64(len(words)) / time.Since(start).Seconds()
}

// A padded sum has a cache line of its own, so that workers do not share one.
type padded struct {
	sum uint64
	_   [120]byte
}

// add sums in four independent chains, so that it waits for memory and not for the
// addition before.
func add(words []uint64) uint64 {
	var a, b, c, d uint64
	for ; len(words) >= 8; words = words[8:] {
		a += words[0] + words[4]
		b += words[1] + words[5]
		c += words[2] + words[6]
		d += words[3] + words[7]
	}
	for _, w := range words {
		a += w
	}
	return a + b + c + d
}

// scatter returns the reads a second at random places. No read depends on another.
func scatter(team *par.Team, words []uint64) float64 {
	sums := make([]padded, team.Size())
	start := time.Now()
	team.Run(func(w int) {
		sums[w].sum = wander(words, uint32(w)+1, minReads/team.Size())
	})
	return float64(minReads/team.Size()*team.Size()) / time.Since(start).Seconds()
}

// wander reads words at count random places. Their indices are linear congruential
// random numbers, scaled to the length by a multiplication and a shift.
func wander(words []uint64, seed uint32, count int) (sum uint64) {
	n := uint64(len(words))
	x, y := seed, seed*0x9e3779b9
	for range count / 2 {
		x, y = x*1664525+1013904223, y*22695477+1
		sum += words[uint64(x)*n>>32] + words[uint64(y)*n>>32]
	}
	return sum
}

// Sizes are the bytes that the parts of a level's work are spread over.
type Sizes struct {
	Arrays int64 // read in order
	All    int64 // read at random, a cache line at a time
	Bitmap int64 // probed for single bits
}

// Work is what a level does to memory.
type Work struct {
	Streamed int64 // bytes read or written in order
	Lines    int64 // cache lines read at random
	Probes   int64 // bits looked up in a bitmap
}

// Bounds are the highest rates of this host for a graph of some Sizes.
type Bounds struct {
	Stream float64 // bytes a second in order
	Lines  float64 // cache lines a second at random
	Probes float64 // bits a second
}

// MeasureBounds measures with so many workers; 0 is one for every CPU.
func MeasureBounds(s Sizes, threads int) (b Bounds, err error) {
	team := par.NewTeam(threads, nil)
	defer team.Close()
	for _, part := range []struct {
		bytes int64
		keep  func(Rates)
	}{
		{s.Arrays, func(r Rates) { b.Stream = r.Stream }},
		{s.All, func(r Rates) { b.Lines = r.Lines }},
		{s.Bitmap, func(r Rates) { b.Probes = r.Lines }},
	} {
		r, err := Measure(team, part.bytes)
		if err != nil {
			return b, err
		}
		part.keep(r)
	}
	return b, nil
}

// AtLeast returns a lower bound of the time of a level, and the part of its work that
// sets it: bytes, lines or probes. The bound is met if the longest part hides all
// others.
func (b Bounds) AtLeast(w Work) (least time.Duration, by string) {
	for _, part := range []struct {
		name string
		work int64
		rate float64
	}{
		{"bytes", w.Streamed, b.Stream},
		{"lines", w.Lines, b.Lines},
		{"probes", w.Probes, b.Probes},
	} {
		if d := time.Duration(float64(part.work) / part.rate * float64(time.Second)); d >= least {
			least, by = d, part.name
		}
	}
	return least, by
}
