package gpu

import (
	"errors"
	"fmt"
	"unsafe"

	"github.com/gohops/hops/internal/nccl"
	"github.com/gohops/hops/internal/rank"
)

// The frontier of a block can come from other devices without passing through the
// host, if the driver is CUDA: by an MPI that takes addresses of device memory, or by
// NCCL.

// errNoAddress says why the memory of other drivers cannot be named to a library.
var errNoAddress = errors.New("gpu: memory of this driver has no address")

// FrontMemory is the frontier in the memory of the device, or nil if that has no
// address. The host must not read or write it.
func (b *Block) FrontMemory() []byte {
	if _, ok := b.dev.(*cudaDevice); !ok {
		return nil
	}
	address := uintptr(b.front)
	return unsafe.Slice(*(**byte)(unsafe.Pointer(&address)), b.frontBytes)
}

// Within calls f on a thread on which the device is current.
func (b *Block) Within(f func() error) error {
	d, ok := b.dev.(*cudaDevice)
	if !ok {
		return errNoAddress
	}
	return d.Within(f)
}

// CanMeet says why blocks cannot gather frontiers among themselves, or returns nil.
func (b *Block) CanMeet() error {
	if _, ok := b.dev.(*cudaDevice); !ok {
		return errNoAddress
	}
	return nccl.CanJoin()
}

// Secret makes the key by which the members of a group of NCCL find each other.
func (b *Block) Secret() ([128]byte, error) { return nccl.Secret() }

// Meet joins the group of a secret as member number me of so many ranks.
func (b *Block) Meet(secret [128]byte, me, ranks int) error {
	return b.Within(func() (err error) {
		b.member, err = nccl.Join(secret, me, ranks)
		return err
	})
}

// A Span is a range of bytes.
type Span = rank.Span

// Carry gathers the frontier: every member of the group brings one span of its bytes.
func (b *Block) Carry(parts []Span) error {
	if b.member == nil {
		return fmt.Errorf("gpu: the block has not met others")
	}
	b.parts = b.parts[:0]
	for _, p := range parts {
		b.parts = append(b.parts, nccl.Part{At: p.Lo, Bytes: p.Size()})
	}
	stream := b.dev.(*cudaDevice).Stream()
	return b.Within(func() error { return b.member.Gather(uintptr(b.front), b.parts, stream) })
}

// leave leaves the group.
func (b *Block) leave() error {
	if b.member == nil {
		return nil
	}
	return b.Within(b.member.Close)
}
