package graph500

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/gohops/hops"
)

// An accelerator has a clock and a meter of its own: each search takes it a
// millisecond and two joules. Its host takes 200 ms once the searches that count are
// done, so that few are repeated.
type accelerator struct {
	*serial
	quick  int  // searches before those that are repeated
	reuses bool // trees that are not empty
	stale  int  // trees that were not empty
	joules float64
	fail   error
}

func (a *accelerator) Search(ctx context.Context, root hops.Vertex, t *hops.Tree) (hops.Trace, error) {
	if a.searches >= a.quick {
		time.Sleep(200 * time.Millisecond)
	}
	if t.Root != hops.NoVertex {
		a.stale++
		t.Reset()
	}
	trace, err := a.serial.Search(ctx, root, t)
	trace.Clock = hops.Device
	a.joules += 2
	return trace, err
}

func (a *accelerator) Joules() (float64, error) { return a.joules, a.fail }
func (a *accelerator) MeterName() string        { return "test meter" }
func (a *accelerator) DeviceName() string       { return "test device" }
func (a *accelerator) ReusesTrees() bool        { return a.reuses }

// An accelerator has every ability that it claims.
var (
	_ EnergyMeter = (*accelerator)(nil)
	_ DeviceNamer = (*accelerator)(nil)
	_ TreeReuser  = (*accelerator)(nil)
)

func acceleratorEngine(a *accelerator) Engine {
	e := serialEngine(nil)
	build := e.Build
	e.Build = func(ctx context.Context, src hops.Source) (Searcher, error) {
		s, err := build(ctx, src)
		if err != nil {
			return nil, err
		}
		a.serial = s.(*serial)
		return a, nil
	}
	return e
}

func TestEnergy(t *testing.T) {
	for _, reuses := range []bool{false, true} {
		a := &accelerator{quick: 5, reuses: reuses}
		res, err := Run(t.Context(), Config{Scale: 8, Roots: 4}, acceleratorEngine(a), nil)
		if err != nil {
			t.Fatal(err)
		}
		e := res.Energy
		if e == nil || e.Unavailable != "" || e.Meter != "test meter" || e.Searches < 2 || e.PerSearch() != 2 {
			t.Fatalf("%+v: want 2 J a search", e)
		}
		if got, want := e.TEPSPerWatt(), float64(e.Edges)/(2*float64(e.Searches)); got != want || e.Edges <= 0 {
			t.Errorf("%v TEPS/W, want %v", got, want)
		}
		if got, want := e.Watts(), e.Joules/e.Time.Seconds(); got != want {
			t.Errorf("%v W, want %v", got, want)
		}
		if (a.stale > 0) != reuses {
			t.Errorf("reuses trees: %v, but %d of %d were not empty", reuses, a.stale, e.Searches)
		}
	}
}

func TestEnergyUnavailable(t *testing.T) {
	res, err := Run(t.Context(), Config{Scale: 8, Roots: 2}, acceleratorEngine(&accelerator{quick: 9, fail: errors.New("no counter here")}), nil)
	if err != nil {
		t.Fatal(err)
	}
	if res.Energy == nil || !strings.Contains(res.Energy.Unavailable, "no counter here") || res.Energy.Searches != 0 {
		t.Errorf("%+v", res.Energy)
	}
}

func TestADevicesClockIsSummedUpApart(t *testing.T) {
	res, err := Run(t.Context(), Config{Scale: 8, Roots: 4}, acceleratorEngine(&accelerator{quick: 9, fail: errors.New("none")}), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range res.Searches {
		if int(s.Device) != 1000*len(s.Levels) || s.Time == s.Device { // see serial
			t.Errorf("root %d: %v on the device in %d levels, %v on the host", s.Root, s.Device, len(s.Levels), s.Time)
		}
	}
	d := res.Summary.Device
	if d == nil || d.TEPS.HarmonicMean <= 0 || d.Time.Max > 1e-3 {
		t.Errorf("device: %+v", d)
	}
	if res.Device != "test device" {
		t.Errorf("searched by %q", res.Device)
	}
	plain, err := Run(t.Context(), Config{Scale: 8, Roots: 2}, serialEngine(nil), nil)
	if err != nil || plain.Summary.Device != nil || plain.Device != "" {
		t.Errorf("a host has no device: %+v, %q, %v", plain.Summary.Device, plain.Device, err)
	}
}

func TestAnEngineThatIsNotReadyBeginsNothing(t *testing.T) {
	e := serialEngine(nil)
	e.Ready = func(n hops.Vertex, m int64, _ bool) error { return fmt.Errorf("no room for %d and %d", n, m) }
	res, err := Run(t.Context(), Config{Scale: 8, Roots: 2}, e, nil)
	if res != nil || err == nil || !strings.Contains(err.Error(), "no room for 256 and 4096") {
		t.Errorf("%+v, %v", res, err)
	}
}
