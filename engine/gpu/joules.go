package gpu

import (
	"errors"
	"fmt"
	"slices"

	"github.com/gohops/hops/internal/nvml"
)

// A meter reads the energy counters of the devices, once it has been opened.
type meter struct {
	opened bool
	all    []*nvml.Meter
	err    error
}

// Joules is what the devices have used, from any time on. Only CUDA's can tell.
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
			break // parts take turns on the devices
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

// Joules is what the device has used, from any time on.
func (p *Portable) Joules() (float64, error) { return p.searcher.Joules() }

// MeterName says what Joules counts.
func (p *Portable) MeterName() string { return p.searcher.MeterName() }
