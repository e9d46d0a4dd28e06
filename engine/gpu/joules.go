package gpu

import (
	"fmt"

	"github.com/gohops/hops/internal/device/nvml"
)

// A meter reads the energy counter of the device. The first reading opens it.
type meter struct {
	opened bool
	of     *nvml.Meter
	err    error
}

// Joules is the energy that the device has used since some fixed time. Only devices of
// CUDA have a counter.
func (s *Searcher) Joules() (float64, error) {
	m := &s.meter
	if !m.opened {
		m.opened = true
		m.of, m.err = s.openMeter()
	}
	if m.err != nil {
		return 0, m.err
	}
	return m.of.Joules()
}

func (s *Searcher) openMeter() (*nvml.Meter, error) {
	if _, ok := s.dev.(*cudaDevice); !ok {
		return nil, fmt.Errorf("gpu: %w: %s has no counter", nvml.ErrUnavailable, s.dev.Name())
	}
	return nvml.Open(s.options.Device)
}

// MeterName says what Joules counts.
func (s *Searcher) MeterName() string { return s.dev.Name() + " (NVML)" }

// Joules is the energy that the device has used since some fixed time.
func (p *Portable) Joules() (float64, error) { return p.searcher.Joules() }

// MeterName says what Joules counts.
func (p *Portable) MeterName() string { return p.searcher.MeterName() }
