package opencl

import "runtime"

// Numbers of the interface.
const (
	infoUnifiedMemory = 0x1035
	memoryUseHost     = 1 << 3
	mapReadWrite      = 1 | 2
)

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
	object, err := c.create("clCreateBuffer", c.handle, memoryReadWrite|memoryUseHost, uintptr(len(host)), address(&host[0]), c.outAt(0))
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
	return c.call("clEnqueueUnmapMemObject", c.queue, uintptr(b), address(&host[0]), 0, 0, 0)
}
