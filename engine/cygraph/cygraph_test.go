package cygraph

import (
	"context"
	"strings"
	"testing"

	"github.com/gohops/hops"
	"github.com/gohops/hops/edge"
	"github.com/gohops/hops/engine/enginetest"
)

// machines are configurations that exercise different corners: one kernel, FIFOs
// that fill up, slow requests, stalling ports, and everything beyond the paper.
var machines = map[string]Options{
	"published": {},
	"oneKernel": {Kernels: 1},
	"tinyFIFOs": {Kernels: 4, FPGAs: 2, Depth: 2, Hop: 1},
	"twoCycles": {Kernels: 16, Pace: 2},
	"stalls":    {Kernels: 4, Depth: 8, Memory: Memory{Channels: 1, Service: 100, Fast: [2]int{1, 9}, Stall: 500}},
	"split":     {Kernels: 8, Split: 4, Depth: 16},
	"burst":     {Kernels: 8, Burst: 8, Depth: 16},
	"filter":    {Kernels: 32, Filter: 64},
	"all":       {Kernels: 16, Split: 16, Burst: 2, Filter: 1024, BottomUp: true, ByDegree: true},
	"bottomUp":  {Kernels: 4, Depth: 2, BottomUp: true},
}

func TestEngine(t *testing.T) {
	for name, o := range machines {
		t.Run(name, func(t *testing.T) {
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
				Steps: steps, MaxScale: 10, MaxPath: 150, Roots: 1,
			})
		})
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
		"-5 MHz":                          {Clock: -5},
		"queues of -1 words":              {Queue: -1},
		"split at 3":                      {Split: 3},
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
