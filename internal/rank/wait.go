package rank

import "runtime"

const (
	// Looks after which a waiting rank lets others run between two, if there are more
	// of them than cores, and of how many it does so otherwise: yielding then only
	// keeps it from looking, and all of them at the lock of the scheduler.
	eager, rarely = 16, 256
	// patience is how many looks a rank takes, about half a millisecond, before it
	// sleeps between two. Ten times as many took no less time where ranks had the
	// processors to themselves, and two to three times as long where not.
	patience = 2_000
)

// A Pace is that of someone who looks for something again and again.
type Pace struct {
	Alone bool // there is a core for everybody
	looks int
}

// Wait is called after every look in vain: the more there were, the longer it takes.
func (p *Pace) Wait() {
	p.looks++
	switch {
	case p.looks > patience:
		Nap()
	case p.looks > eager && !p.Alone, p.looks%rarely == 0:
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
