package mpi

import (
	"runtime"
	"sync/atomic"
	"time"
	"unsafe"

	"github.com/gohops/hops/internal/arena"
)

// A Request is an operation under way. It ends with a Test or Wait that says so.
type Request uint64

// A Status describes a message that has arrived.
type Status struct {
	Source, Tag, Bytes int
}

// AnySource as a source takes messages of every rank.
const AnySource = -1

// Send starts sending buf, which must stay as it is until the request is done.
func (c *Comm) Send(buf []byte, to, tag int) (Request, error) {
	if err := checkCount("a message", len(buf)); err != nil {
		return 0, err
	}
	l := c.lib
	return l.start(isend, bytesAt(buf), uintptr(len(buf)), l.handles.byteType, uintptr(to), uintptr(tag), c.handle)
}

// Receive starts receiving into buf a message of a rank, or of AnySource, with a
// tag. A message that is longer is an error.
func (c *Comm) Receive(buf []byte, from, tag int) (Request, error) {
	if err := checkCount("a buffer", len(buf)); err != nil {
		return 0, err
	}
	l := c.lib
	return l.start(irecv, bytesAt(buf), uintptr(len(buf)), l.handles.byteType, l.source(from), uintptr(tag), c.handle)
}

// source is a rank as the library numbers it.
func (l *Library) source(from int) uintptr {
	if from == AnySource {
		return uintptr(l.anySource)
	}
	return uintptr(from)
}

// A Message has been found and can be received by its finder only.
type Message struct {
	Status
	handle uint64
}

// Probe looks for a message that has arrived, and takes it aside.
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

// Done tells whether an operation is done whose status does not matter.
func (l *Library) Done(r Request) (bool, error) {
	if !l.mu.TryLock() {
		return false, nil
	}
	defer l.mu.Unlock()
	l.out.handle, l.out.flag = uint64(r), 0
	err := l.call(test, address(&l.out.handle), address(&l.out.flag), l.statusesIgnored)
	return l.out.flag != 0, err
}

// Cancel gives up a receive that nothing has matched. It must still be tested.
func (l *Library) Cancel(r Request) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.out.handle = uint64(r)
	return l.call(cancel, address(&l.out.handle))
}

// status reads the library's structure.
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
		Pause(tries)
	}
}

// Pause is how long a poller waits after so many tries without success: at first
// it only lets others run, later it gives the processor away, which ranks that
// share one need.
func Pause(tries int) {
	const eager, patient = 200, 2000
	switch {
	case tries < eager:
		runtime.Gosched()
	case tries < patient:
		time.Sleep(time.Microsecond)
	default:
		time.Sleep(100 * time.Microsecond)
	}
}

// bytesAt is the address of a buffer, which may be empty. It makes the buffer
// escape to the heap: a stack may move while an operation is under way.
func bytesAt[T any](b []T) uintptr {
	p := unsafe.Pointer(unsafe.SliceData(b))
	if never {
		sink.Store((*byte)(p))
	}
	return uintptr(p)
}

// never is false, which the compiler cannot know.
var (
	never bool
	sink  atomic.Pointer[byte]
)

// A Set is a fixed number of places for requests, all tested by one call.
type Set struct {
	lib      *Library
	handles  []byte  // one after the other, as the library stores them
	indices  []int32 // of those found done
	statuses []byte
	free     []int
	used     int
}

// A Done is a request found done, by its place, and what it received.
type Done struct {
	Place int
	Status
}

// NewSet returns an empty set of n places. It lives as long as the library.
func (l *Library) NewSet(n int) (*Set, error) {
	memory, err := arena.Make[byte](&l.arena, n*int(l.handleSize+4+l.statusSize)+8)
	if err != nil {
		return nil, err
	}
	s := &Set{lib: l}
	s.handles, memory = memory[:n*int(l.handleSize)], memory[n*int(l.handleSize):]
	s.statuses, memory = memory[:n*int(l.statusSize)], memory[n*int(l.statusSize):]
	s.indices = unsafe.Slice((*int32)(unsafe.Pointer(unsafe.SliceData(memory))), n)
	for place := n - 1; place >= 0; place-- {
		s.put(place, uint64(l.abi.handles.null))
		s.free = append(s.free, place)
	}
	return s, nil
}

func (s *Set) put(place int, handle uint64) {
	at := unsafe.Pointer(&s.handles[place*int(s.lib.handleSize)])
	if s.lib.handleSize == 4 {
		*(*uint32)(at) = uint32(handle)
	} else {
		*(*uint64)(at) = handle
	}
}

// Len is the number of requests in the set.
func (s *Set) Len() int { return s.used }

// Full tells that there is no place left.
func (s *Set) Full() bool { return len(s.free) == 0 }

// Add puts a request into a free place, which there must be, and returns it.
func (s *Set) Add(r Request) (place int) {
	place = s.free[len(s.free)-1]
	s.free = s.free[:len(s.free)-1]
	s.put(place, uint64(r))
	s.used++
	return place
}

// Poll appends to dst the requests that are done, and removes them.
func (s *Set) Poll(dst []Done) ([]Done, error) {
	if s.used == 0 {
		return dst, nil
	}
	l := s.lib
	if !l.mu.TryLock() {
		return dst, nil
	}
	defer l.mu.Unlock()
	l.out.number = 0
	if err := l.call(testsome, uintptr(len(s.indices)), bytesAt(s.handles),
		address(&l.out.number), bytesAt(s.indices), bytesAt(s.statuses)); err != nil {
		return dst, err
	}
	found := int(l.out.number)
	for i := range max(0, found) { // negative: MPI_UNDEFINED, no active request
		status, err := l.status(&s.statuses[i*int(l.statusSize)])
		if err != nil {
			return dst, err
		}
		place := int(s.indices[i])
		s.free = append(s.free, place)
		s.used--
		dst = append(dst, Done{place, status})
	}
	return dst, nil
}
