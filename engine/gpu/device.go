package gpu

import (
	"errors"
	"fmt"
	"time"
	"unsafe"

	"github.com/gohops/hops"
)

// A buffer names an array in the memory of a device.
type buffer uint64

// An arg is an argument of a kernel: its bits, and how many bytes of them.
type arg struct {
	bits uint64
	size uint8
}

func mem(b buffer) arg                       { return arg{uint64(b), 8} }
func u32[T ~uint32 | ~int | ~int64](x T) arg { return arg{uint64(uint32(x)), 4} }
func u64[T ~uint64 | ~int64](x T) arg        { return arg{uint64(x), 8} }

func flag(b bool) arg {
	if b {
		return arg{1, 4}
	}
	return arg{0, 4}
}

// A shape is a grid of blocks.
type shape struct {
	blocks, threads int
	together        bool // all blocks must be resident at once
}

// A device is what the engine asks of a driver.
type device interface {
	Name() string
	Processors() (int, error)
	Memory() (free, total int64, err error)
	MaxAlloc() int64
	Clock() hops.Clock

	alloc(bytes int64) (buffer, error)
	free(b buffer) error
	write(b buffer, offset int64, src []byte) error
	read(dst []byte, b buffer, offset int64) error
	copy(dst buffer, dstOffset int64, src buffer, srcOffset, bytes int64) error
	zero(b buffer, bytes int64) error
	pinned(bytes int64) ([]byte, error)

	// threads is the size of a block where a kernel would like that many.
	threads(wanted int) int
	// resident is the largest grid of such blocks that can wait for each other.
	resident(kernel string, threads int) (int, error)
	launch(kernel string, s shape, args ...arg) error
	start() error
	stop() (time.Duration, error)
	Close() error
}

// open returns the device that the options name.
func open(o *Options) (device, error) {
	switch o.Driver {
	case "cuda":
		return openCUDA(o.Device)
	case "opencl":
		return openOpenCL(o.Device, o.defines)
	case "":
		d, first := openCUDA(o.Device)
		if first == nil {
			return d, nil
		}
		d, second := openOpenCL(o.Device, o.defines)
		if second != nil {
			return nil, fmt.Errorf("gpu: no device: %w", errors.Join(first, second))
		}
		return d, nil
	}
	return nil, fmt.Errorf("gpu: driver %q: want cuda or opencl", o.Driver)
}

// bytesOf is the memory of a slice of plain numbers.
func bytesOf[T any](s []T) []byte {
	if len(s) == 0 {
		return nil
	}
	return unsafe.Slice((*byte)(unsafe.Pointer(&s[0])), len(s)*int(unsafe.Sizeof(s[0])))
}
