package cuda

import (
	"errors"
	"fmt"
	"runtime"
	"unsafe"
)

// A Buffer is an address in the memory of the device.
type Buffer uint64

const codeOutOfMemory = 2

// Alloc returns bytes of device memory, with undefined contents.
func (c *Context) Alloc(bytes int64) (Buffer, error) {
	err := c.call("cuMemAlloc_v2", c.outAt(0), uintptr(max(bytes, 1)))
	var code *Error
	if errors.As(err, &code) && code.Code == codeOutOfMemory {
		free, total, _ := c.Memory()
		return 0, fmt.Errorf("cuda: %d bytes of device memory asked for, %d of %d free: %w", bytes, free, total, err)
	}
	return Buffer(c.out[0]), err
}

// Free gives a buffer back.
func (c *Context) Free(b Buffer) error { return c.call("cuMemFree_v2", uintptr(b)) }

// Write copies src to the device and returns when src may be reused.
func (c *Context) Write(b Buffer, offset int64, src []byte) error {
	if len(src) == 0 {
		return nil
	}
	defer runtime.KeepAlive(src)
	err := c.call("cuMemcpyHtoDAsync_v2", uintptr(b)+uintptr(offset), uintptr(unsafe.Pointer(&src[0])), uintptr(len(src)), c.stream)
	return errors.Join(err, c.Sync())
}

// Read copies from the device and returns when dst is filled.
func (c *Context) Read(dst []byte, b Buffer, offset int64) error {
	if len(dst) == 0 {
		return nil
	}
	defer runtime.KeepAlive(dst)
	err := c.call("cuMemcpyDtoHAsync_v2", uintptr(unsafe.Pointer(&dst[0])), uintptr(b)+uintptr(offset), uintptr(len(dst)), c.stream)
	return errors.Join(err, c.Sync())
}

// Copy copies between buffers, in the order of the stream.
func (c *Context) Copy(dst Buffer, dstOffset int64, src Buffer, srcOffset, bytes int64) error {
	return c.call("cuMemcpyDtoDAsync_v2", uintptr(dst)+uintptr(dstOffset), uintptr(src)+uintptr(srcOffset), uintptr(bytes), c.stream)
}

// AllowPeer lets this context use addresses of another device, and says so if the two are
// no peers.
func (c *Context) AllowPeer(device int) error {
	are, err := c.isPeer(int32(device))
	if err != nil {
		return err
	}
	if !are {
		return fmt.Errorf("cuda: device %d has no way to the memory of device %d: they are no peers", c.device, device)
	}
	if err := c.call("cuDevicePrimaryCtxRetain", c.outAt(0), uintptr(device)); err != nil {
		return err
	}
	err = c.allow(uintptr(c.out[0]))
	return errors.Join(err, c.call("cuDevicePrimaryCtxRelease_v2", uintptr(device)))
}

func (c *Context) isPeer(device int32) (bool, error) {
	c.out[0] = 0
	err := c.call("cuDeviceCanAccessPeer", c.outAt(0), uintptr(c.device), uintptr(device))
	return int32(c.out[0]) != 0, err
}

// allow enables access to the memory of another context.
func (c *Context) allow(other uintptr) error {
	const alreadyAllowed = 704
	err := c.call("cuCtxEnablePeerAccess", other, 0)
	var code *Error
	if errors.As(err, &code) && code.Code == alreadyAllowed {
		return nil
	}
	return err
}

// CopyFrom copies from a buffer of another context, in the order of this one's
// stream. It does not wait for the other context, which must have finished the source and
// must not change it until this one is done.
func (c *Context) CopyFrom(dst Buffer, dstOffset int64, other *Context, src Buffer, srcOffset, bytes int64) error {
	return c.call("cuMemcpyPeerAsync", uintptr(dst)+uintptr(dstOffset), c.handle, uintptr(src)+uintptr(srcOffset), other.handle,
		uintptr(bytes), c.stream)
}

// Zero clears the first bytes of a buffer.
func (c *Context) Zero(b Buffer, bytes int64) error {
	return c.call("cuMemsetD8Async", uintptr(b), 0, uintptr(bytes), c.stream)
}

// HostAlloc returns pinned host memory, from and to which copies run at the full
// speed of the bus. It lives until Close. All of it is zero: the driver would hand out what
// the last user of the memory left, such as a ticket that a kernel has yet to write.
func (c *Context) HostAlloc(bytes int64) ([]byte, error) {
	const portable = 1
	if err := c.call("cuMemHostAlloc", c.outAt(0), uintptr(max(bytes, 1)), portable); err != nil {
		return nil, err
	}
	p := *(*unsafe.Pointer)(unsafe.Pointer(&c.out[0]))
	c.host = append(c.host, p)
	host := unsafe.Slice((*byte)(p), bytes)
	clear(host)
	return host, nil
}
