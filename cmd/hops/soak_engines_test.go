//go:build unix

package main

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/gohops/hops/engine/gpu"
	"github.com/gohops/hops/internal/base/spec"
)

// few are the numbers of workers, ranks and the like, which a machine has few of.
var few = []string{"threads", "ranks", "hosts", "parts", "nodes", "pernode", "kernels", "fpgas", "grain", "interval"}

// drawnValues are the values of options that a number or a list of choices does not describe. "" is
// none on this machine.
var drawnValues = map[string]func(r *rand.Rand) string{
	"driver": func(r *rand.Rand) string { return pick(r, append(workingDrivers(), "")...) },
	"device": func(*rand.Rand) string { return "" }, // a second device
	"grid device": func(r *rand.Rand) string {
		if !slices.Contains(workingDrivers(), "cuda") && !chance(r, 30) {
			return "" // seconds on OpenCL
		}
		return pick(r, append(onGPU(), "")...)
	},
	"plan": func(r *rand.Rand) string {
		steps := []string{"TC", "BC", "SC", "TG", "BG", "BGC", "C", "G", "BT"}
		r.Shuffle(len(steps), func(i, j int) { steps[i], steps[j] = steps[j], steps[i] })
		return strings.Join(steps[:1+r.IntN(4)], "+")
	},
	"shape": func(r *rand.Rand) string { return fmt.Sprintf("%dx%d", 1+r.IntN(3), 1+r.IntN(3)) },
	"twin": func(r *rand.Rand) string {
		return pick(r, "bluegene-q", "numa-cluster", "numa-unbound", "numa-socket", "romeo", "romeo-large", "tcp", "host")
	},
	"summary":  func(r *rand.Rand) string { return pick(r, "64", "128", "256", "512", "1024") },
	"depth":    powerOfTwo,
	"channels": powerOfTwo,
	"split":    powerOfTwo,
	"burst":    powerOfTwo,
	"filter":   powerOfTwo,
}

func powerOfTwo(r *rand.Rand) string { return strconv.Itoa(1 << r.IntN(10)) }

// workingDrivers are those through which this machine has a device.
var workingDrivers = sync.OnceValue(func() (all []string) {
	for _, driver := range []string{"cuda", "opencl"} {
		if _, err := gpu.DeviceName(gpu.Options{Driver: driver}); err == nil {
			all = append(all, driver)
		}
	}
	return all
})

func onGPU() []string {
	if len(workingDrivers()) > 0 {
		return []string{"gpu"}
	}
	return nil
}

// drawValue draws a value of an option, "" if this machine has none that is not the default.
func drawValue(r *rand.Rand, e engine, o spec.Option) string {
	own, ok := drawnValues[e.name+" "+o.Name]
	if !ok {
		own, ok = drawnValues[o.Name]
	}
	switch {
	case ok:
		return own(r)
	case o.Values == "N" || o.Values == "X":
		if slices.Contains(few, o.Name) {
			return strconv.Itoa(1 + r.IntN(8))
		}
		return pick(r, strconv.Itoa(1+r.IntN(8)), powerOfTwo(r), strconv.Itoa(1+r.IntN(1024)))
	case len(o.Samples()) == 0:
		return ""
	}
	return pick(r, o.Samples()...)
}

// A drawnEngine is an engine with options.
type drawnEngine struct {
	name, text string
	refused    error // why its table, or the engine, does not take these options together
}

// drawEngine draws an engine of those that match, each with options of its own table in any combination.
// Most combinations that are refused are changed until they are not.
func drawEngine(r *rand.Rand, c counts, match func(e engine) bool) (d drawnEngine) {
	var some []engine
	for _, e := range engines {
		if match(e) && (e.here == nil || len(onGPU()) > 0) {
			some = append(some, e)
		}
	}
	e := pick(r, some...)
	options, _ := e.open()
	likely := 1 + r.IntN(4)
	var pairs []spec.Pair
	for _, o := range options {
		if value := drawValue(r, e, o); value != "" && chance(r, likely+1) {
			pairs = append(pairs, spec.Pair{Key: o.Name, Value: value})
		}
	}
	r.Shuffle(len(pairs), func(i, j int) { pairs[i], pairs[j] = pairs[j], pairs[i] })
	asItIs := chance(r, 20)
	for {
		d = drawnEngine{name: e.name, text: spec.Spec{Name: e.name, Options: sized(r, pairs)}.String()}
		if _, d.refused = new(app).openEngine(d.text); d.refused == nil || asItIs {
			break
		}
		pairs = pairs[:len(pairs)-1]
	}
	if d.refused != nil {
		c["engines refused"]++
		return d
	}
	c["engine: "+e.name]++
	for _, p := range pairs {
		c["option: "+e.name+" "+p.Key]++
	}
	return d
}

// sized adds a small number of nodes to a twin: the machines that are modelled have thousands.
func sized(r *rand.Rand, pairs []spec.Pair) []spec.Pair {
	has := func(name string) bool {
		return slices.ContainsFunc(pairs, func(p spec.Pair) bool { return p.Key == name })
	}
	if has("twin") && !has("nodes") {
		return append(slices.Clone(pairs), spec.Pair{Key: "nodes", Value: strconv.Itoa(1 + r.IntN(8))})
	}
	return pairs
}

// Every value of every option is drawn, also of an option that was written today.
func TestSoakDrawsEveryOption(t *testing.T) {
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	r := rand.New(rand.NewPCG(1, 1))
	for _, e := range engines {
		options, _ := e.open()
		for _, o := range options {
			drawn := map[string]bool{}
			for range 500 {
				drawn[drawValue(r, e, o)] = true
			}
			_, own := drawnValues[o.Name]
			_, ofEngine := drawnValues[e.name+" "+o.Name]
			switch {
			case own || ofEngine:
			case drawn[""]:
				t.Errorf("option %s of %s is never drawn: give it values in drawnValues", o.Name, e.name)
			case len(drawn) < 2 && (o.Values == "N" || o.Values == "X"):
				t.Errorf("option %s of %s is drawn with %d values", o.Name, e.name, len(drawn))
			case o.Values != "N" && o.Values != "X" && len(drawn) != len(o.Samples()):
				t.Errorf("option %s of %s is drawn with %d of %d values", o.Name, e.name, len(drawn), len(o.Samples()))
			}
		}
	}
}
