// Package energy reads the energy that processors have used, from the counters that
// Linux shows under /sys/class/powercap (RAPL).
//
// On most machines only root may read the counters, and most virtual machines have none.
// The error says which of the two it is.
package energy

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"strconv"
	"strings"
)

// ErrUnavailable is wrapped by all errors where no counter can be read.
var ErrUnavailable = errors.New("energy: no meter")

// A Meter sums the counters of the processors of a host, and of their memory where that
// has counters of its own. It is for one goroutine at a time.
type Meter struct {
	fsys  fs.FS
	zones []zone
}

// A zone is one counter. It wraps around at its range, which takes minutes at full load:
// it must be read more often than that.
type zone struct {
	file    string
	memory  bool
	span    uint64 // range, in µJ
	last    uint64
	wrapped uint64
}

// Open returns the meter of this host.
func Open() (*Meter, error) { return OpenFS(os.DirFS("/sys/class/powercap")) }

// OpenFS returns the meter of the host with this powercap directory.
func OpenFS(fsys fs.FS) (*Meter, error) {
	dirs, err := fs.Glob(fsys, "intel-rapl:*")
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrUnavailable, err)
	}
	m := &Meter{fsys: fsys}
	for _, dir := range dirs {
		if err := m.add(dir); err != nil {
			return nil, err
		}
	}
	if len(m.zones) == 0 {
		return nil, fmt.Errorf("%w: the processors have no counter (intel-rapl)", ErrUnavailable)
	}
	return m, nil
}

// add adds a zone if it is to be summed: a package is, and memory is, which is not part of
// a package. The cores are part of one.
func (m *Meter) add(dir string) error {
	name, err := fs.ReadFile(m.fsys, path.Join(dir, "name"))
	if err != nil {
		return fmt.Errorf("%w: %w", ErrUnavailable, err)
	}
	kind := strings.TrimSpace(string(name))
	if !strings.HasPrefix(kind, "package") && kind != "dram" {
		return nil
	}
	span, err := m.number(path.Join(dir, "max_energy_range_uj"))
	if err != nil {
		return err
	}
	z := zone{file: path.Join(dir, "energy_uj"), memory: kind == "dram", span: span}
	if z.last, err = m.number(z.file); err != nil {
		return err
	}
	m.zones = append(m.zones, z)
	return nil
}

func (m *Meter) number(file string) (uint64, error) {
	text, err := fs.ReadFile(m.fsys, file)
	if err != nil {
		return 0, fmt.Errorf("%w: %w", ErrUnavailable, err)
	}
	n, err := strconv.ParseUint(strings.TrimSpace(string(text)), 10, 64)
	if err != nil {
		return 0, fmt.Errorf("%w: %s: %w", ErrUnavailable, file, err)
	}
	return n, nil
}

// Joules is the energy used since some fixed time.
func (m *Meter) Joules() (float64, error) {
	processors, memory, err := m.Read()
	return processors + memory, err
}

// Read returns the energy used since some fixed time, in joules. The memory's is 0 where
// it has no counter of its own.
func (m *Meter) Read() (processors, memory float64, err error) {
	for i := range m.zones {
		z := &m.zones[i]
		now, err := m.number(z.file)
		if err != nil {
			return 0, 0, err
		}
		if now < z.last {
			z.wrapped += z.span
		}
		z.last = now
		if joules := float64(z.wrapped+now) / 1e6; z.memory {
			memory += joules
		} else {
			processors += joules
		}
	}
	return processors, memory, nil
}
