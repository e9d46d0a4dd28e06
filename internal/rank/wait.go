package rank

import (
	"runtime"
	"time"
)

const (
	// After eager looks, a waiting rank lets others run between two: there may be
	// more ranks than cores.
	eager = 16
	// patience is how many looks a rank takes, about half a millisecond, before it
	// sleeps between two. Ten times as many took no less time where ranks had the
	// processors to themselves, and two to three times as long where not.
	patience = 2_000
	nap      = 50 * time.Microsecond
)

// Await calls done until it says so or fails.
func Await(done func() (bool, error)) error {
	for looks := 1; ; looks++ {
		if ok, err := done(); ok || err != nil {
			return err
		}
		if looks > patience {
			time.Sleep(nap)
		} else if looks > eager {
			runtime.Gosched()
		}
	}
}

// Ready is a call that was done at once.
type Ready struct{}

// Done implements Pending.
func (Ready) Done() (bool, error) { return true, nil }

// Wait implements Pending.
func (Ready) Wait() error { return nil }
