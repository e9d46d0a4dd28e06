package graph500

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/gohops/hops"
	"github.com/gohops/hops/internal/device/energy"
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
		// The processors of the host are metered as well, where they have counters.
		if e == nil || e.Unavailable != "" || !strings.Contains(e.Meter, "test meter") || e.Searches < 2 || e.Parts["test meter"] != 2*float64(e.Searches) {
			t.Fatalf("%+v: want 2 J a search", e)
		}
		if got, want := e.TEPSPerWatt(), float64(e.Edges)/e.Joules; got != want || e.Edges <= 0 {
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

// hosted are ranks of which two share each host. Sum adds what the ranks before put in.
type hosted struct {
	alone
	rank, size int
	sum        map[int][]uint64 // by the number of the call
	calls      int
}

func (h *hosted) Rank() int      { return h.rank }
func (h *hosted) Size() int      { return h.size }
func (h *hosted) Host(r int) int { return r / 2 }

func (h *hosted) Sum(v []uint64) error {
	total := h.sum[h.calls]
	if total == nil {
		total = make([]uint64, len(v))
		h.sum[h.calls] = total
	}
	for i := range v {
		total[i] += v[i]
	}
	copy(v, total)
	h.calls++
	return nil
}

// countersOfHost are those of a processor and its memory, and of cores that are part of it.
func countersOfHost() (*energy.Meter, error) {
	file := func(text string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(text)} }
	host := fstest.MapFS{}
	for dir, zone := range map[string][2]string{"intel-rapl:0": {"package-0", "5000000"}, "intel-rapl:0:0": {"core", "4000000"}, "intel-rapl:0:1": {"dram", "1000000"}} {
		host[dir+"/name"], host[dir+"/energy_uj"], host[dir+"/max_energy_range_uj"] = file(zone[0]), file(zone[1]), file("9000000")
	}
	return energy.OpenFS(host)
}

// The first rank of each host reads its counters, and the sum over hosts counts: with
// three ranks on two hosts each counter is read once.
func TestEnergyOfAllHostsAddsUp(t *testing.T) {
	sum := map[int][]uint64{}
	var last map[string]float64
	for r := range 3 {
		m, _, err := openMeters(&hosted{rank: r, size: 3, sum: sum}, nil, countersOfHost)
		if err != nil || !m.found || (m.host != nil) != (r != 1) {
			t.Fatalf("rank %d: %+v, %v", r, m, err)
		}
		if last, err = m.read(); err != nil {
			t.Fatal(err)
		}
	}
	want := map[string]float64{
		"host 0, processors (RAPL)": 5, "host 0, memory (RAPL)": 1, "host 1, processors (RAPL)": 5, "host 1, memory (RAPL)": 1,
	}
	if !maps.Equal(last, want) {
		t.Errorf("%v, want %v", last, want)
	}
	e := &Energy{}
	e.add(time.Second, map[string]float64{"a": 1, "b": 2}, map[string]float64{"a": 4, "b": 7})
	if e.Joules != 8 || e.Parts["a"] != 3 || e.Parts["b"] != 5 {
		t.Errorf("%+v: want 3 + 5 J", e)
	}
	none := func() (*energy.Meter, error) { return nil, energy.ErrUnavailable }
	a := &accelerator{joules: 7}
	m, missing, err := openMeters(alone{}, a, none)
	if parts, _ := m.read(); err != nil || !m.found || len(missing) != 1 || !maps.Equal(parts, map[string]float64{"test meter": 7}) {
		t.Errorf("a device alone: %v, missing %q, %v", parts, missing, err)
	}
	if m, missing, _ = openMeters(alone{}, &accelerator{fail: errors.New("none")}, none); m.found || len(missing) != 2 {
		t.Errorf("no meter at all: %+v, missing %q", m, missing)
	}
}

// onDevice is a rank that searches on a device without a meter.
type onDevice struct {
	Searcher
	name string
}

func (o onDevice) DeviceName() string { return o.name }

// What devices of ranks use is in no sum, which is said for each host that has some: with three
// ranks on two hosts, of which the last searches on its host, one host has two.
func TestDevicesOfRanksAreSaidToBeMissing(t *testing.T) {
	sum := map[int][]uint64{}
	var missing []string
	for r, name := range []string{"device 0", "device 1", ""} {
		m, said, err := openMeters(&hosted{rank: r, size: 3, sum: sum}, onDevice{name: name}, countersOfHost)
		if err != nil || !m.found || m.device != nil {
			t.Fatalf("rank %d: %+v, %v", r, m, err)
		}
		missing = said
	}
	if len(missing) != 1 || !strings.HasPrefix(missing[0], "host 0, devices of 2 processes: ") {
		t.Errorf("the last rank, which knows of all others, says %q", missing)
	}
	for name, want := range map[string]int{"several devices of this process": 1, "": 0} {
		if _, missing, err := openMeters(alone{}, onDevice{name: name}, countersOfHost); err != nil || len(missing) != want {
			t.Errorf("ranks of one process on %q: %q, %v", name, missing, err)
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
