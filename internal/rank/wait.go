package rank

import (
	"runtime"
	"time"
)

const (
	// After eager looks, a waiting rank lets others run between two: there may be
	// more ranks than cores.
	eager = 16
	// patience is how many looks a rank takes, some milliseconds, before it
	// sleeps between two.
	patience = 20_000
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
