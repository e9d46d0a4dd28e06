package gpu

import (
	"errors"
	"slices"
	"unsafe"

	"github.com/gohops/hops"
	"github.com/gohops/hops/internal/base/arena"
	"github.com/gohops/hops/internal/device/opencl"
	"github.com/gohops/hops/level"
)

// A sharer is a device that can work in the memory of the host.
type sharer interface {
	share(host []byte) (buffer, error)
	toHost(b buffer, host []byte) error
	toDevice(b buffer, host []byte) error
}

func (d *openclDevice) share(host []byte) (buffer, error) {
	d.wait()
	d.shared = true
	b, err := d.Share(host)
	return buffer(b), err
}

func (d *openclDevice) toHost(b buffer, host []byte) error { return d.Map(opencl.Buffer(b), host) }

func (d *openclDevice) toDevice(b buffer, host []byte) error { return d.Unmap(opencl.Buffer(b), host) }

// shared are the arrays that the device and the host both work on: the bitmaps of the
// visited vertices, and the tree where its length is a multiple of 32 (kernels write the
// parents of 32 vertices at a time). At any time either the device or the host owns all
// of them. A nil *shared stands for a device with memory of its own.
type shared struct {
	dev     sharer
	state   *state
	mem     arena.Arena
	visited [2][]uint64

	own    buffer   // the device's own array of parents
	tree   []uint32 // the tree that takes its place; nil: none
	onHost bool
}

// sharerOf tells whether a device works in the memory of the host.
func sharerOf(d device) (sharer, bool, error) {
	s, ok := d.(sharer)
	if cl, isCL := d.(*openclDevice); isCL {
		shares, err := cl.SharesMemory()
		return s, shares, err
	}
	return s, ok, nil
}

// newShared replaces the arrays of a state by shared ones, if the device can.
func newShared(s *state) (*shared, error) {
	d, ok, err := sharerOf(s.dev)
	if !ok || err != nil {
		return nil, err
	}
	h := &shared{dev: d, state: s, own: s.parent}
	for i := range h.visited {
		var err error
		if h.visited[i], err = arena.Make[uint64](&h.mem, int((int64(s.n)+63)/64)); err != nil {
			return nil, err
		}
		for w := range h.visited[i] { // bits past the last vertex count as visited
			h.visited[i][w] = ^uint64(0)
		}
		b, err := d.share(bytesOf(h.visited[i]))
		if err != nil {
			return nil, err
		}
		if err := s.dev.free(s.visited[i]); err != nil {
			return nil, err
		}
		delete(s.mem.sizes, s.visited[i])
		s.visited[i], s.mem.sizes[b] = b, 0
	}
	return h, h.toHost()
}

// bind makes the tree the array of parents on the device, where its length allows it.
func (h *shared) bind(t *hops.Tree) error {
	if h == nil {
		return nil
	}
	if err := h.toHost(); err != nil {
		return err
	}
	if h.tree != nil && unsafe.SliceData(h.tree) == unsafe.SliceData(t.Narrow) {
		return nil
	}
	if err := h.unbind(); err != nil || len(t.Narrow)%32 != 0 {
		return err
	}
	b, err := h.dev.share(bytesOf(t.Narrow))
	if err != nil {
		return err
	}
	h.tree, h.state.parent, h.state.mem.sizes[b] = t.Narrow, b, 0
	return h.dev.toHost(b, bytesOf(h.tree))
}

// unbind returns to the device's own array.
func (h *shared) unbind() error {
	if h.tree == nil {
		return nil
	}
	b := h.state.parent
	if err := errors.Join(h.dev.toDevice(b, bytesOf(h.tree)), h.state.dev.Sync()); err != nil {
		return err
	}
	h.tree, h.state.parent = nil, h.own
	delete(h.state.mem.sizes, b)
	return h.state.dev.free(b)
}

// ownsTree tells whether the device writes parents straight into the tree.
func (h *shared) ownsTree() bool { return h != nil && h.tree != nil }

func (h *shared) memory() level.SharedMemory {
	if h == nil {
		return level.SharedMemory{}
	}
	return level.SharedMemory{Visited: h.visited[0], Parents: h.tree != nil}
}

// sideOf tells which bitmap the host has worked on.
func (h *shared) sideOf(visited []uint64) uint32 {
	return uint32(slices.IndexFunc(h.visited[:], func(v []uint64) bool {
		return unsafe.SliceData(v) == unsafe.SliceData(visited)
	}))
}

// toHost lets the host see what the device wrote.
func (h *shared) toHost() error { return h.pass(true) }

// toDevice lets the device see what the host wrote.
func (h *shared) toDevice() error { return h.pass(false) }

func (h *shared) pass(toHost bool) error {
	if h == nil || h.onHost == toHost {
		return nil
	}
	h.onHost = toHost
	move := h.dev.toDevice
	if toHost {
		move = h.dev.toHost
	}
	for i, v := range h.visited {
		if err := move(h.state.visited[i], bytesOf(v)); err != nil {
			return err
		}
	}
	if h.tree == nil {
		return nil
	}
	return move(h.state.parent, bytesOf(h.tree))
}

// release waits until the device uses the arrays no more. Then close may free them.
func (h *shared) release() error {
	if h == nil {
		return nil
	}
	return errors.Join(h.toDevice(), h.state.dev.Sync())
}

func (h *shared) close() {
	if h != nil {
		_ = h.mem.Close()
	}
}
