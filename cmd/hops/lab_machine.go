package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/gohops/hops/engine/gpu"
	"github.com/gohops/hops/internal/device/energy"
	"github.com/gohops/hops/internal/device/nvml"
)

// openMeters returns the energy of the processors and of all GPUs that have a counter,
// added up; nil without any. unmetered says what is left out; times are there if that is the
// processors alone.
func openMeters() (joules func() (float64, error), unmetered string, times func() (wall, processor time.Duration)) {
	var meters []interface{ Joules() (float64, error) }
	var missing []error
	if m, err := energy.Open(); err == nil {
		meters = append(meters, m)
	} else {
		missing, times = append(missing, err), processorTimes()
	}
	for i := 0; ; i++ {
		m, err := nvml.Open(i)
		if err != nil {
			if cpu, none := gpu.IsProcessor(gpu.Options{}); i == 0 && none == nil && !cpu {
				missing, times = append(missing, err), nil
			}
			break
		}
		meters = append(meters, m)
	}
	if err := errors.Join(missing...); err != nil {
		unmetered = fmt.Sprintf("a meter of all that searches: %v", err)
	}
	if len(meters) == 0 {
		return nil, unmetered, nil
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
	}, unmetered, times
}

// processorTimes returns a function for the time, and the time that processors have spent on
// this process, all threads together; nil where the system does not tell.
func processorTimes() func() (wall, processor time.Duration) {
	if _, err := processorTime(); err != nil {
		return nil
	}
	start := time.Now()
	return func() (wall, processor time.Duration) {
		processor, _ = processorTime() // which the system has told before
		return time.Since(start), processor
	}
}

// processorTime reads the time of this process, user and system, in hundredths of a second:
// see proc_pid_stat(5).
func processorTime() (time.Duration, error) {
	const user, ticks = 11, 100
	text, err := os.ReadFile("/proc/self/stat")
	if err != nil {
		return 0, err
	}
	fields := strings.Fields(string(text[bytes.LastIndexByte(text, ')')+1:]))
	sum := int64(0)
	for i := range 2 {
		if len(fields) <= user+i {
			return 0, fmt.Errorf("/proc/self/stat: %d fields", len(fields))
		}
		n, err := strconv.ParseInt(fields[user+i], 10, 64)
		if err != nil {
			return 0, err
		}
		sum += n
	}
	return time.Duration(sum) * time.Second / ticks, nil
}

// noGPU says why there is no GPU here, or "".
func noGPU() string {
	cpu, err := gpu.IsProcessor(gpu.Options{})
	switch {
	case err != nil:
		return fmt.Sprintf("a GPU: %v", err)
	case cpu:
		return "a GPU: the device is a processor of the host"
	}
	return ""
}

// noModel says why the adaptive engine has no model of the host and a GPU here, or "".
func noModel() string {
	if none := noGPU(); none != "" {
		return none
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
