package opencl

import (
	"fmt"
	"strings"
	"sync"
	"unsafe"
)

// A Program is compiled source.
type Program struct {
	c      *Context
	handle uintptr
}

// Build compiles source text. An error includes the messages of the compiler.
func (c *Context) Build(source, options string) (*Program, error) {
	text, flags := append([]byte(source), 0), append([]byte(options), 0)
	texts := &[1]*byte{&text[0]}
	handle, err := c.create("clCreateProgramWithSource", c.handle, 1, uintptr(unsafe.Pointer(&texts[0])), 0, c.outAt(0))
	if err != nil {
		return nil, err
	}
	p := &Program{c: c, handle: handle}
	c.release = append(c.release, func() { _ = c.call("clReleaseProgram", handle) })
	devices := &[1]uintptr{c.device}
	if err := c.call("clBuildProgram", handle, 1, uintptr(unsafe.Pointer(&devices[0])), uintptr(unsafe.Pointer(&flags[0])), 0, 0); err != nil {
		return nil, fmt.Errorf("%w:\n%s", err, p.log())
	}
	return p, nil
}

func (p *Program) log() string {
	text := make([]byte, 1<<16)
	if err := p.c.call("clGetProgramBuildInfo", p.handle, p.c.device, buildLog, uintptr(len(text)), uintptr(unsafe.Pointer(&text[0])), 0); err != nil {
		return "no log: " + err.Error()
	}
	before, _, _ := strings.Cut(string(text), "\x00")
	return before
}

// A Kernel is a function of a program.
type Kernel struct {
	c      *Context
	handle uintptr
	name   string
}

// Kernel returns a kernel by its name.
func (p *Program) Kernel(name string) (*Kernel, error) {
	text := append([]byte(name), 0)
	handle, err := p.c.create("clCreateKernel", p.handle, uintptr(unsafe.Pointer(&text[0])), p.c.outAt(0))
	if err != nil {
		return nil, fmt.Errorf("%w: kernel %s", err, name)
	}
	p.c.release = append(p.c.release, func() { _ = p.c.call("clReleaseKernel", handle) })
	return &Kernel{c: p.c, handle: handle, name: name}, nil
}

// A launchArea holds, on the heap, what the library reads through pointers.
type launchArea struct {
	value, items, group uint64
}

// onProcessor lets one kernel at a time run on a processor, over all contexts. PoCL 5
// ends the process when kernels with grids of different sizes run at the same time.
var onProcessor sync.Mutex

// Launch starts the kernel on the queue. Argument i is the low sizes[i] bytes of args[i].
func (k *Kernel) Launch(groups, items int, args []uint64, sizes []uint8) error {
	area := k.c.launch
	for i, a := range args {
		area.value = a
		if err := k.c.call("clSetKernelArg", k.handle, uintptr(i), uintptr(sizes[i]), uintptr(unsafe.Pointer(&area.value))); err != nil {
			return fmt.Errorf("%w: kernel %s, argument %d", err, k.name, i)
		}
	}
	area.items, area.group = uint64(groups)*uint64(items), uint64(items)
	if err := k.start(); err != nil {
		return fmt.Errorf("%w: kernel %s, %d groups of %d", err, k.name, groups, items)
	}
	return nil
}

// start puts the kernel on the queue. On a processor it also waits until the kernel ends.
func (k *Kernel) start() error {
	if k.c.IsCPU() {
		onProcessor.Lock()
		defer onProcessor.Unlock()
	}
	area := k.c.launch
	err := k.c.call("clEnqueueNDRangeKernel", k.c.queue, k.handle, 1, 0, uintptr(unsafe.Pointer(&area.items)), uintptr(unsafe.Pointer(&area.group)), 0, 0, 0)
	if err != nil || !k.c.IsCPU() {
		return err
	}
	return k.c.Sync()
}
