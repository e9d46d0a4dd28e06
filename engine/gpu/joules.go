package gpu

import (
	"fmt"

	"github.com/gohops/hops/internal/nvml"
)

// Joules is what the device has used, from any time on, where it can tell.
func (p *Portable) Joules() (float64, error) {
	if _, isCUDA := p.dev.(*cudaDevice); !isCUDA {
		return 0, fmt.Errorf("gpu: %s: OpenCL has no counter of energy", p.Name())
	}
	if p.meter == nil {
		m, err := nvml.Open(p.searcher.options.Device)
		if err != nil {
			return 0, err
		}
		p.meter = m
	}
	return p.meter.Joules()
}

// MeterName says what Joules counts.
func (p *Portable) MeterName() string { return p.Name() }
