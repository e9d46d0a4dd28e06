// Package par runs one function on a team of workers, again and again.
//
// A search has a parallel phase every few microseconds to milliseconds, so
// starting goroutines for each would cost more than some of the phases. A Team
// keeps its workers: between two phases they spin for a moment, since the next
// phase usually comes at once, and then sleep, so that an idle team costs
// nothing.
//
//  1. Run stores the function, advances the epoch and wakes the sleepers.
//  2. Each worker sees the new epoch, calls the function with its own number and
//     counts itself off.
//  3. The caller, who is worker 0, does its own share and waits for the count to
//     reach zero: it spins for a moment too, and then sleeps until the last
//     worker wakes it. On a machine with more to do than cores, a caller that
//     went on spinning would use up the time that its workers are waiting for.
//
// Where and how they sleep is in gate.go.
package par

import (
	"runtime"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"
)

const (
	cacheLine = 64

	// While a worker spins it lets other goroutines run now and then: whom it waits
	// for may have no other core. To yield is to take a lock that all threads share,
	// so that all those who may be waiting, together, do it once every so many loads.
	loadsPerYield = 256

	// spinTime is how long a worker spins before it sleeps, for every other worker. To
	// wake one took 33 µs, and they are woken one after the other. Less makes the short
	// levels of a search, and the next search, pay for waking; more burns cores after the
	// last one. At scale 20 on two cores 400 µs made no difference to 150. It is a time and
	// not a number of loads: the race detector makes a load many times as slow, and spinning
	// took most of a test's time.
	spinTime = 150 * time.Microsecond
)

// workers is the number of those of all teams of this process, but for teams of
// one, whose worker never waits.
var workers atomic.Int64

// A Team is a fixed number of workers. One goroutine at a time may use it.
type Team struct {
	size   int
	procs  int64 // GOMAXPROCS
	body   func(worker int)
	closed bool

	_       [cacheLine]byte
	epoch   gate // of the phases; the workers wait for the next one
	pending gate // the workers that are not yet done; the caller waits for 0
	next    atomic.Int64
	_       [cacheLine]byte

	fault atomic.Pointer[runtime.Error] // the first of a phase
}

// NewTeam starts a team of n workers, or one per CPU available if n < 1. The
// caller of Run is one of them. setup, if not nil, is called first by every
// worker but the caller's; an engine that binds its threads does so there.
func NewTeam(n int, setup func(worker int)) *Team {
	if n < 1 {
		n = runtime.GOMAXPROCS(0)
	}
	t := &Team{size: n, procs: int64(runtime.GOMAXPROCS(0))}
	if n > 1 {
		workers.Add(int64(n))
	}
	// More workers than cores take turns, for which they need no threads.
	inKernel := hasFutex && int64(n) <= t.procs
	t.epoch.open(inKernel)
	t.pending.open(inKernel)
	for w := 1; w < n; w++ {
		go t.work(w, setup)
	}
	return t
}

// Size is the number of workers.
func (t *Team) Size() int { return t.size }

// Close ends the workers. A team of size 1 has none and need not be closed.
func (t *Team) Close() {
	if t.closed {
		return
	}
	t.closed = true
	if t.size > 1 {
		workers.Add(int64(-t.size))
	}
	t.release()
}

// Run calls f(0) … f(Size()-1), each on its own worker, and returns when all
// have returned. If one reads memory that is not there, such as a mapped file that was
// cut short, Run panics with that fault when all have returned: the caller, who can
// recover from it if it called debug.SetPanicOnFault, has no access to the workers.
func (t *Team) Run(f func(worker int)) {
	if t.size == 1 {
		f(0)
		return
	}
	t.body = f
	t.pending.value.Store(uint32(t.size - 1))
	t.release()
	t.share(0)
	t.join()
	if fault := t.fault.Swap(nil); fault != nil {
		panic(*fault)
	}
}

// share does a worker's share of a phase, and keeps a fault for the caller.
func (t *Team) share(w int) {
	defer func() {
		p := recover()
		if p == nil {
			return
		}
		fault, ok := p.(interface {
			runtime.Error
			Addr() uintptr
		})
		if !ok {
			panic(p)
		}
		err := runtime.Error(fault)
		t.fault.CompareAndSwap(nil, &err)
	}()
	t.body(w)
}

// join returns when all workers have counted themselves off.
func (t *Team) join() {
	for left := t.pending.value.Load(); left != 0; left = t.pending.value.Load() {
		t.await(&t.pending, left)
	}
}

// For splits [0, n) into chunks of grain and hands them to the workers as they
// become free. The caller does a single chunk itself, and wakes nobody.
func (t *Team) For(n, grain int64, f func(worker int, lo, hi int64)) {
	t.next.Store(0)
	if n <= grain {
		if n > 0 {
			f(0, 0, n)
		}
		return
	}
	t.Run(func(worker int) {
		for {
			lo := t.next.Add(grain) - grain
			if lo >= n {
				return
			}
			f(worker, lo, min(lo+grain, n))
		}
	})
}

// Try is For for a function that can fail. It returns the error of the lowest chunk that
// failed, so that f need only find the first fault in its chunk. Chunks are handed out in
// ascending order, and none after one has failed.
func (t *Team) Try(n, grain int64, f func(worker int, lo, hi int64) error) error {
	var (
		mu     sync.Mutex
		lowest error
		at     = n // start of the chunk that failed with lowest
	)
	t.For(n, grain, func(worker int, lo, hi int64) {
		if err := f(worker, lo, hi); err != nil {
			t.next.Store(n)
			mu.Lock()
			defer mu.Unlock()
			if lo < at {
				lowest, at = err, lo
			}
		}
	})
	return lowest
}

// Split returns the share [lo, hi) of [0, n) that belongs to one of parts, in
// multiples of align: contiguous, ordered, and as even as the alignment allows.
func Split(n, align int64, part, parts int) (lo, hi int64) {
	blocks := (n + align - 1) / align
	lo = blocks * int64(part) / int64(parts) * align
	hi = blocks * int64(part+1) / int64(parts) * align
	return min(lo, n), min(hi, n)
}

func (t *Team) release() {
	t.epoch.value.Add(1)
	t.epoch.rouse()
}

func (t *Team) work(w int, setup func(int)) {
	debug.SetPanicOnFault(true)
	if setup != nil {
		setup(w)
	}
	for seen := uint32(0); ; seen++ {
		t.await(&t.epoch, seen)
		if t.closed {
			return
		}
		t.share(w)
		if t.pending.value.Add(^uint32(0)) == 0 {
			t.pending.rouse()
		}
	}
}

// await returns when the value of a gate is no longer old. It spins, and then sleeps.
func (t *Team) await(g *gate, old uint32) {
	others := max(1, min(workers.Load(), t.procs)-1)
	for start := time.Now(); time.Since(start) < spinTime*time.Duration(others); {
		for range loadsPerYield * others {
			if g.value.Load() != old {
				return
			}
		}
		runtime.Gosched()
	}
	g.sleep(old)
}
