package cuda

import (
	"errors"
	"fmt"
	"runtime"
	"unsafe"

	"github.com/gohops/hops/internal/device/dynlib"
)

// A Context is one device, its primary context and one stream on it.
type Context struct {
	calls   entries
	device  int32
	handle  uintptr
	stream  uintptr
	out     *[2]uint64 // receives the results of calls; its address does not change
	launch  *launchArea
	host    []unsafe.Pointer // pinned memory
	modules []uintptr
}

// Attributes of a device, by the numbers of the driver's interface.
const (
	attributeProcessors   = 16
	attributeMajor        = 75
	attributeMinor        = 76
	attributeSharedLimit  = 97
	minimumComputeVersion = 80
)

// Count is the number of devices.
func Count() (int, error) {
	calls, err := driver()
	if err != nil {
		return 0, err
	}
	n := new(int32)
	err = calls.call("cuDeviceGetCount", uintptr(unsafe.Pointer(n)))
	return int(*n), err
}

// Open makes the device ready. It fails before any work if there is no driver, no such
// device, or a device that is too old.
func Open(device int) (*Context, error) {
	n, err := Count()
	if err != nil {
		return nil, err
	}
	if device < 0 || device >= n {
		return nil, fmt.Errorf("cuda: device %d of %d: no such device", device, n)
	}
	calls, _ := driver()
	c := &Context{calls: calls, device: int32(device), out: new([2]uint64), launch: new(launchArea)}
	if err := c.start(); err != nil {
		_ = c.Close()
		return nil, err
	}
	return c, nil
}

func (c *Context) start() error {
	major, err := c.attribute(attributeMajor)
	if err != nil {
		return err
	}
	minor, err := c.attribute(attributeMinor)
	if err != nil {
		return err
	}
	if 10*major+minor < minimumComputeVersion {
		return fmt.Errorf("cuda: device %d has compute capability %d.%d, at least 8.0 is needed", c.device, major, minor)
	}
	if err := c.call("cuDevicePrimaryCtxRetain", c.outAt(0), uintptr(c.device)); err != nil {
		return err
	}
	c.handle = uintptr(c.out[0])
	const nonBlocking = 1
	if err := c.call("cuStreamCreate", c.outAt(0), nonBlocking); err != nil {
		return err
	}
	c.stream = uintptr(c.out[0])
	return nil
}

// call calls one function of the driver on a thread on which the context is current.
//
//go:uintptrescapes
func (c *Context) call(name string, args ...uintptr) error {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	defer runtime.KeepAlive(c) // and what outAt points to
	if c.handle != 0 {
		if err := c.calls.call("cuCtxSetCurrent", c.handle); err != nil {
			return err
		}
	}
	return c.calls.call(name, args...)
}

// Within calls f on a thread on which the context is current. A library that is given
// memory of the device finds the device by the current context.
func (c *Context) Within(f func() error) error {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	if err := c.calls.call("cuCtxSetCurrent", c.handle); err != nil {
		return err
	}
	return f()
}

func (c *Context) outAt(i int) uintptr { return uintptr(unsafe.Pointer(&c.out[i])) }

func (c *Context) attribute(number int) (int, error) {
	c.out[0] = 0
	err := c.call("cuDeviceGetAttribute", c.outAt(0), uintptr(number), uintptr(c.device))
	return int(int32(c.out[0])), err
}

// Name is the name that the driver gives the device.
func (c *Context) Name() string {
	name := new([128]byte)
	if err := c.call("cuDeviceGetName", uintptr(unsafe.Pointer(name)), uintptr(len(name)), uintptr(c.device)); err != nil {
		return "unknown device"
	}
	return dynlib.Text(&name[0])
}

// Number is the number of the device within the driver.
func (c *Context) Number() int { return int(c.device) }

// Stream is the handle of the stream, for other libraries that work on the device.
func (c *Context) Stream() uintptr { return c.stream }

// Processors is the number of multiprocessors.
func (c *Context) Processors() (int, error) { return c.attribute(attributeProcessors) }

// LocalMemory is the most shared memory that a block can have, in bytes.
func (c *Context) LocalMemory() (int, error) { return c.attribute(attributeSharedLimit) }

// Memory returns the free and the total bytes of the device.
func (c *Context) Memory() (free, total int64, err error) {
	err = c.call("cuMemGetInfo_v2", c.outAt(0), c.outAt(1))
	return int64(c.out[0]), int64(c.out[1]), err
}

// Sync waits until all work of the stream is done, and returns an error if any failed.
func (c *Context) Sync() error { return c.call("cuStreamSynchronize", c.stream) }

// Close gives everything back. Buffers and functions must not be used afterwards.
func (c *Context) Close() error {
	var errs []error
	for _, m := range c.modules {
		errs = append(errs, c.call("cuModuleUnload", m))
	}
	for _, p := range c.host {
		errs = append(errs, c.call("cuMemFreeHost", uintptr(p)))
	}
	if c.stream != 0 {
		errs = append(errs, c.call("cuStreamDestroy_v2", c.stream))
	}
	if c.handle != 0 {
		c.handle = 0
		errs = append(errs, c.call("cuDevicePrimaryCtxRelease_v2", uintptr(c.device)))
	}
	c.modules, c.host, c.stream = nil, nil, 0
	return errors.Join(errs...)
}
