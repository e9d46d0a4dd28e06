// Package rank defines how the ranks of a cluster communicate, as an interface that
// distributed engines are written against.
//
// A Comm connects the ranks of a group. It is small enough to be implemented over
// MPI with non-blocking operations (package launch) and by goroutines of one process
// (Local), so a distributed engine is written once, runs on a laptop and is tested
// under the race detector.
//
// Ranks communicate in two ways. Packets go from one rank to another on a numbered
// channel and arrive asynchronously; packets between the same two ranks on one
// channel stay in order. Collectives are entered by all ranks of a group in the same
// order.
//
// A rank that fails takes the group with it: every operation of every rank then
// returns a *Failure that names the failed rank.
//
// Memory that is given to a Comm must not be moved or used until the operation is
// done, and is best taken from internal/base/arena: an MPI library keeps addresses, and
// Go may move what is on a stack.
package rank

import (
	"errors"
	"fmt"
	"slices"
)

// MaxPacket is the size of the largest packet in bytes. Receivers reserve buffers of
// this size. Beyond some ten thousand bytes larger packets gain nothing: the fixed
// cost of a packet is then small beside the cost of its bytes.
const MaxPacket = 1 << 16

// MaxChannel is the number of channels; they are numbered from 0.
const MaxChannel = 1 << 12

// A Comm connects a group of ranks.
//
// Send and Receive may be called by all threads of a rank at once, Receive by one
// thread for each channel. All other methods are for one thread at a time.
type Comm interface {
	Rank() int // rank of the caller, 0 ≤ Rank < Size
	Size() int
	// Host returns the number of a rank's host. Hosts are numbered from 0 in the
	// order of their first ranks. Ranks of one host can share memory.
	Host(rank int) int

	// Send starts sending a packet of at most MaxPacket bytes, which must not be
	// changed until it is done. A rank may send to itself.
	Send(to int, channel int, packet []byte) (Pending, error)
	// Receive returns the next packet that has arrived on a channel, if any. The
	// packet belongs to the caller until it is released.
	Receive(channel int) (p Packet, ok bool, err error)

	// Packets returns memory in which this rank should write the packets that it
	// sends: ranks of the same host read them there without a copy. All ranks of a
	// group call it, at most once, with the same size. The memory lives as long as
	// the group. After the call all packets for ranks of the same host must lie in
	// it.
	Packets(size int64) ([]byte, error)

	// Reduce starts combining the vectors of all ranks; when it is done each rank
	// has the result in v.
	Reduce(op Op, v []uint64) (Pending, error)
	// Gather fills all on every rank: rank r contributes
	// all[parts[r].Lo:parts[r].Hi], in place. The parts are the same on all ranks, do
	// not overlap, and need not cover everything.
	Gather(all []byte, parts []Span) error
	// Exchange sends out[outCuts[r]:outCuts[r+1]] to every rank r and receives
	// in[inCuts[r]:inCuts[r+1]] from it.
	Exchange(out []byte, outCuts []int64, in []byte, inCuts []int64) error
	Barrier() error

	// Split makes one group of all ranks with the same color, ordered by key and
	// then by rank.
	Split(color, key int) (Comm, error)
	// Share returns zeroed memory that all ranks of this group on the caller's host
	// share. All ranks call it with the same size. The memory lives as long as the
	// group.
	Share(size int64) ([]byte, error)

	// Traffic returns what this rank has sent so far, in this group and all groups
	// split from the same one.
	Traffic() Traffic

	// Abort makes this rank a failed one, for the given reason.
	Abort(cause error)
	// Err is the *Failure of a rank, if one has failed, for callers that wait for another
	// rank by themselves.
	Err() error
	// Close ends the group. A group that others were split from is closed last.
	Close() error
}

// A DeviceComm is a Comm whose library may be CUDA-aware: able to send and receive
// memory of devices.
type DeviceComm interface {
	Comm
	// TakesDevices tells whether Gather and ExchangeOthers can be given memory of CUDA
	// devices.
	TakesDevices() bool
	// ExchangeOthers sends out[outParts[r]] to every other rank r and receives
	// in[inParts[r]] from it.
	ExchangeOthers(out []byte, outParts []Span, in []byte, inParts []Span) error
}

// A Span is a range of bytes, from Lo up to and without Hi.
type Span struct{ Lo, Hi int64 }

// Size is the number of bytes.
func (s Span) Size() int64 { return s.Hi - s.Lo }

// A Pending is an operation that was started.
type Pending interface {
	// Done tells, without waiting, whether the operation is done, and makes it
	// progress.
	Done() (bool, error)
	// Wait returns when the operation is done.
	Wait() error
}

// A Packet is a packet that has arrived.
type Packet struct {
	From int
	Data []byte

	// Release gives the memory back; Data must not be used afterwards. It may be
	// nil.
	Release func()
}

// Free releases a packet.
func (p Packet) Free() {
	if p.Release != nil {
		p.Release()
	}
}

// An Op is the operator of a reduction.
type Op uint8

const (
	Sum Op = iota
	Max
	Or
)

func (op Op) String() string { return [...]string{"sum", "max", "or"}[op] }

// Combine sets a to a op b, element by element.
func (op Op) Combine(a, b []uint64) {
	switch op {
	case Sum:
		for i, x := range b {
			a[i] += x
		}
	case Max:
		for i, x := range b {
			a[i] = max(a[i], x)
		}
	case Or:
		for i, x := range b {
			a[i] |= x
		}
	}
}

// CheckSpans returns an error unless parts are valid for a gather of ranks into size
// bytes.
func CheckSpans(parts []Span, ranks, size int) error {
	for _, p := range parts {
		if p.Lo < 0 || p.Lo > p.Hi || p.Hi > int64(size) {
			return fmt.Errorf("rank: the part %v is not within %d bytes", p, size)
		}
	}
	if len(parts) != ranks {
		return fmt.Errorf("rank: %d parts for %d ranks", len(parts), ranks)
	}
	return nil
}

// CheckCuts returns an error unless the cuts of an exchange divide its buffers among the
// ranks.
func CheckCuts(out []byte, outCuts []int64, in []byte, inCuts []int64, ranks int) error {
	for _, side := range []struct {
		buffer []byte
		cuts   []int64
	}{{out, outCuts}, {in, inCuts}} {
		size, cuts := len(side.buffer), side.cuts
		if len(cuts) != ranks+1 || cuts[0] < 0 || cuts[ranks] > int64(size) || !slices.IsSorted(cuts) {
			return fmt.Errorf("rank: cuts %v do not divide %d bytes among %d ranks", cuts, size, ranks)
		}
	}
	return nil
}

// CheckPacket returns an error for a packet that is too large or on no channel.
func CheckPacket(packet []byte, channel int) error {
	if len(packet) > MaxPacket || channel < 0 || channel >= MaxChannel {
		return fmt.Errorf("rank: %d bytes on channel %d: at most %d on one below %d", len(packet), channel, MaxPacket, MaxChannel)
	}
	return nil
}

// A Failure is the error of every operation once a rank has failed.
type Failure struct {
	Rank  int // rank in the group of all ranks
	Cause error
}

func (f *Failure) Error() string { return fmt.Sprintf("rank %d failed: %v", f.Rank, f.Cause) }

func (f *Failure) Unwrap() error { return f.Cause }

// A Group is a Comm that also reduces in one call, as the checker and the benchmark
// ask of it.
type Group struct{ Comm }

// Sum adds up the vectors of all ranks, in place.
func (g Group) Sum(v []uint64) error { return Reduced(g, Sum, v) }

// Max takes the largest of each element, in place.
func (g Group) Max(v []uint64) error { return Reduced(g, Max, v) }

// Shared returns memory that the ranks of each host share until all ranks call free. All ranks
// call it together; the ranks of one host give the same size.
func (g Group) Shared(size int64) (mem []byte, free func() error, err error) {
	host, err := g.Split(g.Host(g.Rank()), g.Rank())
	if err != nil {
		return nil, nil, err
	}
	if mem, err = host.Share(max(size, 8)); err != nil {
		return nil, nil, errors.Join(err, host.Close())
	}
	return mem[:size], host.Close, nil
}

// Reduced reduces v over all ranks and waits for the result.
func Reduced(c Comm, op Op, v []uint64) error {
	p, err := c.Reduce(op, v)
	if err != nil {
		return err
	}
	return p.Wait()
}
