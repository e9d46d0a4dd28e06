package rank

import "runtime"

const (
	// After eager looks, a waiting rank lets others run now and then: there may be
	// more ranks than cores. If there are not, yielding only keeps it from looking,
	// and the scheduler busy.
	eager, yieldEvery = 16, 8
	// patience is how many looks a rank takes, about half a millisecond, before it
	// sleeps between two. Ten times as many took no less time where ranks had the
	// processors to themselves, and two to three times as long where not.
	patience = 2_000
)

// A Pace is that of someone who looks for something again and again.
type Pace struct{ looks int }

// Wait is called after every look in vain: the more there were, the longer it takes.
func (p *Pace) Wait() {
	if p.looks++; p.looks > patience {
		Nap()
	} else if p.looks > eager && p.looks%yieldEvery == 0 {
		runtime.Gosched()
	}
}

// Reset is called when something was found, of which more may come.
func (p *Pace) Reset() { p.looks = 0 }

// Await calls done until it says so or fails.
func Await(done func() (bool, error)) error {
	for pace := (Pace{}); ; pace.Wait() {
		if ok, err := done(); ok || err != nil {
			return err
		}
	}
}

// Ready is a call that was done at once.
type Ready struct{}

// Done implements Pending.
func (Ready) Done() (bool, error) { return true, nil }

// Wait implements Pending.
func (Ready) Wait() error { return nil }
