package rank

import (
	"runtime"
	"time"
)

const (
	// spinsPerYield is how many polls the threads of a rank, together, make between two
	// yields where each has a core. Yielding more often delays the next poll, and all of
	// them contend for the lock of Go's scheduler.
	spinsPerYield = 256
	// spinsBeforeYield is how many polls a rank makes before it yields after each,
	// where ranks of one process share cores.
	spinsBeforeYield = 16
	// spinTime is how long a rank polls before it sleeps between polls. Ten times as
	// much gained nothing where ranks had the processors to themselves, and took two to
	// three times as long where other programs used them.
	spinTime = 500 * time.Microsecond
	// pollsPerSleep is how many polls a rank makes between two sleeps where processes
	// share cores. A reduction of MPICH advances by one step in a poll: with one poll, three
	// ranks on two cores took 6.5 ms for a search at scale 13, with 16 and 64 polls 2.6 ms,
	// with 256 polls 11 ms. To yield to the system instead, and sleep after 100 µs, took 6.3 ms:
	// the scheduler of Linux often comes back to the process that yields.
	pollsPerSleep = 32
)

// A Backoff decides what a polling rank does between two polls: spin, yield or
// sleep. The zero value is for ranks of one process that share cores.
type Backoff struct {
	OwnCore   bool      // every thread of every rank of this host has a core of its own
	Processes bool      // ranks are processes
	Stays     bool      // there is a processor for every goroutine: yielding only wakes idle threads
	Threads   int       // of this rank that may be waiting; 0 is one
	polls     int       // polls without success so far
	start     time.Time // of the wait, seen by its first yield
	sleeps    bool      // the wait is a long one
}

// Wait is called after every poll without success. It waits longer the longer there
// was none.
func (b *Backoff) Wait() {
	b.polls++
	switch {
	case b.Processes && !b.OwnCore:
		if b.polls%pollsPerSleep == 0 {
			ShortSleep()
		}
	case b.sleeps:
		ShortSleep()
	case b.OwnCore && b.polls%(spinsPerYield*max(1, b.Threads)) == 0, !b.OwnCore && b.polls > spinsBeforeYield:
		b.yield()
	}
}

// yield lets other goroutines run, and looks how long this rank has waited.
func (b *Backoff) yield() {
	if !b.Stays {
		runtime.Gosched()
	}
	if b.start.IsZero() {
		b.start = time.Now()
	}
	b.sleeps = time.Since(b.start) > spinTime
}

// Reset is called after a poll with success, since more may arrive soon.
func (b *Backoff) Reset() { b.polls, b.start, b.sleeps = 0, time.Time{}, false }

// Await polls done until it reports true or an error.
func (b Backoff) Await(done func() (bool, error)) error {
	for ; ; b.Wait() {
		if ok, err := done(); ok || err != nil {
			return err
		}
	}
}

// Await polls done until it reports true or an error, for ranks of one process.
func Await(done func() (bool, error)) error { return Backoff{}.Await(done) }

// Ready is the Pending of an operation that was complete when it was started.
type Ready struct{}

func (Ready) Done() (bool, error) { return true, nil }

func (Ready) Wait() error { return nil }
