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
	"unsafe"

	"github.com/gohops/hops/internal/dynlib"
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

// library holds the entry points.
var library = sync.OnceValues(func() (map[string]uintptr, error) {
	calls, err := dynlib.Open(fileName, entryPoints...)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrUnavailable, err)
	}
	version := new(int32)
	if code := dynlib.Call(calls["ncclGetVersion"], dynlib.Address(version)); code != 0 {
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
	if err := g.call("ncclCommInitAll", dynlib.Address(&g.comms[0]), uintptr(len(numbers)), dynlib.Address(&numbers[0])); err != nil {
		return nil, fmt.Errorf("%w (devices %v)", err, devices)
	}
	return g, nil
}

// Start starts all moves together. On each device they follow what is in its stream,
// streams[i] for device i of the group, and precede what is put there afterwards.
func (g *Group) Start(moves []Move, streams []uintptr) error {
	return g.together(func() error {
		for _, m := range moves {
			if err := g.send(m, streams); err != nil {
				return err
			}
		}
		return nil
	})
}

// together makes all calls of f start at the same time.
func (g *Group) together(f func() error) error {
	runtime.LockOSThread() // a group of calls belongs to a thread
	defer runtime.UnlockOSThread()
	if err := g.call("ncclGroupStart"); err != nil {
		return err
	}
	return errors.Join(f(), g.call("ncclGroupEnd"))
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
	if code := dynlib.Call(g.calls[name], args...); int32(code) != 0 {
		return fmt.Errorf("nccl: %s: %s (%d)", name, g.describe(code), int32(code))
	}
	return nil
}

func (g *Group) describe(code uintptr) string {
	text := dynlib.Call(g.calls["ncclGetErrorString"], code)
	return dynlib.Text(*(**byte)(unsafe.Pointer(&text)))
}
