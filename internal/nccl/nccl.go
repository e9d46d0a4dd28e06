// Package nccl moves memory between NVIDIA GPUs through NCCL, which it opens at run
// time.
//
// A Group is all devices of one process; a Member is one device of a group that spans
// several processes. Both bind sends and receives that start together. On a machine
// without the library every function returns an error that says so. NCCL refuses two
// ranks on one device.
package nccl

import (
	"errors"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
	"unsafe"

	"github.com/ebitengine/purego"
)

// ErrUnavailable is wrapped by all errors on a machine without a usable library.
var ErrUnavailable = errors.New("nccl: not available")

// minimumVersion is the oldest version that has sends and receives, 2.7.
const minimumVersion = 2700

// byteType is ncclUint8.
const byteType = 1

var entryPoints = []string{
	"ncclGetVersion", "ncclGetErrorString", "ncclCommInitAll", "ncclCommDestroy",
	"ncclGroupStart", "ncclGroupEnd", "ncclSend", "ncclRecv",
}

// fileName is the library, which the dynamic loader looks up on its path.
const fileName = "libnccl.so.2"

func open() (uintptr, error) {
	lib, err := purego.Dlopen(fileName, purego.RTLD_NOW|purego.RTLD_GLOBAL)
	if err != nil {
		return 0, fmt.Errorf("%w: %s cannot be opened: %v", ErrUnavailable, fileName, err)
	}
	return lib, nil
}

// library holds the entry points.
var library = sync.OnceValues(func() (map[string]uintptr, error) {
	lib, err := open()
	if err != nil {
		return nil, err
	}
	calls := make(map[string]uintptr, len(entryPoints))
	for _, point := range entryPoints {
		if calls[point], err = purego.Dlsym(lib, point); err != nil {
			return nil, fmt.Errorf("%w: %s lacks %s", ErrUnavailable, fileName, point)
		}
	}
	version := new(int32)
	if code, _, _ := purego.SyscallN(calls["ncclGetVersion"], address(version)); code != 0 {
		return nil, fmt.Errorf("%w: ncclGetVersion: error %d", ErrUnavailable, code)
	}
	if *version < minimumVersion {
		return nil, fmt.Errorf("%w: %s has version code %d, at least %d is needed", ErrUnavailable, fileName, *version, minimumVersion)
	}
	return calls, nil
})

// A Group has a communicator for each of its devices, in the order of Open.
type Group struct {
	calls map[string]uintptr
	comms []uintptr
}

// A Move copies bytes of device memory from one member of the group to another.
type Move struct {
	From, To int
	Src, Dst uintptr
	Bytes    int64
}

// Open makes a group of the devices with these numbers.
func Open(devices []int) (*Group, error) {
	calls, err := library()
	if err != nil {
		return nil, err
	}
	numbers := make([]int32, len(devices))
	for i, d := range devices {
		numbers[i] = int32(d)
	}
	g := &Group{calls: calls, comms: make([]uintptr, len(devices))}
	if err := g.call("ncclCommInitAll", address(&g.comms[0]), uintptr(len(numbers)), address(&numbers[0])); err != nil {
		return nil, fmt.Errorf("%w (devices %v)", err, devices)
	}
	return g, nil
}

// Start starts all moves together. On each device they follow what is in its stream,
// streams[i] for device i of the group, and precede what is put there afterwards.
func (g *Group) Start(moves []Move, streams []uintptr) error {
	runtime.LockOSThread() // a group of calls belongs to a thread
	defer runtime.UnlockOSThread()
	if err := g.call("ncclGroupStart"); err != nil {
		return err
	}
	var failed error
	for _, m := range moves {
		if failed = g.send(m, streams); failed != nil {
			break
		}
	}
	return errors.Join(failed, g.call("ncclGroupEnd"))
}

func (g *Group) send(m Move, streams []uintptr) error {
	err := g.call("ncclSend", m.Src, uintptr(m.Bytes), byteType, uintptr(m.To), g.comms[m.From], streams[m.From])
	if err == nil {
		err = g.call("ncclRecv", m.Dst, uintptr(m.Bytes), byteType, uintptr(m.From), g.comms[m.To], streams[m.To])
	}
	if err != nil {
		return fmt.Errorf("%w: %d bytes from %d to %d", err, m.Bytes, m.From, m.To)
	}
	return nil
}

// Close gives the communicators back.
func (g *Group) Close() error {
	var errs []error
	for _, c := range g.comms {
		errs = append(errs, g.call("ncclCommDestroy", c))
	}
	g.comms = nil
	return errors.Join(errs...)
}

func (g *Group) call(name string, args ...uintptr) error {
	if code, _, _ := purego.SyscallN(g.calls[name], args...); int32(code) != 0 {
		return fmt.Errorf("nccl: %s: %s (%d)", name, g.describe(code), int32(code))
	}
	return nil
}

func (g *Group) describe(code uintptr) string {
	text, _, _ := purego.SyscallN(g.calls["ncclGetErrorString"], code)
	p := *(*unsafe.Pointer)(unsafe.Pointer(&text))
	if p == nil {
		return "unknown error"
	}
	n := 0
	for *(*byte)(unsafe.Add(p, n)) != 0 {
		n++
	}
	return string(unsafe.Slice((*byte)(p), n))
}

// sink makes the arguments of address escape to the heap. A stack may move during a
// call, and the library would write to the old place.
var sink atomic.Pointer[byte]

// address is the address of an object. The caller holds the object in a variable until
// the call has returned.
func address[T any](p *T) uintptr {
	sink.Store((*byte)(unsafe.Pointer(p)))
	return uintptr(unsafe.Pointer(p))
}
