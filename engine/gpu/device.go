package gpu

import (
	"context"
	"errors"
	"fmt"
	"unsafe"

	"github.com/gohops/hops"
	"github.com/gohops/hops/internal/device/cuda"
	"github.com/gohops/hops/internal/device/opencl"
)

// A buffer names an array in the memory of a device.
type buffer uint64

// A device is what the engine asks of a driver.
type device interface {
	Name() string
	Processors() (int, error)
	Memory() (free, total int64, err error)
	MaxAlloc() int64
	Clock() hops.Clock
	// LocalMemory is the largest shape.local; 0 where kernels declare all that they use.
	LocalMemory() (int, error)

	alloc(bytes int64) (buffer, error)
	free(b buffer) error
	write(b buffer, offset int64, src []byte) error
	read(dst []byte, b buffer, offset int64) error
	copy(dst buffer, dstOffset int64, src buffer, srcOffset, bytes int64) error
	zero(b buffer, bytes int64) error
	pinned(bytes int64) ([]byte, error)

	// threads is the size of a block, where a kernel is made for that many threads.
	threads(wanted int) int
	// resident is the largest grid of such blocks in which all can wait for each other.
	resident(kernel string, s shape) (int, error)
	// launch starts a kernel. Only the typed launches call it: see launch.go.
	launch(kernel string, s shape, args ...arg) error
	// until lets launches that compile be left behind when the context ends, until the function that it
	// returns is called: see leaving.
	until(ctx context.Context) (end func())
	// Sync waits until the device is done with everything that it was told.
	Sync() error
	// mapped is the address of pinned memory for kernels; 0 where they cannot write to it.
	mapped(pinned []byte) buffer
	// answer fills dst, pinned memory, from the beginning of a buffer, once the last launch
	// is done. Where kernels can write to dst, the launch does it and writes the ticket behind.
	answer(dst []byte, b buffer, ticket uint32) error
	Close() error
}

// open returns the device that the options name.
func open(o *Options) (device, error) {
	switch o.Driver {
	case "cuda":
		return openCUDA(o.Device)
	case "opencl":
		return o.openOpenCL()
	case "":
		d, first := openCUDA(o.Device)
		if first == nil {
			return d, nil
		}
		d, second := o.openOpenCL()
		if second != nil {
			return nil, fmt.Errorf("gpu: no device: %w", errors.Join(first, second))
		}
		return d, nil
	}
	return nil, fmt.Errorf("gpu: driver %q: want cuda or opencl", o.Driver)
}

// DeviceName describes the device that the options name, or says why there is none.
func DeviceName(o Options) (string, error) {
	name, _, err := Probe(o)
	return name, err
}

// Probe is DeviceName with the number of bytes that are free on the device.
func Probe(o Options) (name string, free int64, err error) {
	d, err := open(&o)
	if err != nil {
		return "", 0, err
	}
	free, _, err = d.Memory()
	return d.Name(), free, errors.Join(err, d.Close())
}

// SharesMemory tells whether the device that the options name works in the memory of the
// host, or says why there is none. It compiles no kernel.
func SharesMemory(o Options) (bool, error) {
	return askOpenCL(o, (*opencl.Context).SharesMemory)
}

// IsProcessor tells whether the device that the options name is a processor of the host in
// the role of a GPU, or says why there is none. It compiles no kernel.
func IsProcessor(o Options) (bool, error) {
	return askOpenCL(o, func(c *opencl.Context) (bool, error) { return c.IsCPU(), nil })
}

// askOpenCL asks the device that the options name, or answers no for one of CUDA.
func askOpenCL(o Options, ask func(*opencl.Context) (bool, error)) (bool, error) {
	if o.Driver != "opencl" {
		c, err := cuda.Open(o.Device)
		if err == nil || o.Driver == "cuda" {
			if err != nil {
				return false, err
			}
			return false, c.Close()
		}
	}
	c, err := opencl.Open(o.Device)
	if err != nil {
		return false, err
	}
	yes, err := ask(c)
	return yes, errors.Join(err, c.Close())
}

// bytesOf returns the memory of a slice of numbers.
func bytesOf[T any](s []T) []byte {
	if len(s) == 0 {
		return nil
	}
	return unsafe.Slice((*byte)(unsafe.Pointer(&s[0])), len(s)*int(unsafe.Sizeof(s[0])))
}
