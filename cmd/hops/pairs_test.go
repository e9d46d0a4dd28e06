package main

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/gohops/hops"
	"github.com/gohops/hops/edge"
	"github.com/gohops/hops/internal/base/learn"
	"github.com/gohops/hops/internal/base/spec"
)

// ownValues are values of the options that check them themselves, by engine and
// option.
var ownValues = map[string]string{
	"adaptive plan":  "TC",
	"cygraph filter": "256",
	"grid shape":     "1x2",
	"grid twin":      "romeo",
	"cluster twin":   "tcp",
}

// A pair of options either opens, or is refused by a message that names both.
func TestPairsOfOptions(t *testing.T) {
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	for _, e := range engines {
		t.Run(e.name, func(t *testing.T) {
			options, _ := e.open()
			for i, a := range options {
				for _, b := range options[i+1:] {
					for _, x := range values(t, e, a) {
						for _, y := range values(t, e, b) {
							tryPair(t, e, setting{a, x}, setting{b, y})
						}
					}
				}
			}
		})
	}
}

// A setting is an option and a value that is not its default.
type setting struct {
	spec.Option
	value string
}

func values(t *testing.T, e engine, o spec.Option) []string {
	t.Helper()
	if own, ok := ownValues[e.name+" "+o.Name]; ok {
		return []string{own}
	}
	if len(o.Samples()) == 0 {
		t.Errorf("option %s of %s has no value to try: give it one in ownValues", o.Name, e.name)
	}
	return o.Samples()
}

func tryPair(t *testing.T, e engine, a, b setting) {
	t.Helper()
	text := e.name + ":" + a.Name + "=" + a.value + "," + b.Name + "=" + b.value
	for _, need := range slices.Concat(a.Needed(), b.Needed()) {
		key, value, exact := strings.Cut(need, "=")
		if key == a.Name || key == b.Name || strings.Contains(text, ","+key+"=") {
			continue
		}
		needed := setting{option(t, e, key), value}
		if !exact {
			needed.value = values(t, e, needed.Option)[0]
		}
		text += "," + key + "=" + needed.value
		for _, one := range []setting{a, b} {
			if !exclusive(a, b) && exclusive(one, needed) {
				a, b = one, needed // what the other of the pair needs
			}
		}
	}
	_, err := new(app).openEngine(text)
	if errors.Is(err, learn.ErrNone) {
		return // policy=zhang or calibrated of a machine that was never calibrated
	}
	switch refused := exclusive(a, b); {
	case !refused && err != nil && !stillNeeded(a, b, err):
		t.Errorf("%s: %v", text, err)
	case refused && err == nil:
		t.Errorf("%s was opened, although %s and %s exclude each other", text, a.Name, b.Name)
	case refused && !(strings.Contains(err.Error(), a.Name) && strings.Contains(err.Error(), b.Name)):
		t.Errorf("%s: the error does not name %s and %s: %v", text, a.Name, b.Name, err)
	}
}

// stillNeeded tells whether a pair is refused because the one has a value with
// which the other, which needs it, has no effect.
func stillNeeded(a, b setting, err error) bool {
	needs := slices.ContainsFunc(slices.Concat(a.Needed(), b.Needed()), func(n string) bool {
		key, _, exact := strings.Cut(n, "=")
		return exact && (key == a.Name || key == b.Name)
	})
	return needs && strings.Contains(err.Error(), a.Name) && strings.Contains(err.Error(), b.Name)
}

func exclusive(a, b setting) bool { return excludes(a, b) || excludes(b, a) }

func excludes(a, b setting) bool {
	return slices.Contains(a.Excluded(), b.Name) || slices.Contains(a.Excluded(), b.Name+"="+b.value)
}

func option(t *testing.T, e engine, name string) spec.Option {
	t.Helper()
	options, _ := e.open()
	i := slices.IndexFunc(options, func(o spec.Option) bool { return o.Name == name })
	if i < 0 {
		t.Fatalf("engine %s has no option %s", e.name, name)
	}
	return options[i]
}

// extremes are values that options of each kind may be given beside their samples: some are
// refused when they are read, some only by the engine that is built, some never.
var extremes = map[string][]string{
	"N":       {"-1", "0", "3", "100", "99999999999999999999", "x"},
	"X":       {"-1", "nan", "inf", "1e999", "x"},
	"RxC":     {"0x1", "7x1", "1x", "300x300"},
	"A+B+…":   {"XX", "TC+XX", "+"},
	"MACHINE": {"abacus"},
}

// Whatever an engine refuses of its options, alone or in pairs, when they are read or when a
// graph is built, is a fault of the command line. The graph is one that every engine takes.
func TestRefusedOptionsAreUsageErrors(t *testing.T) {
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	src := edge.List([]hops.Edge{{U: 0, V: 1}, {U: 1, V: 2}, {U: 2, V: 3}}, 4)
	for _, e := range engines {
		t.Run(e.name, func(t *testing.T) {
			if e.here != nil {
				if _, err := e.here(); err != nil {
					t.Skip(err)
				}
			}
			refused := 0
			for _, text := range settings(t, e) {
				engine, err := new(app).openEngine(text)
				if err != nil {
					refused++
					continue // always a usage error
				}
				if s, err := engine.Build(t.Context(), src); err == nil {
					err = s.Close()
					if err != nil {
						t.Errorf("%s: %v", text, err)
					}
				} else if refused++; !errors.As(err, new(spec.Impossible)) {
					t.Errorf("%s: %v: not said to be a fault of the options", text, err)
				}
			}
			if refused == 0 {
				t.Error("nothing was refused")
			}
		})
	}
}

// ofTheHost are options whose values depend on what the host has.
var ofTheHost = []string{"adaptive driver", "adaptive device", "gpu driver", "gpu device", "grid device"}

// settings are the strings of an engine with every option alone and, for engines that any host
// has, unless the test is to be short, with every pair of options whose values are not refused
// alone: of the numbers, the small ones.
func settings(t *testing.T, e engine) (all []string) {
	t.Helper()
	options, _ := e.open()
	var singles [][]string
	for _, o := range options {
		if slices.Contains(ofTheHost, e.name+" "+o.Name) {
			continue
		}
		var good []string
		for _, value := range slices.Concat(values(t, e, o), extremes[o.Values]) {
			all = append(all, e.name+":"+o.Name+"="+value)
			one := spec.Spec{Name: e.name, Options: []spec.Pair{{Key: o.Name, Value: value}}}
			if value != "100" && one.Bind([]spec.Option{option(t, e, o.Name)}) == nil {
				good = append(good, o.Name+"="+value)
			}
		}
		singles = append(singles, good)
	}
	if testing.Short() || e.here != nil {
		return all
	}
	for i, some := range singles {
		for _, a := range some {
			for _, b := range slices.Concat(singles[:i]...) {
				all = append(all, e.name+":"+a+","+b)
			}
		}
	}
	return all
}
