package placement

import (
	"runtime"
	"sync/atomic"
	"time"

	"golang.org/x/sys/unix"

	"github.com/gohops/hops/internal/base/topo"
)

// On a machine with more to do than CPUs, the kernel takes the CPU from whoever has had its
// share, and looks who that is once a tick, every 1 to 10 ms. A search of one millisecond
// that begins anywhere in a slice of time is often cut in two by some milliseconds of
// another process; and two workers that are woken there often share one CPU for the whole
// search.
//
// So the workers meet before a search that is timed: each moves to a CPU of its own and
// sleeps until just after a tick. A thread that has slept has a claim to its CPU, gets it at
// once, and keeps it until the next tick at least.

const (
	// afterTick is how long after a tick the workers wake up: after the kernel has looked, and
	// early enough that most of the time to the next tick is left.
	afterTick = 50 * time.Microsecond

	// A rendezvous takes at most one part in so many of the time since the last one. Beside
	// eight busy processes for each CPU, in the same session, workers needed up to six tries of
	// 10 to 40 ms.
	share = 5

	// phaseLasts is how long a phase is believed: it may have been found while the kernel was late.
	phaseLasts = time.Second

	// prompt is how long two looks at the clocks are apart at most, unless another process had the CPU.
	prompt = 20 * time.Microsecond

	// mostWaiting is how long a rendezvous takes at most.
	mostWaiting = 500 * time.Millisecond
)

// rendezvous is what the workers of a Team need to meet.
type rendezvous struct {
	homes []*topo.Visitor // binds each worker to a CPU of its own; nil: they do not meet
	ended time.Duration   // when they last met
	phase time.Duration   // by which the coarse clock is behind when it goes forward
	found time.Duration   // when that was found; 0: never
}

func newRendezvous(p Placement) rendezvous {
	m := rendezvous{ended: now()}
	cpus := map[int]bool{}
	for w := range p {
		v, err := topo.NewVisitor(topo.CPUs{home(p, w)})
		if err != nil {
			return rendezvous{}
		}
		cpus[home(p, w)] = true
		m.homes = append(m.homes, v)
	}
	if len(p) > min(len(cpus), runtime.GOMAXPROCS(0)) { // they take turns
		return rendezvous{}
	}
	return m
}

// home is the CPU where a worker meets the others.
func home(p Placement, w int) int { return p[w].CPUs[w%len(p[w].CPUs)] }

// Meet returns when every worker runs on a CPU of its own and has a slice of time before
// it. If that does not come about soon, it gives up. Workers that have met just before only
// wake up.
func (t *Team) Meet() {
	if t.rendezvous.homes == nil {
		return
	}
	tick, begun := ticking(), now()
	end := begun + min((begun-t.rendezvous.ended)/share, mostWaiting)
	if end-begun < 2*tick {
		t.Gather()
		return
	}
	if t.rendezvous.found == 0 || begun-t.rendezvous.found > phaseLasts {
		t.rendezvous.findPhase(tick)
	}
	for now() < end && !t.meetAt(t.rendezvous.lastTick()+2*tick+afterTick) {
	}
	t.rendezvous.ended = now()
}

// meetAt has all workers sleep until just after a tick, and those who wake up wait for the
// others until the next one. It tells whether all came while most of the time between the
// two was left.
func (t *Team) meetAt(wake time.Duration) bool {
	tick := ticking()
	var here atomic.Int32
	t.Run(func(w int) {
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		if t.rendezvous.homes[w].Enter() {
			defer t.rendezvous.homes[w].Leave()
		}
		sleepUntil(wake)
		for here.Add(1); int(here.Load()) < t.Size() && now() < wake+tick; {
		}
	})
	return int(here.Load()) == t.Size() && now() < wake+tick/4
}

// ticking is the time between two ticks: that by which the coarse clock goes forward.
func ticking() time.Duration {
	var t unix.Timespec
	if unix.ClockGetres(unix.CLOCK_MONOTONIC_COARSE, &t) != nil {
		return 0
	}
	return time.Duration(t.Nano())
}

// lastTick is when the kernel looked last. The coarse clock stands still between two ticks, and
// goes forward by whole ones, so that it is behind every tick by the same phase.
func (m *rendezvous) lastTick() time.Duration { return coarse() + m.phase }

// findPhase sees the coarse clock go forward, and notes how far it is behind then. Who loses
// its CPU meanwhile looks again.
func (m *rendezvous) findPhase(tick time.Duration) {
	seen, last, end := coarse(), now(), now()+8*tick
	for last < end {
		c, n := coarse(), now()
		if c != seen && n-last < prompt {
			m.phase, m.found = n-c, n
			return
		}
		seen, last = c, n
	}
}

func coarse() time.Duration { return clock(unix.CLOCK_MONOTONIC_COARSE) }

func now() time.Duration { return clock(unix.CLOCK_MONOTONIC) }

func clock(id int32) time.Duration {
	var t unix.Timespec
	_ = unix.ClockGettime(id, &t)
	return time.Duration(t.Nano())
}

func sleepUntil(at time.Duration) {
	t := unix.NsecToTimespec(int64(at))
	_ = unix.ClockNanosleep(unix.CLOCK_MONOTONIC, unix.TIMER_ABSTIME, &t, nil)
}
