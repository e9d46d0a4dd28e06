// Package ceiling measures the best rates of the memory of this machine, with which the
// levels of a search are compared.
//
// The rates depend on how much memory is read, since caches hold part of it, so they are
// measured over as many bytes as a search uses. Three rates can limit a level: bytes
// read sequentially, cache lines read at random places of large arrays, and bits probed
// in a bitmap that a cache holds.
package ceiling

import (
	"time"

	"github.com/gohops/hops/internal/arena"
	"github.com/gohops/hops/internal/par"
)

// Rates are the rates that all workers of a team reach together, in the best of a few
// runs.
type Rates struct {
	Stream float64 // bytes a second, read sequentially
	Lines  float64 // reads a second, each at a random place
}

const (
	// runs is how often each rate is measured. The best one counts: other programs can
	// only lower a rate.
	runs = 5
	// leastRead and leastPlaces are how many bytes, or places, a run reads at least, so
	// that the time to start the workers is negligible.
	leastRead, leastPlaces = 128 << 20, 4 << 20
)

// Measure measures the rates over an array of so many bytes, at least a page.
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

// stream returns the bytes a second of reading all words sequentially, each worker its
// share.
func stream(team *par.Team, words []uint64) float64 {
	passes := max(1, leastRead/(8*len(words)))
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

// A padded sum fills cache lines of its own, so that workers do not share one.
type padded struct {
	sum uint64
	_   [120]byte
}

// add sums in four independent chains, so that memory and not the latency of additions
// limits it.
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

// scatter returns the reads a second at random places that do not depend on each other.
func scatter(team *par.Team, words []uint64) float64 {
	sums := make([]padded, team.Size())
	start := time.Now()
	team.Run(func(w int) {
		sums[w].sum = wander(words, uint32(w)+1, leastPlaces/team.Size())
	})
	return float64(leastPlaces/team.Size()*team.Size()) / time.Since(start).Seconds()
}

// wander reads count words. Their places are the upper bits of a linear congruential
// generator, scaled to the length by a multiplication.
func wander(words []uint64, seed uint32, count int) (sum uint64) {
	n := uint64(len(words))
	x, y := seed, seed*0x9e3779b9
	for range count / 2 {
		x, y = x*1664525+1013904223, y*22695477+1
		sum += words[uint64(x)*n>>32] + words[uint64(y)*n>>32]
	}
	return sum
}
