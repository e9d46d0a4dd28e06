package main

import (
	"errors"
	"fmt"

	"github.com/gohops/hops/engine/gpu"
	"github.com/gohops/hops/internal/energy"
	"github.com/gohops/hops/internal/nvml"
)

// openMeters returns the energy of the processors and of all GPUs that have a counter,
// added up; nil without any. unmetered says what is left out.
func openMeters() (joules func() (float64, error), unmetered string) {
	var meters []interface{ Joules() (float64, error) }
	var missing []error
	if m, err := energy.Open(); err == nil {
		meters = append(meters, m)
	} else {
		missing = append(missing, err)
	}
	for i := 0; ; i++ {
		m, err := nvml.Open(i)
		if err != nil {
			if cpu, none := gpu.IsProcessor(gpu.Options{}); i == 0 && none == nil && !cpu {
				missing = append(missing, err)
			}
			break
		}
		meters = append(meters, m)
	}
	if err := errors.Join(missing...); err != nil {
		unmetered = fmt.Sprintf("a meter of all that searches: %v", err)
	}
	if len(meters) == 0 {
		return nil, unmetered
	}
	return func() (sum float64, err error) {
		for _, m := range meters {
			j, err := m.Joules()
			if err != nil {
				return 0, err
			}
			sum += j
		}
		return sum, nil
	}, unmetered
}

// noModel says why the adaptive engine has no model of the host and a GPU here, or "".
func noModel() string {
	cpu, err := gpu.IsProcessor(gpu.Options{})
	switch {
	case err != nil:
		return fmt.Sprintf("a GPU: %v", err)
	case cpu:
		return "a GPU: the device is a processor of the host"
	}
	name, err := gpu.DeviceName(gpu.Options{})
	if err == nil {
		_, err = new(mixedOptions).load(name)
	}
	if err == nil {
		_, err = loadSpeeds(adaptiveEngine, 0, name, mixedSteps())
	}
	if err != nil {
		return fmt.Sprintf("a model of this machine: %v; hops calibrate learns it", err)
	}
	return ""
}
