package ceiling

import (
	"time"

	"github.com/gohops/hops/internal/par"
)

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
