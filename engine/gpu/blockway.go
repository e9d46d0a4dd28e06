package gpu

import (
	"errors"
	"fmt"
	"unsafe"

	"github.com/gohops/hops/internal/nccl"
	"github.com/gohops/hops/internal/rank"
)

// The frontier of a block can come from other devices without passing through the
// host, if the device is one of CUDA: by an MPI that takes its address, or by NCCL.

// errNoAddress is why there is no such way.
var errNoAddress = errors.New("gpu: memory of this driver has no address")

// FrontMemory is the frontier where the device has it, which the host must not
// touch, or nil.
func (b *Block) FrontMemory() []byte {
	if _, ok := b.dev.(*cudaDevice); !ok {
		return nil
	}
	address := uintptr(b.front)
	return unsafe.Slice(*(**byte)(unsafe.Pointer(&address)), b.frontBytes)
}

// Within calls f on a thread that has the device.
func (b *Block) Within(f func() error) error {
	d, ok := b.dev.(*cudaDevice)
	if !ok {
		return errNoAddress
	}
	return d.Within(f)
}

// CanMeet tells why blocks cannot gather frontiers by themselves, or nil.
func (b *Block) CanMeet() error {
	if _, ok := b.dev.(*cudaDevice); !ok {
		return errNoAddress
	}
	return nccl.CanJoin()
}

// Secret makes what members of a group by NCCL know each other by.
func (b *Block) Secret() ([128]byte, error) { return nccl.Secret() }

// Meet joins such a group, with this number of so many.
func (b *Block) Meet(secret [128]byte, me, ranks int) error {
	return b.Within(func() (err error) {
		b.member, err = nccl.Join(secret, me, ranks)
		return err
	})
}

// A Span is a range of bytes.
type Span = rank.Span

// Carry gathers the parts of the frontier that the members of the group have.
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

// leave ends the group.
func (b *Block) leave() error {
	if b.member == nil {
		return nil
	}
	return b.Within(b.member.Close)
}
