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
// millisecond and two joules. Its host takes 200 ms, so that few are repeated.
type accelerator struct {
	*serial
	joules float64
	fail   error
}

func (a *accelerator) Search(ctx context.Context, root hops.Vertex, t *hops.Tree) (hops.Trace, error) {
	if t.Root != hops.NoVertex { // repeated: a meter of its own comes with trees that are not empty
		time.Sleep(200 * time.Millisecond)
		t.Reset()
	}
	trace, err := a.serial.Search(ctx, root, t)
	trace.Clock = hops.Device
	a.joules += 2
	return trace, err
}

func (a *accelerator) Joules() (float64, error) { return a.joules, a.fail }
func (a *accelerator) MeterName() string        { return "test meter" }
func (a *accelerator) Name() string             { return "test device" }

func acceleratorEngine(fail error) Engine {
	e := serialEngine(nil)
	build := e.Build
	e.Build = func(ctx context.Context, src hops.Source) (Searcher, error) {
		s, err := build(ctx, src)
		if err != nil {
			return nil, err
		}
		return &accelerator{serial: s.(*serial), fail: fail}, nil
	}
	return e
}

func TestEnergy(t *testing.T) {
	res, err := Run(t.Context(), Config{Scale: 8, Roots: 4}, acceleratorEngine(nil), nil)
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
}

func TestEnergyUnavailable(t *testing.T) {
	res, err := Run(t.Context(), Config{Scale: 8, Roots: 2}, acceleratorEngine(errors.New("no counter here")), nil)
	if err != nil {
		t.Fatal(err)
	}
	if res.Energy == nil || !strings.Contains(res.Energy.Unavailable, "no counter here") || res.Energy.Searches != 0 {
		t.Errorf("%+v", res.Energy)
	}
}

func TestADevicesClockIsSummedUpApart(t *testing.T) {
	res, err := Run(t.Context(), Config{Scale: 8, Roots: 4}, acceleratorEngine(errors.New("none")), nil)
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
	e.Ready = func(n hops.Vertex, m int64) error { return fmt.Errorf("no room for %d and %d", n, m) }
	res, err := Run(t.Context(), Config{Scale: 8, Roots: 2}, e, nil)
	if res != nil || err == nil || !strings.Contains(err.Error(), "no room for 256 and 4096") {
		t.Errorf("%+v, %v", res, err)
	}
}
