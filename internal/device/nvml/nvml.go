// Package nvml reads the energy counter of NVIDIA GPUs through their management
// library, opened at run time.
//
// The counter advances in steps of 20 to 100 ms, so that a measurement must last much
// longer. Without the library, or on a GPU without the counter, the functions return an
// error that says so.
package nvml

import (
	"errors"
	"fmt"
	"sync"
	"unsafe"

	"github.com/gohops/hops/internal/device/dynlib"
)

// ErrUnavailable is wrapped by all errors where there is no counter.
var ErrUnavailable = errors.New("nvml: no meter")

// library holds the entry points, once they have been found and initialised.
var library = sync.OnceValues(func() (map[string]uintptr, error) {
	calls, err := dynlib.Open("libnvidia-ml.so.1", "nvmlInit_v2", "nvmlDeviceGetHandleByIndex_v2", "nvmlDeviceGetTotalEnergyConsumption")
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrUnavailable, err)
	}
	if code := dynlib.Call(calls["nvmlInit_v2"]); code != 0 {
		return nil, fmt.Errorf("%w: nvmlInit: error %d", ErrUnavailable, code)
	}
	return calls, nil
})

// A Meter reads one device. It is for one goroutine at a time.
type Meter struct {
	read   uintptr
	handle uintptr
	out    *uint64 // receives the results of calls; on the heap, which does not move
}

// Open returns the meter of the device with that number.
func Open(device int) (*Meter, error) {
	calls, err := library()
	if err != nil {
		return nil, err
	}
	m := &Meter{read: calls["nvmlDeviceGetTotalEnergyConsumption"], out: new(uint64)}
	code := dynlib.Call(calls["nvmlDeviceGetHandleByIndex_v2"], uintptr(device), uintptr(unsafe.Pointer(m.out)))
	if code != 0 {
		return nil, fmt.Errorf("%w: device %d: error %d", ErrUnavailable, device, code)
	}
	m.handle = uintptr(*m.out)
	if _, err := m.Joules(); err != nil {
		return nil, err
	}
	return m, nil
}

// Joules is the energy that the device has used since its driver was loaded.
func (m *Meter) Joules() (float64, error) {
	if code := dynlib.Call(m.read, m.handle, uintptr(unsafe.Pointer(m.out))); code != 0 {
		return 0, fmt.Errorf("%w: error %d", ErrUnavailable, code)
	}
	return float64(*m.out) / 1000, nil
}
