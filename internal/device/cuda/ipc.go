package cuda

import (
	"encoding/binary"
	"fmt"
	"runtime"
	"unsafe"
)

// A Handle names an allocation of this process to other processes of the host.
type Handle [64]byte

// Export returns the handle of the allocation that a buffer lies in, and where in the
// allocation the buffer begins. The driver puts small buffers into a common allocation.
func (c *Context) Export(b Buffer) (h Handle, offset int64, err error) {
	if err := c.call("cuMemGetAddressRange_v2", c.outAt(0), c.outAt(1), uintptr(b)); err != nil {
		return h, 0, err
	}
	offset = int64(uint64(b) - c.out[0])
	handle := new(Handle)
	err = c.call("cuIpcGetMemHandle", uintptr(unsafe.Pointer(handle)), uintptr(b))
	return *handle, offset, err
}

// Import opens an allocation of another process, on the same device or on a peer of it,
// and returns the address of its first byte here. Unimport gives it back. The other
// process keeps the allocation until then.
//
// The driver takes the handle, a structure of 64 bytes, by value: on amd64 it lies on the
// stack, behind the arguments that go into six registers, and on arm64 the caller passes
// its address.
func (c *Context) Import(h Handle) (Buffer, error) {
	const function, lazilyEnablePeers = "cuIpcOpenMemHandle_v2", 1
	var err error
	switch runtime.GOARCH {
	case "amd64":
		args := []uintptr{c.outAt(0), lazilyEnablePeers, 0, 0, 0, 0}
		for i := 0; i < len(h); i += 8 {
			args = append(args, uintptr(binary.LittleEndian.Uint64(h[i:])))
		}
		err = c.call(function, args...)
	case "arm64":
		err = c.call(function, c.outAt(0), uintptr(unsafe.Pointer(&h)), lazilyEnablePeers)
	default:
		err = fmt.Errorf("cuda: no memory of other processes on %s: the handle cannot be passed", runtime.GOARCH)
	}
	if err != nil {
		return 0, err
	}
	return Buffer(c.out[0]), nil
}

// Unimport closes what Import has opened.
func (c *Context) Unimport(first Buffer) error { return c.call("cuIpcCloseMemHandle", uintptr(first)) }
