// Package par runs one function on a team of workers, again and again.
//
// A search has a parallel phase every few microseconds to milliseconds, so
// starting goroutines for each would cost more than some of the phases. A Team
// keeps its workers: between two phases they spin for a moment, since the next
// phase usually comes at once, and then sleep, so that an idle team costs
// nothing. They sleep sooner if another team has to wake its workers, who would find
// their cores taken: those that search, by those that have validated the tree before.
//
//  1. Run stores the function, advances the epoch and wakes the sleepers.
//  2. Each worker sees the new epoch, calls the function with its own number and
//     counts itself off.
//  3. The caller, who is worker 0, does its own share and waits for the count to
//     reach zero: it spins for a moment too, and then sleeps until the last
//     worker wakes it. On a machine with more to do than cores, a caller that
//     went on spinning would use up the time that its workers are waiting for.
//
// On such a machine a worker may have no core when a phase begins, and may have none for
// many milliseconds. So whoever is done, and has waited for a moment, does the shares that
// nobody has begun: a phase waits only for workers that lost their core inside it.
//
// Where and how they sleep is in gate.go, on which CPU they wake up in apart_linux.go.
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

	// yieldTime is how long a worker spins before it yields, and between two yields, where Go has
	// a processor for every worker: what else there is to run can wait so long. Sixteen workers
	// that yielded once in 256 loads of all together searched at 39, 40 and 42 GTEPS, and so at
	// 50, 49 and 50 (scale 22, trees validated, in turn). Two workers gained nothing.
	//
	// Where Go has one more, nobody yields: whoever does has Go wake an idle thread to look for
	// work, which takes a core from the ranks beside this one. Four processes of four workers
	// each on sixteen cores searched at 14.7 GTEPS with that, and at 20.1 without (scale 24).
	yieldTime = 100 * time.Microsecond

	// firstLoads is the number of loads before the first yield, at the least. Most waits of
	// two workers are shorter than these: yielding after 256, some 0.2 µs, a grid of 1,000 ×
	// 1,000 took 1.03 to 1.26 times as long, since who yields sees the next phase late.
	firstLoads = 1024

	// spinTime is the timeout of teams. To wake a worker took 33 µs, and they are woken one
	// after the other. Less makes the short levels of a search, and the next search, pay for
	// waking; more burns cores after the last one. At scale 20 on two cores 400 µs made no
	// difference to 150. It is a time and not a number of loads: the race detector makes a
	// load many times as slow, and spinning took most of a test's time.
	spinTime = 150 * time.Microsecond

	// maxInKernel is the size of the largest team that sleeps in the kernel. Of sixteen that
	// wake up at once, the kernel puts some on one core, where they wait for each other's time
	// slices of 4 ms: at scale 22 a search took five times as long as with goroutines that sleep.
	maxInKernel = 4

	// standInAfter is how long a worker that is done waits until it does what others have not
	// begun: longer than those who sleep take to wake up, on two cores.
	standInAfter = 20 * time.Microsecond

	// wakingUp is how long each of many workers may take to wake up. Where goroutines sleep, Go
	// wakes one thread after the other: sixteen took some 0.6 ms on an idle machine.
	wakingUp = 200 * time.Microsecond
)

// A kind of team tells what its workers do while they wait.
type kind int

const (
	independent kind = iota // others can stand in for them
	interlocked             // they wait for each other within a phase
	bound                   // every one has a CPU of its own, and a thread that nobody else uses
)

// A share is what one worker has to do in each phase. Who sets begun to the epoch of
// the phase does it.
type share struct {
	begun atomic.Uint32 // the epoch of the last phase in which it was begun
	born  atomic.Bool   // its worker is set up
	sleeper
	_ [cacheLine - 16]byte
}

// A sleeper is a worker, or the caller, that sleeps in the kernel: see apart_linux.go.
type sleeper struct {
	thread  atomic.Int32 // 0: it is awake
	keptOff atomic.Bool  // it may not run on some CPU until it is awake
}

// calls is how often some team had to wake its workers. Those of other teams, who only look for a
// phase that may follow, then leave their cores to them.
var calls atomic.Uint32

// awake is the number of workers of all teams of this process that do not sleep. Callers are not
// among them, unless they are workers of another team, as ranks are.
var awake atomic.Int64

// A Team is a fixed number of workers. One goroutine at a time may use it.
//
// A phase that has nothing to do takes as long as cache lines need to go from core to core,
// some 0.1 µs each. So what the caller writes for the workers is on one line, and they count
// on another one, which nobody sets back: an empty phase of two workers took 0.50 to 0.55 µs
// where the count was set for every phase and the function was elsewhere, and takes 0.31 to 0.33.
type Team struct {
	size    int
	procs   int64         // GOMAXPROCS
	timeout time.Duration // how long a worker spins before it sleeps, for every other worker
	kind    kind
	shares  []share
	_       [8]byte // the rest of a line: Go aligns a Team, which has 512 bytes

	body   func(worker int)
	phase  atomic.Uint64 // the epoch in the high half, and how many workers take part in the low
	closed bool
	epoch  gate // of the phases; the workers wait for the next one

	done gate   // shares that the workers have done in all phases; the caller waits for the last one
	due  uint32 // what done is when this phase is over: the caller's own

	next  atomic.Int64
	fault atomic.Pointer[runtime.Error] // the first of a phase
}

// NewTeam starts a team of n workers, or one per CPU available if n < 1. The
// caller of Run is one of them. setup, if not nil, is called first by every
// worker but the caller's; an engine that binds its threads does so there.
func NewTeam(n int, setup func(worker int)) *Team { return newTeam(n, setup, independent) }

// NewInterlocked is NewTeam for workers that wait for each other within a phase, so that nobody
// can stand in for one that has no processor. They yield as often as if there were fewer
// processors than workers: a rank of sixteen such threads took 1.35 times as long for a search
// when they yielded every 100 µs (scale 22).
func NewInterlocked(n int, setup func(worker int)) *Team { return newTeam(n, setup, interlocked) }

// NewBound is NewTeam for workers that setup binds to a CPU each. However many they are, they
// sleep in the kernel, which can put no two of them on one core. They never yield: a
// goroutine that has a thread to itself does so by putting that thread to sleep.
func NewBound(n int, setup func(worker int)) *Team { return newTeam(n, setup, bound) }

func newTeam(n int, setup func(worker int), k kind) *Team {
	if n < 1 {
		n = runtime.GOMAXPROCS(0)
	}
	t := &Team{size: n, procs: int64(runtime.GOMAXPROCS(0)), timeout: spinTime, kind: k, shares: make([]share, n)}
	awake.Add(int64(n - 1))
	// More workers than cores take turns, for which they need no threads.
	inKernel := hasFutex && int64(n) <= t.procs && (k == bound || n <= maxInKernel)
	t.epoch.open(inKernel)
	t.done.open(inKernel)
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
	t.release(0)
}

// Run calls f(0) … f(Size()-1), each on its own worker or, if that is late, on another, and
// returns when all have returned. If one reads memory that is not there, such as a mapped file that was
// cut short, Run panics with that fault when all have returned: the caller, who can
// recover from it if it called debug.SetPanicOnFault, has no access to the workers.
func (t *Team) Run(f func(worker int)) { t.RunFirst(t.size, f) }

// RunFirst is Run with workers 0 to n-1 alone: the others neither run f nor are waited for.
func (t *Team) RunFirst(n int, f func(worker int)) {
	if n = min(n, t.size); n <= 1 {
		f(0)
		return
	}
	t.body = f
	t.due += uint32(n - 1)
	t.release(n)
	t.do(0)
	t.join()
	if fault := t.fault.Load(); fault != nil {
		t.fault.Store(nil)
		panic(*fault)
	}
}

// Gather returns when all workers are awake and look for the next phase, or when they had the
// time to wake up. Clear of an engine ends with it, so that the search after it does not wait
// for cores: searches of small graphs take less time than sixteen threads need to wake up.
func (t *Team) Gather() {
	var here atomic.Int32
	end := time.Now().Add(wakingUp * time.Duration(t.size))
	t.Run(func(int) { // until all are here nobody is done, and can stand in for another
		for here.Add(1); int(here.Load()) < t.size && time.Now().Before(end); {
		}
	})
}

// do does a worker's share of a phase, and keeps a fault for the caller.
func (t *Team) do(w int) {
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
	for done := t.done.value.Load(); done != t.due; done = t.done.value.Load() {
		t.await(0, &t.done, done)
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
	each, rest := blocks/int64(parts), blocks%int64(parts)
	at := func(part int64) int64 { return min((each*part+rest*part/int64(parts))*align, n) } // no product exceeds n
	return at(int64(part)), at(int64(part + 1))
}

// release begins a phase of n workers, and the end of the team if n is 0.
func (t *Team) release(n int) {
	t.phase.Store(uint64(t.epoch.value.Load()+1)<<32 | uint64(n))
	t.epoch.value.Add(1)
	if t.epoch.asleep.Load() > 0 {
		calls.Add(1)
	}
	t.rouse(&t.epoch, t.shares[1:])
}

func (t *Team) work(w int, setup func(int)) {
	debug.SetPanicOnFault(true)
	if setup != nil {
		setup(w)
	}
	t.shares[w].born.Store(true)
	for seen := uint32(0); ; {
		t.await(w, &t.epoch, seen)
		epoch, n := t.present()
		seen = epoch
		if n == 0 { // the team is closed
			awake.Add(-1)
			return
		}
		if t.begin(w, epoch) && w < n {
			t.do(w)
			t.countOff()
		}
	}
}

// present is the epoch of the phase that goes on, or of the last one, and how many workers take
// part in it: 0 if the team is closed.
func (t *Team) present() (epoch uint32, n int) {
	p := t.phase.Load()
	return uint32(p >> 32), int(uint32(p))
}

// begin claims the share of worker w in a phase. While a share is not begun its phase goes on: if
// it can still be claimed, the phase is the present one. Workers claim their shares of phases in
// which they have no part, too, so that they are never 2³¹ phases behind.
func (t *Team) begin(w int, epoch uint32) bool {
	last := t.shares[w].begun.Load()
	isLate := int32(epoch-last) > 0 // it may be of the phase after this one
	return isLate && t.shares[w].begun.CompareAndSwap(last, epoch)
}

// countOff says that one share of this phase is done.
func (t *Team) countOff() {
	t.done.value.Add(1)
	if t.done.asleep.Load() > 0 {
		t.rouse(&t.done, t.shares[:1])
	}
}

// rouse wakes all who sleep at a gate, which are some of these.
func (t *Team) rouse(g *gate, sleepers []share) {
	if !g.inKernel || t.kind == bound || g.asleep.Load() == 0 {
		g.rouse()
		return
	}
	var apart threadsApart
	apart.keep(sleepers)
	g.rouse()
	apart.release(sleepers)
}

// sleep has worker w sleep at a gate.
func (t *Team) sleep(w int, g *gate, old uint32) {
	me := &t.shares[w].sleeper
	me.thread.Store(thisThread())
	g.sleep(old)
	me.thread.Store(0)
	for me.keptOff.Load() { // whoever wakes it is about to end that
		runtime.Gosched()
	}
}

// standIn does the shares of this phase that nobody has begun.
func (t *Team) standIn() {
	epoch, n := t.present()
	for w := 1; w < n; w++ {
		if t.shares[w].born.Load() && t.begin(w, epoch) {
			t.do(w)
			t.countOff()
		}
	}
}

// await returns when the value of a gate is no longer old. It spins, stands in for who is
// late, and then sleeps.
func (t *Team) await(w int, g *gate, old uint32) {
	others, before := max(1, min(awake.Load(), t.procs-1)), calls.Load()
	if t.spin(g, old, others, standInAfter, nil) {
		return
	}
	t.standIn()
	isWanted := func() bool { return w > 0 && t.kind == independent && calls.Load() != before }
	if !t.spin(g, old, others, t.timeout*time.Duration(others), isWanted) {
		awake.Add(-1)
		t.sleep(w, g, old)
		awake.Add(1)
	}
}

// spin waits for the value of a gate to be no longer old, and tells whether that came about.
// others is the number of those who may be waiting. isWanted, if not nil, tells whether this core is
// wanted for something else.
func (t *Team) spin(g *gate, old uint32, others int64, limit time.Duration, isWanted func() bool) bool {
	var start, yielded time.Time // set after the first round of loads: most waits are shorter, and need no clock
	for loads := max(firstLoads, loadsPerYield*others); ; loads = loadsPerYield * others {
		for range loads {
			if g.value.Load() != old {
				return true
			}
		}
		if isWanted != nil && isWanted() {
			return false
		}
		now := time.Now()
		if start.IsZero() {
			start, yielded = now, now
		} else if now.Sub(start) >= limit {
			return false
		}
		if t.yields(awake.Load()+1, now.Sub(yielded)) {
			runtime.Gosched()
			yielded = now
		}
	}
}

// yields tells whether a worker that has not let others run for some time is to do so. running
// are the workers that are awake, and their caller.
func (t *Team) yields(running int64, since time.Duration) bool {
	switch {
	case t.kind == bound || running < t.procs:
		return false
	case t.kind == interlocked || running > t.procs:
		return true
	}
	return since >= yieldTime
}
