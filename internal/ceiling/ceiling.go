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

	"github.com/gohops/hops/internal/arena"
	"github.com/gohops/hops/internal/par"
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
