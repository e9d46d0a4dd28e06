package learn

import (
	"context"
	"errors"
	"math"
	"path/filepath"
	"testing"
	"time"

	"github.com/gohops/hops"
)

// clockwork takes the longer for a search the farther the width is from the best one. Some
// roots reach nothing.
type clockwork struct {
	queues bool
	best   float64
	calls  *int
	closed *int
}

func (c clockwork) ByQueues() bool { return c.queues }
func (c clockwork) Close() error   { *c.closed++; return nil }

func (c clockwork) Time(ctx context.Context, root hops.Vertex, factor float64) (time.Duration, int64, error) {
	*c.calls++
	if root%3 == 0 {
		return time.Hour, 1, ctx.Err()
	}
	noise := float64(*c.calls%7) / 1000 // less than any factor makes
	return time.Duration(float64(time.Millisecond) * (1 + math.Abs(math.Log2(factor/c.best)) + noise)), 1000, ctx.Err()
}

func TestLearnWidths(t *testing.T) {
	var calls, closed int
	var done int64
	build := func(_ context.Context, src hops.WeightedSource) (PathTimer, error) {
		weights := make([]float32, 8)
		if n, err := src.WeightsAt(weights, 0); n != 8 || err != nil {
			t.Errorf("%d weights, %v", n, err)
		}
		queues := src.NumEdges() < 4*int64(src.NumVertices()) // a grid
		best := 0.5
		if queues {
			best = 4
		}
		return clockwork{queues, best, &calls, &closed}, nil
	}
	w, err := CalibrateWidths(t.Context(), plan, build, func(n int64) { done = n })
	if err != nil {
		t.Fatal(err)
	}
	if w.Buckets.Factor != 0.5 || w.Queues.Factor != 4 || w.Buckets.Best() != 0.5 || w.Queues.Best() != 4 {
		t.Errorf("learned %+v, want 0.5 and 4", w)
	}
	if want := 1 / 2.; math.Abs(w.Buckets.Time-want) > 0.01 { // one doubling away from the best takes 2 ms
		t.Errorf("half as wide takes %v of the time, want %v", w.Buckets.Time, want)
	}
	if done != int64(plan.PathSearches()) || closed != numWeighted {
		t.Errorf("%d searches of %d, %d of %d graphs closed", done, plan.PathSearches(), closed, numWeighted)
	}
	if _, err := CalibrateWidths(t.Context(), plan, func(context.Context, hops.WeightedSource) (PathTimer, error) {
		return nil, errors.New("no memory")
	}, func(int64) {}); err == nil {
		t.Error("a graph that was not built was learned from")
	}
}

// What is learned from nothing is to leave Δ, and what does not help is not used.
func TestWidthsThatDoNotHelp(t *testing.T) {
	if w := new(tally).best(); w != (Width{1, 1}) {
		t.Errorf("nothing was learned from, and Δ is to be %+v", w)
	}
	for w, want := range map[Width]float64{{0.5, 0.9}: 0.5, {0.5, 0.99}: 1, {2, 1.2}: 1, {1, 1}: 1} {
		if w.Best() != want {
			t.Errorf("%+v: Δ is to be %v times as wide, want %v", w, w.Best(), want)
		}
	}
}

// Widths are kept, and a file with impossible ones is refused.
func TestWidthsAreKept(t *testing.T) {
	var closed int
	c, err := Calibrate(t.Context(), plan, fable(false, &closed), func(int64) {})
	if err != nil {
		t.Fatal(err)
	}
	here := Hardware{Model: "abacus", Threads: 2}
	c.Engine, c.Hardware = "cpu", here
	for factor, ok := range map[float64]bool{0.5: true, 0: false, -1: false, 5000: false} {
		path := filepath.Join(t.TempDir(), "c.json")
		c.Widths = &Widths{Width{factor, 0.9}, Width{1, 1}}
		if err := Store(path, func() (*Calibration, error) { return c, nil }); err != nil {
			t.Fatal(err)
		}
		read, err := Read(path)
		if err != nil {
			t.Fatal(err)
		}
		if *read.Widths != *c.Widths || (read.fits("cpu", here, steps) == nil) != ok {
			t.Errorf("factor %v: read %+v, %v", factor, read.Widths, read.fits("cpu", here, steps))
		}
	}
}
