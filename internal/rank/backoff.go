package rank

import "runtime"

const (
	// spinsBeforeYield is how many polls a rank makes without yielding where ranks
	// share cores.
	spinsBeforeYield = 16
	// spinsPerYield is how many polls a rank makes between two yields where each has
	// a core. Yielding more often delays the next poll, and all ranks contend for the
	// lock of Go's scheduler.
	spinsPerYield = 256
	// pollsBeforeSleep is how many polls a rank makes, about half a millisecond,
	// before it sleeps between polls. Ten times as many gained nothing where ranks had
	// the processors to themselves, and took two to three times as long where not.
	pollsBeforeSleep = 2_000
)

// A Backoff decides what a polling rank does between two polls: spin, yield or
// sleep. The zero value is for ranks that share cores.
type Backoff struct {
	OwnCore bool // every rank has a core of its own
	polls   int  // polls without success so far
}

// Wait is called after every poll without success. It waits longer the more there
// were.
func (b *Backoff) Wait() {
	b.polls++
	switch {
	case b.polls > pollsBeforeSleep:
		ShortSleep()
	case b.polls > spinsBeforeYield && !b.OwnCore, b.polls%spinsPerYield == 0:
		runtime.Gosched()
	}
}

// Reset is called after a poll with success, since more may arrive soon.
func (b *Backoff) Reset() { b.polls = 0 }

// Await polls done until it reports true or an error.
func Await(done func() (bool, error)) error {
	for backoff := (Backoff{}); ; backoff.Wait() {
		if ok, err := done(); ok || err != nil {
			return err
		}
	}
}

// Ready is the Pending of an operation that was complete when it was started.
type Ready struct{}

func (Ready) Done() (bool, error) { return true, nil }

func (Ready) Wait() error { return nil }
