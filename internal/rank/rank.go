// Package rank is what the ranks of a cluster can say to each other.
//
// A Comm connects the ranks of a group. It is small enough to be implemented
// over MPI with non-blocking calls, and by goroutines of one process, which is
// what Local does: a distributed engine is written once, runs on a laptop and is
// tested under the race detector.
//
// There are two ways to talk. Packets go from one rank to another on a channel
// and arrive whenever they arrive; their order is kept between two ranks on one
// channel. Collectives are entered by all ranks of the group in the same order.
//
// A rank that fails takes the group with it: every call, of every rank, then
// returns a *Failure that names it.
//
// Memory that is given to a Comm must not be moved or used until the call is
// done, and is best taken from internal/arena: an MPI library keeps addresses,
// and Go may move what is on a stack.
package rank

import "fmt"

// MaxPacket is the size of the largest packet, in bytes: what a receiver keeps
// room for. Beyond some ten thousand bytes the cost of a packet is all in its
// bytes.
const MaxPacket = 1 << 16

// MaxChannel bounds the numbers of channels.
const MaxChannel = 1 << 12

// A Comm connects a group of ranks.
//
// Send and Receive may be called by all threads of a rank at once, Receive by one
// thread for each channel. All other methods are for one thread at a time.
type Comm interface {
	Rank() int // of the caller, 0 ≤ Rank < Size
	Size() int
	// Host numbers the hosts from 0 in the order of their first ranks. Ranks of
	// one host can share memory.
	Host(rank int) int

	// Send starts sending a packet of at most MaxPacket bytes, which must not be
	// changed until it is done. Its receiver may be the sender.
	Send(to int, channel int, packet []byte) (Pending, error)
	// Receive returns the next packet that has arrived on a channel, if any. It
	// belongs to the caller until it is released.
	Receive(channel int) (p Packet, ok bool, err error)

	// Packets returns memory for packets, in which this rank should lay those that it
	// sends: ranks of its host read them where they are. All ranks ask for it, once
	// for a group, and for the same size. It lives as long as the group, in which all
	// packets for the same host then have to lie there.
	Packets(size int64) ([]byte, error)

	// Reduce starts combining the vectors of all ranks; when it is done each rank
	// has the result in v.
	Reduce(op Op, v []uint64) (Pending, error)
	// Gather fills all on every rank: rank r brings all[parts[r].Lo:parts[r].Hi],
	// in place. The parts are the same on all ranks, do not overlap, and need not
	// cover everything.
	Gather(all []byte, parts []Span) error
	// Exchange sends out[outCuts[r]:outCuts[r+1]] to every rank r and receives
	// from it what fills in[inCuts[r]:inCuts[r+1]].
	Exchange(out []byte, outCuts []int64, in []byte, inCuts []int64) error
	Barrier() error

	// Split makes groups of the ranks with the same color, ordered by key and
	// then by rank.
	Split(color, key int) (Comm, error)
	// Share returns zeroed memory that the ranks of this group that are on the
	// caller's host share. All ranks ask for the same size. It lives as long as
	// the group.
	Share(size int64) ([]byte, error)

	// Traffic is what this rank has sent so far, in this group and all groups
	// split from the same one.
	Traffic() Traffic

	// Abort makes this rank a failed one, for the given reason.
	Abort(cause error)
	// Close ends the group. A group that others were split from is closed last.
	Close() error
}

// A DeviceComm is a Comm that may be able to move memory of devices.
type DeviceComm interface {
	Comm
	// TakesDevices tells whether Gather can be given memory of CUDA devices.
	TakesDevices() bool
}

// A Span is the bytes from Lo up to Hi of some memory.
type Span struct{ Lo, Hi int64 }

// Size is the number of bytes.
func (s Span) Size() int64 { return s.Hi - s.Lo }

// A Pending is a call that was started.
type Pending interface {
	// Done tells, without waiting, whether the call is done, and drives it on.
	Done() (bool, error)
	// Wait returns when it is.
	Wait() error
}

// A Packet is one that has arrived.
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

// An Op combines two numbers.
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

// A Failure is the error of every call once a rank has failed.
type Failure struct {
	Rank  int // in the first group, the one of all ranks
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

// Reduced is Reduce, waited for.
func Reduced(c Comm, op Op, v []uint64) error {
	p, err := c.Reduce(op, v)
	if err != nil {
		return err
	}
	return p.Wait()
}
