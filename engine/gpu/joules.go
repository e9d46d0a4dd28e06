package gpu

import (
	"errors"
	"fmt"
	"slices"

	"github.com/gohops/hops/internal/device/nvml"
)

// A meter reads the energy counters of the devices. The first reading opens them.
type meter struct {
	opened bool
	all    []*nvml.Meter
	err    error
}

// Joules is the energy that the devices have used since some fixed time. Only devices of
// CUDA have a counter.
func (s *Searcher) Joules() (float64, error) {
	m := &s.meter
	if !m.opened {
		m.opened = true
		m.all, m.err = s.openMeters()
	}
	var sum float64
	for _, one := range m.all {
		joules, err := one.Joules()
		if err != nil {
			return 0, err
		}
		sum += joules
	}
	return sum, m.err
}

func (s *Searcher) openMeters() ([]*nvml.Meter, error) {
	if _, ok := s.dev.(*cudaDevice); !ok {
		return nil, fmt.Errorf("gpu: %w: %s has no counter", nvml.ErrUnavailable, s.dev.Name())
	}
	var all []*nvml.Meter
	var errs []error
	for i, d := range s.devices {
		if slices.Contains(s.devices[:i], d) {
			break // the following parts share the devices before
		}
		m, err := nvml.Open(s.options.Device + i)
		errs = append(errs, err)
		all = append(all, m)
	}
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	return all, nil
}

// MeterName says what Joules counts.
func (s *Searcher) MeterName() string { return s.dev.Name() + " (NVML)" }

// Joules is the energy that the device has used since some fixed time.
func (p *Portable) Joules() (float64, error) { return p.searcher.Joules() }

// MeterName says what Joules counts.
func (p *Portable) MeterName() string { return p.searcher.MeterName() }
