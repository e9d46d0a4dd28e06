package par

import (
	"sync"
	"sync/atomic"
)

// A gate is a value, and a place to sleep until it changes.
//
// A futex of the kernel wakes any number of threads in one call. To make as many
// goroutines ready takes Go's scheduler several times as long: each wake-up of a thread
// is a call of its own, and threads that find nothing to do yet go back to sleep. But a
// sleeper in the kernel keeps its thread, which then needs a core of its own, so that large
// teams (see maxInKernel), and systems without a futex, have a condition variable.
//
// A sleeper increments asleep, then reads value; an opener writes value, then reads asleep: one
// of the two sees the other.
type gate struct {
	value atomic.Uint32
	_     [cacheLine]byte // the value is spun on

	asleep   atomic.Int32 // sleepers, or those about to sleep
	inKernel bool
	mu       sync.Mutex
	changed  sync.Cond
	_        [cacheLine]byte
}

// open makes a gate ready.
func (g *gate) open(inKernel bool) { g.inKernel, g.changed.L = inKernel, &g.mu }

// sleep returns when the value is no longer old.
func (g *gate) sleep(old uint32) {
	g.asleep.Add(1)
	defer g.asleep.Add(-1)
	if g.inKernel {
		for g.value.Load() == old {
			futexWait(&g.value, old)
		}
		return
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	for g.value.Load() == old {
		g.changed.Wait()
	}
}

// rouse wakes all who sleep here, after the value was changed.
func (g *gate) rouse() {
	switch {
	case g.asleep.Load() == 0:
	case g.inKernel:
		futexWake(&g.value)
	default:
		g.mu.Lock() // a sleeper has looked at the value, and waits, or will look
		g.changed.Broadcast()
		g.mu.Unlock()
	}
}
