package cuda

import (
	"encoding/binary"
	"fmt"
	"runtime"

	"github.com/gohops/hops/internal/dynlib"
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
	err = c.call("cuIpcGetMemHandle", dynlib.Address(handle), uintptr(b))
	return *handle, offset, err
}

// Import opens an allocation of another process, on the same device or on a peer of it,
// and returns the address of its first byte here. Unimport gives it back. The other
// process keeps the allocation until then.
func (c *Context) Import(h Handle) (Buffer, error) {
	args, err := importArguments(&h)
	if err != nil {
		return 0, err
	}
	args[0] = c.outAt(0)
	if err := c.call("cuIpcOpenMemHandle_v2", args...); err != nil {
		return 0, err
	}
	return Buffer(c.out[0]), nil
}

// Unimport closes what Import has opened.
func (c *Context) Unimport(first Buffer) error { return c.call("cuIpcCloseMemHandle", uintptr(first)) }

// importArguments are those of cuIpcOpenMemHandle, without the first. The handle is a
// structure of 64 bytes that is passed by value: on amd64 it lies on the stack, behind
// the arguments that go into six registers, and on arm64 the caller passes its address.
func importArguments(h *Handle) ([]uintptr, error) {
	const lazilyEnablePeers = 1
	switch runtime.GOARCH {
	case "amd64":
		args := []uintptr{0, lazilyEnablePeers, 0, 0, 0, 0}
		for i := 0; i < len(h); i += 8 {
			args = append(args, uintptr(binary.LittleEndian.Uint64(h[i:])))
		}
		return args, nil
	case "arm64":
		return []uintptr{0, dynlib.Address(h), lazilyEnablePeers}, nil
	}
	return nil, fmt.Errorf("cuda: no memory of other processes on %s: the handle cannot be passed", runtime.GOARCH)
}
