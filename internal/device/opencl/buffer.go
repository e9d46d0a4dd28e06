package opencl

import (
	"fmt"
	"runtime"
	"unsafe"
)

// A Buffer is an object in the memory of the device.
type Buffer uintptr

// Alloc returns bytes of device memory, with undefined contents.
func (c *Context) Alloc(bytes int64) (Buffer, error) {
	bytes = max(bytes, 1)
	object, err := c.create("clCreateBuffer", c.handle, memoryReadWrite, uintptr(bytes), 0, c.outAt(0))
	if err != nil {
		return 0, fmt.Errorf("%w: %d bytes asked for, at most %d in one buffer, %d in all", err, bytes, c.maxAlloc, c.globalMemory)
	}
	c.sizes[Buffer(object)] = bytes
	c.allocated += bytes
	return Buffer(object), nil
}

// Free gives a buffer back.
func (c *Context) Free(b Buffer) error {
	c.allocated -= c.sizes[b]
	delete(c.sizes, b)
	return c.call("clReleaseMemObject", uintptr(b))
}

// Write copies src to the device and returns when src may be reused.
func (c *Context) Write(b Buffer, offset int64, src []byte) error {
	if len(src) == 0 {
		return nil
	}
	defer runtime.KeepAlive(src)
	return c.call("clEnqueueWriteBuffer", c.queue, uintptr(b), blocking, uintptr(offset), uintptr(len(src)), uintptr(unsafe.Pointer(&src[0])), 0, 0, 0)
}

// Read copies from the device and returns when dst is filled.
func (c *Context) Read(dst []byte, b Buffer, offset int64) error {
	if len(dst) == 0 {
		return nil
	}
	defer runtime.KeepAlive(dst)
	return c.call("clEnqueueReadBuffer", c.queue, uintptr(b), blocking, uintptr(offset), uintptr(len(dst)), uintptr(unsafe.Pointer(&dst[0])), 0, 0, 0)
}

// Copy copies between buffers, in the order of the queue.
func (c *Context) Copy(dst Buffer, dstOffset int64, src Buffer, srcOffset, bytes int64) error {
	return c.call("clEnqueueCopyBuffer", c.queue, uintptr(src), uintptr(dst), uintptr(srcOffset), uintptr(dstOffset), uintptr(bytes), 0, 0, 0)
}

// Zero clears the first bytes of a buffer.
func (c *Context) Zero(b Buffer, bytes int64) error {
	if bytes == 0 {
		return nil
	}
	c.out[1] = 0
	return c.call("clEnqueueFillBuffer", c.queue, uintptr(b), c.outAt(1), 1, 0, uintptr(bytes), 0, 0, 0)
}

// SharesMemory reports whether the device works in the memory of the host, as
// integrated GPUs do, and processors.
func (c *Context) SharesMemory() (bool, error) {
	c.out[0] = 0
	err := c.call("clGetDeviceInfo", c.device, infoUnifiedMemory, 4, c.outAt(0), 0)
	return err == nil && uint32(c.out[0]) != 0, err
}

// Share makes memory of the host a buffer, without a copy if the device works in that
// memory. The caller keeps the memory until the buffer is freed. The host may read and
// write it only between Map and Unmap.
func (c *Context) Share(host []byte) (Buffer, error) {
	object, err := c.create("clCreateBuffer", c.handle, memoryReadWrite|memoryUseHost, uintptr(len(host)), uintptr(unsafe.Pointer(&host[0])), c.outAt(0))
	if err != nil {
		return 0, err
	}
	c.sizes[Buffer(object)] = 0 // none of the device's own
	return Buffer(object), nil
}

// Map waits for the queue and gives a shared buffer to the host.
func (c *Context) Map(b Buffer, host []byte) error {
	defer runtime.KeepAlive(host)
	_, err := c.create("clEnqueueMapBuffer", c.queue, uintptr(b), blocking, mapReadWrite, 0, uintptr(len(host)), 0, 0, 0, c.outAt(0))
	return err
}

// Unmap gives a shared buffer back to the device.
func (c *Context) Unmap(b Buffer, host []byte) error {
	defer runtime.KeepAlive(host)
	return c.call("clEnqueueUnmapMemObject", c.queue, uintptr(b), uintptr(unsafe.Pointer(&host[0])), 0, 0, 0)
}
