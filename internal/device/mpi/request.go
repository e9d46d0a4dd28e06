package mpi

import (
	"sync/atomic"
	"unsafe"
)

// A Request is an operation under way. It is used up when Done has reported
// its end.
type Request uint64

// Send starts sending buf, which must stay as it is until the request is done.
func (c *Comm) Send(buf []byte, to, tag int) (Request, error) {
	if err := checkCount("a message", len(buf)); err != nil {
		return 0, err
	}
	l := c.lib
	return l.start("MPI_Isend", bytesAt(buf), uintptr(len(buf)), l.handles[byteType], uintptr(to), uintptr(tag), c.handle)
}

// Receive starts receiving a message with a tag from a rank into buf. A message longer
// than buf is an error.
func (c *Comm) Receive(buf []byte, from, tag int) (Request, error) {
	if err := checkCount("a buffer", len(buf)); err != nil {
		return 0, err
	}
	l := c.lib
	return l.start("MPI_Irecv", bytesAt(buf), uintptr(len(buf)), l.handles[byteType], uintptr(from), uintptr(tag), c.handle)
}

// A Message is one that Probe has found. Only ReceiveFound can receive it.
type Message struct {
	Source, Bytes int
	handle        uint64
}

// Probe looks for a message with a tag that has arrived, from any rank, and reserves it
// for ReceiveFound.
func (c *Comm) Probe(tag int) (m Message, ok bool, err error) {
	l := c.lib
	if !l.mu.TryLock() {
		return m, false, nil
	}
	defer l.mu.Unlock()
	l.out.message, l.out.flag = 0, 0
	status := address(&l.out.status[0])
	err = l.call("MPI_Improbe", uintptr(l.anySource), uintptr(tag), c.handle, address(&l.out.flag), address(&l.out.message), status)
	if err != nil || l.out.flag == 0 {
		return m, false, err
	}
	if err := l.call("MPI_Get_count", status, l.handles[byteType], address(&l.out.number)); err != nil {
		return m, false, err
	}
	source := *(*int32)(unsafe.Pointer(&l.out.status[l.sourceAt]))
	return Message{Source: int(source), Bytes: int(l.out.number), handle: l.out.message}, true, nil
}

// Progress lets MPI go on with the operations that are under way, unless another thread is
// doing so.
func (c *Comm) Progress() error {
	const unused = 0
	l := c.lib
	if !l.mu.TryLock() {
		return nil
	}
	defer l.mu.Unlock()
	return l.call("MPI_Iprobe", uintptr(l.anySource), unused, c.handle, address(&l.out.flag), l.statusesIgnored)
}

// ReceiveFound starts receiving a message that Probe found.
func (c *Comm) ReceiveFound(buf []byte, m Message) (Request, error) {
	l := c.lib
	l.mu.Lock()
	defer l.mu.Unlock()
	l.out.handle, l.out.message = 0, m.handle
	err := l.call("MPI_Imrecv", bytesAt(buf), uintptr(len(buf)), l.handles[byteType], address(&l.out.message), address(&l.out.handle))
	return Request(l.out.handle), err
}

// start calls a function whose last argument receives a request.
func (l *Library) start(name string, args ...uintptr) (Request, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.out.handle = 0
	err := l.call(name, append(args, address(&l.out.handle))...)
	return Request(l.out.handle), err
}

// Done tells whether an operation is done. If so, the request is used up.
func (l *Library) Done(r Request) (bool, error) {
	if !l.mu.TryLock() {
		return false, nil
	}
	defer l.mu.Unlock()
	l.out.handle, l.out.flag = uint64(r), 0
	err := l.call("MPI_Test", address(&l.out.handle), address(&l.out.flag), l.statusesIgnored)
	return l.out.flag != 0, err
}

// An Op is the operator of a reduction.
type Op int

const (
	Sum Op = iota
	Max
	Or
)

func (l *Library) op(o Op) uintptr {
	return l.handles[[...]object{Sum: sumOp, Max: maxOp, Or: orOp}[o]]
}

// Collective operations are started by all ranks of a group in the same order.

// Barrier starts a barrier, which is done when all ranks have started it.
func (c *Comm) Barrier() (Request, error) { return c.lib.start("MPI_Ibarrier", c.handle) }

// Broadcast starts copying buf of rank root to all ranks.
func (c *Comm) Broadcast(buf []byte, root int) (Request, error) {
	if err := checkCount("a broadcast", len(buf)); err != nil {
		return 0, err
	}
	return c.lib.start("MPI_Ibcast", bytesAt(buf), uintptr(len(buf)), c.lib.handles[byteType], uintptr(root), c.handle)
}

// AllReduce starts reducing the words of all ranks element by element, in place.
func (c *Comm) AllReduce(words []uint64, op Op) (Request, error) {
	if err := checkCount("a reduction", len(words)); err != nil {
		return 0, err
	}
	l := c.lib
	return l.start("MPI_Iallreduce", l.inPlace, bytesAt(words), uintptr(len(words)), l.handles[wordType], l.op(op), c.handle)
}

// bytesAt returns the address of a buffer, which may be empty. It makes the buffer
// escape to the heap: a stack may move while an operation is under way.
func bytesAt[T any](b []T) uintptr {
	p := unsafe.Pointer(unsafe.SliceData(b))
	if never {
		sink.Store((*byte)(p))
	}
	return uintptr(p)
}

// The store to sink never runs, but the compiler cannot know that, so the buffer
// escapes.
var (
	never bool
	sink  atomic.Pointer[byte]
)
