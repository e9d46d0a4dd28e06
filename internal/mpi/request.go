package mpi

import (
	"runtime"
	"sync/atomic"
	"time"
	"unsafe"
)

// A Request is an operation under way. It is used up when Test, Done or Wait has
// reported its end.
type Request uint64

// A Status describes a message that has arrived.
type Status struct {
	Source, Tag, Bytes int
}

// AnySource, given as a source, matches messages from every rank.
const AnySource = -1

// Send starts sending buf, which must stay as it is until the request is done.
func (c *Comm) Send(buf []byte, to, tag int) (Request, error) {
	if err := checkCount("a message", len(buf)); err != nil {
		return 0, err
	}
	l := c.lib
	return l.start(isend, bytesAt(buf), uintptr(len(buf)), l.handles.byteType, uintptr(to), uintptr(tag), c.handle)
}

// Receive starts receiving a message with a tag from a rank, or from AnySource, into
// buf. A message longer than buf is an error.
func (c *Comm) Receive(buf []byte, from, tag int) (Request, error) {
	if err := checkCount("a buffer", len(buf)); err != nil {
		return 0, err
	}
	l := c.lib
	return l.start(irecv, bytesAt(buf), uintptr(len(buf)), l.handles.byteType, l.source(from), uintptr(tag), c.handle)
}

// source returns the library's number for a source.
func (l *Library) source(from int) uintptr {
	if from == AnySource {
		return uintptr(l.anySource)
	}
	return uintptr(from)
}

// A Message is one that Probe has found. Only ReceiveFound can receive it.
type Message struct {
	Status
	handle uint64
}

// Probe looks for a message that has arrived, and reserves it for ReceiveFound.
func (c *Comm) Probe(from, tag int) (m Message, ok bool, err error) {
	l := c.lib
	if !l.mu.TryLock() {
		return Message{}, false, nil
	}
	defer l.mu.Unlock()
	l.out.message, l.out.flag = 0, 0
	if err := l.call(improbe, l.source(from), uintptr(tag), c.handle,
		address(&l.out.flag), address(&l.out.message), address(&l.out.status[0])); err != nil || l.out.flag == 0 {
		return Message{}, false, err
	}
	m.handle = l.out.message
	m.Status, err = l.status(&l.out.status[0])
	return m, err == nil, err
}

// ReceiveFound starts receiving a message that Probe found.
func (c *Comm) ReceiveFound(buf []byte, m Message) (Request, error) {
	l := c.lib
	l.mu.Lock()
	defer l.mu.Unlock()
	l.out.handle, l.out.message = 0, m.handle
	err := l.call(imrecv, bytesAt(buf), uintptr(len(buf)), l.handles.byteType, address(&l.out.message), address(&l.out.handle))
	return Request(l.out.handle), err
}

// start calls a function whose last argument receives a request.
func (l *Library) start(f function, args ...uintptr) (Request, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.out.handle = 0
	err := l.call(f, append(args, address(&l.out.handle))...)
	return Request(l.out.handle), err
}

// Test tells whether an operation is done. If so, the request is used up.
func (l *Library) Test(r Request) (s Status, done bool, err error) {
	if !l.mu.TryLock() {
		return Status{}, false, nil
	}
	defer l.mu.Unlock()
	l.out.handle, l.out.flag = uint64(r), 0
	err = l.call(test, address(&l.out.handle), address(&l.out.flag), address(&l.out.status))
	if err != nil || l.out.flag == 0 {
		return Status{}, false, err
	}
	s, err = l.status(&l.out.status[0])
	return s, true, err
}

// Done is Test without a status, which costs less.
func (l *Library) Done(r Request) (bool, error) {
	if !l.mu.TryLock() {
		return false, nil
	}
	defer l.mu.Unlock()
	l.out.handle, l.out.flag = uint64(r), 0
	err := l.call(test, address(&l.out.handle), address(&l.out.flag), l.statusesIgnored)
	return l.out.flag != 0, err
}

// status reads an MPI_Status.
func (l *Library) status(at *byte) (Status, error) {
	if err := l.call(getCount, address(at), l.handles.byteType, address(&l.out.number)); err != nil {
		return Status{}, err
	}
	field := func(offset uintptr) int { return int(*(*int32)(unsafe.Add(unsafe.Pointer(at), offset))) }
	return Status{Source: field(l.sourceAt), Tag: field(l.tagAt), Bytes: int(l.out.number)}, nil
}

// Wait polls until an operation is done.
func (l *Library) Wait(r Request) (Status, error) {
	for tries := 0; ; tries++ {
		if s, done, err := l.Test(r); done || err != nil {
			return s, err
		}
		pause(tries)
	}
}

// pause waits after a number of polls without success: at first it only yields to
// other goroutines, later it sleeps, so that ranks that share a processor can run.
func pause(tries int) {
	const yields, shortSleeps = 200, 2000
	switch {
	case tries < yields:
		runtime.Gosched()
	case tries < shortSleeps:
		time.Sleep(time.Microsecond)
	default:
		time.Sleep(100 * time.Microsecond)
	}
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
