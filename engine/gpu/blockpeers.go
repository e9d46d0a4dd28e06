package gpu

import (
	"encoding/binary"
	"errors"
	"fmt"
	"unsafe"

	"github.com/gohops/hops/internal/device/cuda"
	"github.com/gohops/hops/internal/device/nccl"
	"github.com/gohops/hops/internal/ranks/block"
	"github.com/gohops/hops/internal/ranks/rank"
)

// Other blocks read what one block has found: by the address of its memory, within a process or,
// by CUDA IPC, from other processes of the host; by NCCL; by an MPI that takes addresses of
// device memory; or through pinned memory of the host.

// errNoAddress says why the memory of other drivers cannot be named to a library.
var errNoAddress = errors.New("gpu: memory of this driver has no address")

// A neighbor is the memory of another block, as this process sees it.
type neighbor struct {
	region [block.Regions]buffer
	first  cuda.Buffer // what was imported; 0: nothing
	apart  bool        // it is on another device
}

// card is what a block tells others of its memory.
type card struct {
	CUDA    bool
	Device  int64  // number of the device of CUDA within this process
	Shared  uint64 // the context of OpenCL
	Region  [block.Regions]uint64
	Handle  cuda.Handle
	Offset  int64 // of the first region in the allocation that Handle names
	Exports bool  // Handle names the memory to other processes
}

// Card describes the memory of this block to blocks of the same host.
func (b *deviceBlock) Card() ([]byte, error) {
	c := card{}
	for r, at := range b.region {
		c.Region[r] = uint64(at)
	}
	switch d := b.dev.(type) {
	case *cudaDevice:
		var err error
		c.CUDA, c.Device = true, int64(d.Number())
		c.Handle, c.Offset, err = d.Export(cuda.Buffer(b.region[0]))
		c.Exports = err == nil
	case *userOf:
		c.Shared = uint64(d.Identity())
	}
	return binary.Append(nil, binary.LittleEndian, &c)
}

// Meet opens the memory of other blocks by their cards, those of ranks in this process or
// in others of this host; number me is that of this block. It returns the number of the
// first of them here, and how their memory is reached.
func (b *deviceBlock) Meet(cards [][]byte, me int, oneProcess bool) (first int, way string, err error) {
	first = len(b.peers)
	b.peers = append(b.peers, make([]neighbor, len(cards))...)
	for r, text := range cards {
		if r == me {
			continue
		}
		var c card
		if _, err := binary.Decode(text, binary.LittleEndian, &c); err != nil {
			return 0, "", fmt.Errorf("gpu: card of rank %d: %w", r, err)
		}
		how, err := b.meet(&b.peers[first+r], &c, oneProcess)
		if err != nil {
			return 0, "", fmt.Errorf("gpu: memory of rank %d: %w", r, err)
		}
		if way == "" || how != sameDevice {
			way = how
		}
	}
	return first, way, nil
}

// The ways to the memory of another block.
const (
	sameDevice = "the same device"
	cudaPeers  = "CUDA peers"
	cudaIPC    = "CUDA IPC"
)

func (b *deviceBlock) meet(n *neighbor, c *card, oneProcess bool) (way string, err error) {
	d, ok := b.dev.(*cudaDevice)
	n.apart = ok && c.Device != int64(d.Number())
	switch {
	case ok != c.CUDA:
		return "", errors.New("a device of another driver")
	case ok && !oneProcess:
		return cudaIPC, b.takeOver(d, n, c)
	case n.apart:
		way, err = cudaPeers, d.AllowPeer(int(c.Device))
	case ok:
		way = sameDevice
	case oneProcess && c.Shared == uint64(b.dev.(*userOf).Identity()):
		way = sameDevice
	default:
		err = errNoAddress
	}
	for r, at := range c.Region {
		n.region[r] = buffer(at)
	}
	return way, err
}

// takeOver opens the memory of a block of another process.
func (b *deviceBlock) takeOver(d *cudaDevice, n *neighbor, c *card) (err error) {
	if !c.Exports {
		return errors.New("it cannot be named to other processes")
	}
	if n.first, err = d.Import(c.Handle); err != nil {
		return err
	}
	for r, at := range c.Region {
		n.region[r] = buffer(n.first) + buffer(c.Offset) + buffer(at-c.Region[0])
	}
	return nil
}

// Copy copies from the memory of another block, in the order of what this device is told.
// The other block must have finished what is copied.
func (b *deviceBlock) Copy(dst block.Region, at int64, from int, src block.Region, srcAt, bytes int64) error {
	if bytes == 0 {
		return nil
	}
	return b.dev.copy(b.region[dst], at, b.peers[from].region[src], srcAt, bytes)
}

// Read copies from a region to the host.
func (b *deviceBlock) Read(dst []byte, from block.Region, at int64) error {
	return b.stage(int64(len(dst)), func(lo, hi int64) error {
		err := b.dev.read(b.staged[:hi-lo], b.region[from], at+lo)
		copy(dst[lo:hi], b.staged)
		return err
	})
}

// Write copies from the host to a region.
func (b *deviceBlock) Write(to block.Region, at int64, src []byte) error {
	return b.stage(int64(len(src)), func(lo, hi int64) error {
		return b.dev.write(b.region[to], at+lo, b.staged[:copy(b.staged, src[lo:hi])])
	})
}

// regionStage is the size of the pinned memory through which regions go to the host: a
// bitmap of 2²⁷ vertices.
const regionStage = 16 << 20

// stage moves bytes in turns of at most regionStage.
func (b *deviceBlock) stage(bytes int64, move func(lo, hi int64) error) (err error) {
	if b.staged == nil {
		if b.staged, err = b.dev.pinned(regionStage); err != nil {
			return err
		}
	}
	for lo := int64(0); lo < bytes && err == nil; lo += regionStage {
		err = move(lo, min(lo+regionStage, bytes))
	}
	return err
}

// Memory is a region in the memory of the device, or nil if that has no address. The host
// must not read or write it.
func (b *deviceBlock) Memory(r block.Region) []byte {
	if _, ok := b.dev.(*cudaDevice); !ok {
		return nil
	}
	address := uintptr(b.region[r])
	return unsafe.Slice(*(**byte)(unsafe.Pointer(&address)), b.Bytes(r))
}

// Within calls f on a thread on which the device is current.
func (b *deviceBlock) Within(f func() error) error {
	d, ok := b.dev.(*cudaDevice)
	if !ok {
		return errNoAddress
	}
	return d.Within(f)
}

// CanJoin says why the block cannot join a group of NCCL, or returns nil.
func (b *deviceBlock) CanJoin() error {
	if _, ok := b.dev.(*cudaDevice); !ok {
		return errNoAddress
	}
	if b.shared {
		return errors.New("gpu: NCCL takes no two ranks on a device")
	}
	return nccl.CanJoin()
}

// Secret makes the key by which the members of a group of NCCL find each other.
func (b *deviceBlock) Secret() ([128]byte, error) { return nccl.Secret() }

// Join joins the group of a secret as member number me of so many ranks, and returns its
// number here.
func (b *deviceBlock) Join(secret [128]byte, me, ranks int) (group int, err error) {
	err = b.Within(func() error {
		member, err := nccl.Join(secret, me, ranks)
		if err == nil {
			b.groups = append(b.groups, member)
		}
		return err
	})
	return len(b.groups) - 1, err
}

// Send sends out[i] of one region to member i of a group and receives in[i] of another
// region from it, in the order of what this device is told.
func (b *deviceBlock) Send(group int, out block.Region, outParts []rank.Span, in block.Region, inParts []rank.Span) error {
	stream := b.dev.(*cudaDevice).Stream()
	parts := func(spans []rank.Span) (all []nccl.Part) {
		for _, p := range spans {
			all = append(all, nccl.Part{At: p.Lo, Bytes: p.Size()})
		}
		return all
	}
	return b.Within(func() error {
		return b.groups[group].Exchange(uintptr(b.region[out]), parts(outParts), uintptr(b.region[in]), parts(inParts), stream)
	})
}

// leave leaves all groups and gives the memory of others back.
func (b *deviceBlock) leave() error {
	var errs []error
	for _, m := range b.groups {
		errs = append(errs, b.Within(m.Close))
	}
	for _, n := range b.peers {
		if n.first != 0 {
			errs = append(errs, b.dev.(*cudaDevice).Unimport(n.first))
		}
	}
	b.groups, b.peers = nil, nil
	return errors.Join(errs...)
}
