package energy

import (
	"errors"
	"testing"
	"testing/fstest"
)

func file(text string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(text + "\n")} }

// twoSockets is a host with two packages, a counter of cores, which the package's counter
// includes, and one of memory, which it does not.
func twoSockets() fstest.MapFS {
	return fstest.MapFS{
		"intel-rapl/enabled":                    file("1"),
		"intel-rapl:0/name":                     file("package-0"),
		"intel-rapl:0/energy_uj":                file("5000000"),
		"intel-rapl:0/max_energy_range_uj":      file("8000000"),
		"intel-rapl:0:0/name":                   file("core"),
		"intel-rapl:0:0/energy_uj":              file("4000000"),
		"intel-rapl:0:0/max_energy_range_uj":    file("8000000"),
		"intel-rapl:0:1/name":                   file("dram"),
		"intel-rapl:0:1/energy_uj":              file("1000000"),
		"intel-rapl:0:1/max_energy_range_uj":    file("8000000"),
		"intel-rapl:1/name":                     file("package-1"),
		"intel-rapl:1/energy_uj":                file("2000000"),
		"intel-rapl:1/max_energy_range_uj":      file("8000000"),
		"intel-rapl-mmio:0/name":                file("package-0"),
		"intel-rapl-mmio:0/energy_uj":           file("9000000"),
		"intel-rapl-mmio:0/max_energy_range_uj": file("9000000"),
		"dtpm/irrelevant":                       file(""),
	}
}

func TestJoules(t *testing.T) {
	fsys := twoSockets()
	m, err := OpenFS(fsys)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := m.Joules(); err != nil || got != 8 {
		t.Errorf("%v J, %v; want 5 + 1 + 2", got, err)
	}
	if processors, memory, err := m.Read(); err != nil || processors != 7 || memory != 1 {
		t.Errorf("%v J of processors, %v J of memory, %v; want 5 + 2 and 1", processors, memory, err)
	}
	fsys["intel-rapl:0/energy_uj"] = file("500000") // wrapped at 8 J: 3.5 J more
	fsys["intel-rapl:1/energy_uj"] = file("2250000")
	if got, err := m.Joules(); err != nil || got != 8+3.5+0.25 {
		t.Errorf("%v J, %v; want 11.75", got, err)
	}
	fsys["intel-rapl:0/energy_uj"] = file("many")
	if _, err := m.Joules(); !errors.Is(err, ErrUnavailable) {
		t.Errorf("a counter that is no number: %v", err)
	}
}

func TestUnavailable(t *testing.T) {
	broken := twoSockets()
	delete(broken, "intel-rapl:1/energy_uj")
	for name, fsys := range map[string]fstest.MapFS{"no counters": {}, "a counter that cannot be read": broken} {
		if m, err := OpenFS(fsys); !errors.Is(err, ErrUnavailable) {
			t.Errorf("%s: %v, %v", name, m, err)
		}
	}
}
