package cygraph

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gohops/hops"
	"github.com/gohops/hops/edge"
	"github.com/gohops/hops/graph500"
	"github.com/gohops/hops/internal/testing/enginetest"
)

// machines are configurations that exercise different corners: one kernel, FIFOs
// that fill up, stalling ports, and everything beyond the paper. Most have a
// quick memory, which makes for short simulations.
var machines = map[string]Options{
	"published": {},
	"oneKernel": {Kernels: 1, Memory: quick},
	"tinyFIFOs": {Kernels: 4, FPGAs: 2, Depth: 2, Hop: 1, Memory: quick},
	"stalls":    {Kernels: 4, Depth: 8, Pace: 2, Memory: Memory{Channels: 1, Service: 100, Fast: [2]int{1, 9}, Stall: 500}},
	"split":     {Kernels: 8, Split: 4, Burst: 8, Depth: 16, Turns: true, Memory: quick},
	"filter":    {Kernels: 32, Filter: 64, Memory: quick},
	"all":       {Kernels: 16, Split: 16, Burst: 2, Filter: 1024, Turns: true, BottomUp: true, ByDegree: true},
	"betkaoui":  {Kernels: 12, FPGAs: 2, Design: Betkaoui, Memory: quick},
	"loops":     {Kernels: 4, Depth: 2, Design: Betkaoui, Loop: 4, Memory: quick},
	"bottomUp":  {Kernels: 4, Depth: 2, BottomUp: true, Memory: quick},
}

var quick = Memory{Channels: 4, Service: 20, Fast: [2]int{5, 40}, Slow: [2]int{60, 90}, SlowShare: 20}

func TestEngine(t *testing.T) {
	for name, o := range machines {
		t.Run(name, func(t *testing.T) {
			if testing.Short() && name != "tinyFIFOs" {
				t.Skip("a simulation like others")
			}
			t.Parallel()
			steps := []string{"top-down"}
			if o.BottomUp {
				steps = append(steps, "bottom-up")
			}
			enginetest.Run(t, enginetest.Engine{
				Build: func(ctx context.Context, src hops.Source) (enginetest.Searcher, error) {
					s, err := Build(ctx, src, o)
					if err != nil {
						return nil, err
					}
					return s, nil
				},
				Steps: steps, MaxScale: 10, MaxPath: 100, Roots: 1, Variant: name != "tinyFIFOs",
			})
		})
	}
}

// A bottom-up level ends when each of its rows has been finished once. A kernel that miscounts
// them waits for ever.
func TestBottomUpEnds(t *testing.T) {
	src, err := edge.NewKronecker(8, 16, 2, 3)
	if err != nil {
		t.Fatal(err)
	}
	s, err := Build(t.Context(), src, machines["bottomUp"])
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute) // it takes milliseconds
	defer cancel()
	trace, err := s.Search(ctx, 1, hops.NewTree(src.NumVertices()))
	if err != nil {
		t.Fatal(err)
	}
	if !slices.ContainsFunc(trace.Levels, func(l hops.Level) bool { return l.Step == "bottom-up" }) {
		t.Errorf("no level is bottom-up: %v", trace.Levels)
	}
}

func TestBadParameters(t *testing.T) {
	good := Memory{Channels: 1, Fast: [2]int{1, 2}}
	with := func(change func(*Memory)) Options {
		m := good
		change(&m)
		return Options{Memory: m}
	}
	for want, o := range map[string]Options{
		"-1 kernels":                      {Kernels: -1},
		"9 kernels cannot be spread":      {Kernels: 9, FPGAs: 2},
		"cannot be spread evenly over -2": {FPGAs: -2},
		"2 words is smaller than a burst": {Depth: 2, Burst: 8},
		"FIFO depth 500":                  {Depth: 500},
		"burst of 3":                      {Burst: 3},
		"burst of 32":                     {Burst: 32},
		"every -1 cycles":                 {Pace: -1},
		"-1 registers between":            {Hop: -1},
		"a link of -1 MB/s":               {Link: -1},
		"-5 MHz":                          {Clock: -5},
		"queues of -1 words":              {Queue: -1},
		"split at 3":                      {Split: 3},
		"design \"x\"":                    {Design: "x"},
		"neither queues nor":              {Design: Betkaoui, Burst: 2},
		"a loop over 3":                   {Design: Betkaoui, Loop: 3},
		"filter of 16":                    {Filter: 16},
		"filter for 3 kernels":            {Kernels: 3, Filter: 16},
		"3 memory channels":               with(func(m *Memory) { m.Channels = 3 }),
		"service time of -1":              with(func(m *Memory) { m.Service = -1 }),
		"latency from 0 to 2":             with(func(m *Memory) { m.Fast[0] = 0 }),
		"300 of 256":                      with(func(m *Memory) { m.SlowShare = 300 }),
		"slow latency from 0":             with(func(m *Memory) { m.SlowShare = 1 }),
		"refuses 1024 of":                 with(func(m *Memory) { m.Stall = 1024 }),
	} {
		_, err := Build(context.Background(), edge.List(nil, 1), o)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: error %v, want %q", o, err, want)
		}
	}
}

func TestTooLargeGraphs(t *testing.T) {
	_, err := Build(context.Background(), edge.List(nil, 1<<33), Options{})
	if err == nil || !strings.Contains(err.Error(), "32 bits") {
		t.Errorf("2³³ vertices: error %v", err)
	}
}

// Rows cut into single entries overflow queues of the usual length. Those of
// automatic length grow; those of a given length are an error.
func TestQueuesGrow(t *testing.T) {
	src, err := edge.NewKronecker(11, 16, 2, 3)
	if err != nil {
		t.Fatal(err)
	}
	o := Options{Kernels: 16, Split: 1, Memory: quick}
	s, err := Build(t.Context(), src, o)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	before := s.m.capacity
	root := hops.Vertex(0)
	for s.graph.Out.Degree(uint32(root)) == 0 {
		root++
	}
	if _, err := s.Search(t.Context(), root, hops.NewTree(src.NumVertices())); err != nil {
		t.Fatal(err)
	}
	if s.m.capacity <= before {
		t.Errorf("queues of %d words did not overflow", before)
	}
	checkWords(t, s, root)

	o.Queue = 1000
	short, err := Build(t.Context(), src, o)
	if err != nil {
		t.Fatal(err)
	}
	defer short.Close()
	_, err = short.Search(t.Context(), root, hops.NewTree(src.NumVertices()))
	if err == nil || !strings.Contains(err.Error(), "a queue holds 1000 words") {
		t.Errorf("error %v", err)
	}
}

// The token fits into a cycle of the paper's link; a slower link delays it at each of the
// four crossings, and once behind the start of a level. The stop crosses three times.
func TestLinkDelaysTheToken(t *testing.T) {
	cycles := func(o Options) uint64 {
		s, err := Build(t.Context(), edge.List(nil, 8), o)
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		if _, err := s.Search(t.Context(), 0, hops.NewTree(8)); err != nil {
			t.Fatal(err)
		}
		return s.Levels()[0].Cycles
	}
	published := cycles(Options{})
	if got := cycles(Options{Link: 1e6}); got != published {
		t.Errorf("%d cycles with any bandwidth, %d with the paper's", got, published)
	}
	// 35 bits at 150 MHz take 5 cycles at 131.4 MB/s and 10 at 65.7. Then the kernels have
	// flushed when the token comes, and one round is enough.
	if slow, slower := cycles(Options{Link: 131.4}), cycles(Options{Link: 65.7}); slower != slow+8*5 {
		t.Errorf("%d cycles with a slow link, %d with one half as fast", slow, slower)
	}
	if got := cycles(Options{Kernels: 16, Link: 1}); got >= published {
		t.Errorf("%d cycles on one FPGA, which has no link", got)
	}
}

// The benchmark takes the engine as it is, validates its trees and scores it by
// the model's clock.
func TestGraph500(t *testing.T) {
	engine := graph500.Engine{Name: "cygraph", Need: Need, Build: func(ctx context.Context, src hops.Source) (graph500.Searcher, error) {
		return Build(ctx, src, Options{})
	}}
	result, err := graph500.Run(t.Context(), graph500.Config{Scale: 10, Roots: 4}, engine, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range result.Searches {
		if s.Clock != "model" || s.Time != (hops.Trace{Levels: s.Levels}).Time() || s.Time <= 0 {
			t.Errorf("search from %d: %v on the %s clock, levels %+v", s.Root, s.Time, s.Clock, s.Levels)
		}
	}
	if len(result.Searches) != 4 || result.Submittable {
		t.Errorf("%d searches, submittable %t", len(result.Searches), result.Submittable)
	}
}
