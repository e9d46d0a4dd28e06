package cygraph

import (
	"context"
	"math"
	"testing"

	"github.com/gohops/hops"
)

// The bound is the paper's arithmetic: 2 + 3/d requests an edge at 150 MHz.
func TestBound(t *testing.T) {
	for degree, want := range map[int64]float64{8: 63e6, 16: 69e6, 32: 72e6, 64: 73e6} {
		got := upperBound(Options{Kernels: 1}, 1000, 1000*degree)
		if math.Abs(got-want) > 0.6e6 {
			t.Errorf("degree %d: %.1f million entries a second, want %.0f", degree, got/1e6, want/1e6)
		}
		if half := upperBound(Options{Kernels: 1, Pace: 2}, 1000, 1000*degree); math.Abs(half-got/2) > 1 {
			t.Errorf("degree %d: %g with a request in two cycles, half of %g was expected", degree, half, got)
		}
	}
}

// No search beats the bound, and a machine with an even memory comes near it.
func TestSearchesAgainstTheBound(t *testing.T) {
	if testing.Short() {
		t.Skip("simulates a large level")
	}
	src := random{scale: 16, edges: 32 << 16 / 2}
	for _, o := range []Options{
		{Kernels: 4},
		{Kernels: 4, Pace: 2},
		{Kernels: 4, Memory: Memory{Channels: 1, Service: 64, Fast: [2]int{50, 60}}},
	} {
		if o.Memory == (Memory{}) {
			o.Memory = evenHC2()
		}
		s, err := Build(context.Background(), src, o)
		if err != nil {
			t.Fatal(err)
		}
		trace, err := s.Search(context.Background(), 1, hops.NewTree(src.NumVertices()))
		if err != nil {
			t.Fatal(err)
		}
		rate := float64(s.graph.NumEntries()) / trace.Time().Seconds()
		bound := upperBound(o, trace.Found()+1, s.graph.NumEntries())
		if share := rate / bound; share > 1 || share < 0.93 {
			t.Errorf("%+v: %.3f of the bound", o, share)
		}
		_ = s.Close()
	}
}

// Need is never less than what is used.
func TestNeed(t *testing.T) {
	src := random{scale: 16, edges: 16 << 16 / 2, skewed: true}
	s, err := Build(context.Background(), src, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	finished, peak := s.Memory()
	if need := Need(src.NumVertices(), src.edges); finished > peak || peak > need {
		t.Errorf("finished %d, peak %d, promised %d", finished, peak, need)
	}
	if Need(1<<40, 1<<60) != 1<<62 {
		t.Error("an absurd size is not saturated")
	}
}

// upperBound returns an upper bound of the entries a second that a machine examines in a
// top-down search that reaches the given numbers of vertices and entries, each once.
//
// An entry takes a read of its row and its share of a read of entries; a vertex
// takes a read of the queue, a write of the queue and a visit. The ports carry a
// request every Pace cycles, and the channels a word every Service ticks. A search is
// slower than the bound because of latency, of levels that are too small to keep all
// kernels busy, and of vertices that are pushed twice.
func upperBound(o Options, vertices, entries int64) float64 {
	o = o.withDefaults()
	requests := 3*float64(vertices) + (1+1/float64(o.Burst))*float64(entries)
	words := 3*float64(vertices) + (1+float64(beats(o.Burst))/float64(o.Burst))*float64(entries)
	cycles := requests * float64(o.Pace) / float64(o.Kernels)
	if m := o.Memory; m.Service > 0 {
		cycles = max(cycles, words*float64(m.Service)/tick/float64(m.Channels))
	}
	return float64(entries) / cycles * o.Clock * 1e6
}
