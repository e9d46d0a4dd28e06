package cuda

import (
	"fmt"
	"unsafe"
)

// A Module is compiled PTX.
type Module struct {
	c      *Context
	handle uintptr
}

// Load compiles PTX text for the device. The driver caches the result.
func (c *Context) Load(ptx string) (*Module, error) {
	text := append([]byte(ptx), 0)
	if err := c.call("cuModuleLoadData", c.outAt(0), uintptr(unsafe.Pointer(&text[0]))); err != nil {
		return nil, err
	}
	m := &Module{c: c, handle: uintptr(c.out[0])}
	c.modules = append(c.modules, m.handle)
	return m, nil
}

// A Function is a kernel of a module.
type Function struct {
	c      *Context
	handle uintptr
	name   string
	shared int // bytes of shared memory that a launch may ask for
}

// Function returns a kernel by its name.
func (m *Module) Function(name string) (*Function, error) {
	text := append([]byte(name), 0)
	if err := m.c.call("cuModuleGetFunction", m.c.outAt(0), m.handle, uintptr(unsafe.Pointer(&text[0]))); err != nil {
		return nil, fmt.Errorf("%w: kernel %s", err, name)
	}
	return &Function{c: m.c, handle: uintptr(m.c.out[0]), name: name}, nil
}

// A Shape is a grid of blocks.
type Shape struct {
	Blocks, Threads int
	Shared          int  // bytes of shared memory for each block, beyond what the kernel declares
	Together        bool // all blocks are resident at once, or the launch fails
}

// allow raises the bound on the shared memory of a launch, which is low by default.
func (f *Function) allow(shared int) error {
	const maxDynamicShared = 8
	if shared <= f.shared {
		return nil
	}
	f.shared = shared
	return f.c.call("cuFuncSetAttribute", f.handle, maxDynamicShared, uintptr(shared))
}

// Resident is how many blocks of so many threads, with so much shared memory, fit
// on one multiprocessor.
func (f *Function) Resident(threads, shared int) (int, error) {
	if err := f.allow(shared); err != nil {
		return 0, err
	}
	f.c.out[0] = 0
	err := f.c.call("cuOccupancyMaxActiveBlocksPerMultiprocessor", f.c.outAt(0), f.handle, uintptr(threads), uintptr(shared))
	return int(int32(f.c.out[0])), err
}

// maxArguments bounds the arguments of a kernel.
const maxArguments = 64

// A launchArea holds the arguments of a launch on the heap. The driver reads them
// through pointers.
type launchArea struct {
	values   [maxArguments]uint64
	pointers [maxArguments]*uint64
}

// Launch starts the kernel on the stream. An argument fills the low bytes of its
// word.
func (f *Function) Launch(s Shape, args ...uint64) error {
	area := f.c.launch
	if len(args) > maxArguments {
		return fmt.Errorf("cuda: %s: %d arguments, at most %d", f.name, len(args), maxArguments)
	}
	copy(area.values[:], args)
	for i := range args {
		area.pointers[i] = &area.values[i]
	}
	if err := f.allow(s.Shared); err != nil {
		return err
	}
	grid, block, shared := uintptr(s.Blocks), uintptr(s.Threads), uintptr(s.Shared)
	var err error
	if s.Together {
		err = f.c.call("cuLaunchCooperativeKernel", f.handle, grid, 1, 1, block, 1, 1, shared, f.c.stream,
			uintptr(unsafe.Pointer(&area.pointers[0])))
	} else {
		err = f.c.call("cuLaunchKernel", f.handle, grid, 1, 1, block, 1, 1, shared, f.c.stream,
			uintptr(unsafe.Pointer(&area.pointers[0])), 0)
	}
	if err != nil {
		return fmt.Errorf("%w: kernel %s, %d blocks of %d threads", err, f.name, s.Blocks, s.Threads)
	}
	return nil
}
