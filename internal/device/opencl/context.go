package opencl

import (
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"unsafe"

	"github.com/gohops/hops/internal/device/dynlib"
)

// Numbers of the interface.
const (
	deviceTypeAll        = 0xFFFFFFFF
	deviceTypeCPU        = 2
	infoType             = 0x1000
	infoComputeUnits     = 0x1002
	infoGlobalMemory     = 0x101F
	infoMaxAllocation    = 0x1010
	infoName             = 0x102B
	infoExtensions       = 0x1030
	infoUnifiedMemory    = 0x1035
	buildLog             = 0x1183
	memoryReadWrite      = 1
	memoryUseHost        = 1 << 3
	mapReadWrite         = 1 | 2
	blocking             = 1
	requiredExtension    = "cl_khr_int64_base_atomics"
	maxPlatforms         = 16
	maxDevicesOfPlatform = 16
)

// A Context is one device with one queue, in order.
type Context struct {
	calls                  map[string]uintptr
	device, handle, queue  uintptr
	name                   string
	kind                   int64
	units                  int
	maxAlloc, globalMemory int64
	allocated              int64
	sizes                  map[Buffer]int64
	out                    *[2]uint64 // receives the results of calls; its address does not change
	launch                 *launchArea
	release                []func()
}

// listing lets one goroutine at a time list devices. PoCL makes its devices when they are
// first asked for, and whoever asks meanwhile is told of a device whose handle is 0, which
// the loader then reads through.
var listing sync.Mutex

// devices lists the devices of all platforms.
func devices(calls map[string]uintptr) ([]uintptr, error) {
	listing.Lock()
	defer listing.Unlock()
	platforms, count := new([maxPlatforms]uintptr), new(uint32)
	status := dynlib.Call(calls["clGetPlatformIDs"], maxPlatforms, uintptr(unsafe.Pointer(&platforms[0])), uintptr(unsafe.Pointer(count)))
	if err := result("clGetPlatformIDs", status); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrNoLoader, err)
	}
	var all []uintptr
	for _, p := range platforms[:min(*count, maxPlatforms)] {
		of, n := new([maxDevicesOfPlatform]uintptr), new(uint32)
		status := dynlib.Call(calls["clGetDeviceIDs"], p, deviceTypeAll, maxDevicesOfPlatform, uintptr(unsafe.Pointer(&of[0])), uintptr(unsafe.Pointer(n)))
		if result("clGetDeviceIDs", status) == nil {
			all = append(all, of[:min(*n, maxDevicesOfPlatform)]...)
		}
	}
	return all, nil
}

// Open makes the device of that number, counted over all platforms, ready.
func Open(device int) (*Context, error) {
	calls, err := loader()
	if err != nil {
		return nil, err
	}
	all, err := devices(calls)
	if err != nil {
		return nil, err
	}
	if device < 0 || device >= len(all) {
		return nil, fmt.Errorf("opencl: device %d of %d: no such device", device, len(all))
	}
	c := &Context{calls: calls, device: all[device], out: new([2]uint64), launch: new(launchArea), sizes: map[Buffer]int64{}}
	if err := c.start(); err != nil {
		_ = c.Close()
		return nil, err
	}
	return c, nil
}

// Sibling opens the same device again, with a queue of its own. The two have the objects
// of the device in common: buffers and programs. Each is used by one goroutine at a time,
// and the first is closed last.
func (c *Context) Sibling() (*Context, error) {
	s := *c
	s.out, s.launch, s.sizes, s.release, s.allocated, s.queue = new([2]uint64), new(launchArea), map[Buffer]int64{}, nil, 0, 0
	if err := s.call("clRetainContext", s.handle); err != nil {
		return nil, err
	}
	var err error
	if s.queue, err = s.create("clCreateCommandQueue", s.handle, s.device, 0, s.outAt(0)); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return &s, nil
}

// Identity is the same for siblings only.
func (c *Context) Identity() uintptr { return c.handle }

// For returns the program for a sibling of its context.
func (p *Program) For(sibling *Context) *Program { return &Program{c: sibling, handle: p.handle} }

func (c *Context) start() error {
	if err := c.describe(); err != nil {
		return err
	}
	devices := &[1]uintptr{c.device}
	var err error
	if c.handle, err = c.create("clCreateContext", 0, 1, uintptr(unsafe.Pointer(&devices[0])), 0, 0, c.outAt(0)); err != nil {
		return err
	}
	c.queue, err = c.create("clCreateCommandQueue", c.handle, c.device, 0, c.outAt(0))
	return err
}

// describe reads the properties of the device and refuses one that the kernels cannot run on.
func (c *Context) describe() error {
	c.name = c.text(infoName)
	numbers := []struct {
		info int
		to   *int64
	}{{infoGlobalMemory, &c.globalMemory}, {infoMaxAllocation, &c.maxAlloc}, {infoType, &c.kind}}
	for _, n := range numbers {
		if err := c.call("clGetDeviceInfo", c.device, uintptr(n.info), 8, c.outAt(0), 0); err != nil {
			return err
		}
		*n.to = int64(c.out[0])
	}
	c.out[0] = 0
	if err := c.call("clGetDeviceInfo", c.device, infoComputeUnits, 4, c.outAt(0), 0); err != nil {
		return err
	}
	c.units = int(c.out[0])
	if !strings.Contains(c.text(infoExtensions), requiredExtension) {
		return fmt.Errorf("opencl: %s lacks the extension %s", c.name, requiredExtension)
	}
	return nil
}

func (c *Context) text(info uintptr) string {
	text := new([8192]byte)
	if err := c.call("clGetDeviceInfo", c.device, info, uintptr(len(text)), uintptr(unsafe.Pointer(&text[0])), 0); err != nil {
		return ""
	}
	before, _, _ := strings.Cut(string(text[:]), "\x00")
	return before
}

// call runs a function that returns a status.
//
//go:uintptrescapes
func (c *Context) call(name string, args ...uintptr) error {
	status := dynlib.Call(c.calls[name], args...)
	runtime.KeepAlive(c) // and what outAt points to
	return result(name, status)
}

// create runs a function that returns an object and leaves its status in out[0].
//
//go:uintptrescapes
func (c *Context) create(name string, args ...uintptr) (uintptr, error) {
	c.out[0] = 0
	object := dynlib.Call(c.calls[name], args...)
	return object, result(name, uintptr(c.out[0]))
}

func (c *Context) outAt(i int) uintptr { return uintptr(unsafe.Pointer(&c.out[i])) }

// Name is the name that the implementation gives the device.
func (c *Context) Name() string { return c.name }

// IsCPU reports whether the device is a processor of the host.
func (c *Context) IsCPU() bool { return c.kind&deviceTypeCPU != 0 }

// Processors is the number of compute units.
func (c *Context) Processors() (int, error) { return c.units, nil }

// MaxAlloc is the size in bytes beyond which one buffer may be refused.
func (c *Context) MaxAlloc() int64 { return c.maxAlloc }

// Memory returns the bytes of the device that this context has not allocated, and all
// bytes. OpenCL does not say what other processes use.
func (c *Context) Memory() (free, total int64, err error) {
	return c.globalMemory - c.allocated, c.globalMemory, nil
}

// Sync waits until all work of the queue is done.
func (c *Context) Sync() error { return c.call("clFinish", c.queue) }

// Close gives everything back. Buffers and kernels must not be used afterwards.
func (c *Context) Close() error {
	var errs []error
	for b := range c.sizes {
		errs = append(errs, c.Free(b))
	}
	for _, release := range c.release {
		release()
	}
	if c.queue != 0 {
		errs = append(errs, c.call("clReleaseCommandQueue", c.queue))
	}
	if c.handle != 0 {
		errs = append(errs, c.call("clReleaseContext", c.handle))
	}
	c.release, c.queue, c.handle = nil, 0, 0
	runtime.KeepAlive(c)
	return errors.Join(errs...)
}
