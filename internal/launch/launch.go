// Package launch makes this process a rank of what an MPI launcher started.
//
// Join opens MPI and returns a World, which is a rank.Comm of all processes. The
// messages go over MPI. Whether the others still live does not: an MPI library
// that loses a peer may hang, abort or print and go on, each in its own way. So
// every process also has a connection to rank 0 that nothing is sent over; the
// kernel closes it when a process ends, however it ends. See watch.go.
//
// When a rank has failed, every call of every rank returns a *rank.Failure that
// names it, and Failed is closed. What follows is left to the program: it has a
// few seconds to save what it has and should then exit. (Hydra, the launcher of
// MPICH, does not wait for that: see watchdog_linux.go.)
package launch

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/gohops/hops/internal/mpi"
	"github.com/gohops/hops/internal/rank"
)

// Launched tells whether there is a launcher's world to join.
func Launched() bool { return mpi.Launched() }

// Processes is how many the launcher says it started, 0 if it does not say.
func Processes() int { return mpi.Processes() }

// A World is the group of all processes that the launcher started.
type World struct {
	*comm
	members []Member
	watch   *watch
}

// A StartWatchdog starts a process that calls Watchdog with the listener and with
// the other end of the pipe that it returns.
type StartWatchdog func(listener *os.File) (pipe io.WriteCloser, err error)

// Join makes this process a rank. It is done once, and ended by Close. A watchdog is
// started for launchers that need one; nil does without.
func Join(start StartWatchdog) (*World, error) {
	lib, err := mpi.Start()
	if err != nil {
		return nil, err
	}
	all, err := lib.World()
	if err != nil {
		return nil, err
	}
	w := &World{comm: &comm{
		Comm: all, lib: lib, meter: new(rank.Meter), boxes: new(boxes),
		fate: &fate{rank: all.Rank, failed: make(chan struct{})},
	}}
	if !mpi.KillsAtOnce() {
		start = nil
	}
	if w.watch, err = stand(w.comm, start); err != nil {
		return nil, fmt.Errorf("launch: rank %d of %d: %w", all.Rank, all.Size, err)
	}
	if w.hosts, err = w.gatherHosts(thisHost()); err != nil {
		return nil, err
	}
	w.members, err = w.introduce()
	w.fate.crowded = crowded(w.members)
	return w, err
}

// crowded tells whether some host has more ranks than processors.
func crowded(members []Member) bool {
	ranks := make(map[int]int)
	for _, m := range members {
		if ranks[m.Node]++; ranks[m.Node] > m.Online {
			return true
		}
	}
	return false
}

// Failed is closed when a rank, this one or another, has failed.
func (w *World) Failed() <-chan struct{} { return w.fate.failed }

// Err is the failure, or nil.
func (w *World) Err() error { return w.fate.err() }

// Members are all ranks, by number.
func (w *World) Members() []Member { return w.members }

// Library is the MPI library in use, in its own words: "Open MPI v4.1.4".
func (w *World) Library() string {
	version, err := w.lib.Version()
	if err != nil {
		return w.lib.File()
	}
	name, _, _ := strings.Cut(version, ",")
	return strings.Join(strings.Fields(strings.Replace(name, "Version:", "", 1)), " ")
}

// lingering is how long a process stays after a failure: launchers lose what was
// written just before the end.
const lingering = 300 * time.Millisecond

// Close ends this process's part in the world. All ranks close it together. After
// a failure it only gives the launcher time to pass on what was said about it.
func (w *World) Close() error {
	if err := w.Err(); err != nil {
		time.Sleep(lingering)
		return nil
	}
	if err := w.Barrier(); err != nil {
		return err
	}
	err := w.finish()
	w.watch.leave()
	return err
}

// finish lets MPI do so, for a while: all ranks have done all their work by now.
func (w *World) finish() error {
	if mpi.KillsAtOnce() && slices.Max(w.hosts) > 0 && mpi.Resign() == nil {
		return nil
	}
	finished := make(chan error, 1)
	go func() { finished <- w.lib.Finish() }()
	select {
	case err := <-finished:
		return err
	case <-time.After(finishWithin):
		return nil
	}
}

// finishWithin is how long MPI has to finish. Launchers take a rank that ends before
// it has for a failed one, so that this must be long enough for a machine that is
// busy with something else.
const finishWithin = 30 * time.Second

// A fate is what the groups of a process share: what they know of failures, and
// whether ranks have to share processors.
type fate struct {
	rank    int // of this process
	crowded bool
	failure atomic.Pointer[rank.Failure]
	once    sync.Once
	failed  chan struct{}
	tell    func(*rank.Failure) // tells the others
}

func (f *fate) err() error {
	if e := f.failure.Load(); e != nil {
		return e
	}
	return nil
}

// fail records the first failure there is.
func (f *fate) fail(who int, cause error) {
	f.once.Do(func() {
		e := &rank.Failure{Rank: who, Cause: cause}
		f.failure.Store(e)
		close(f.failed)
		if f.tell != nil {
			f.tell(e)
		}
	})
}

// grace is how long a rank that is about to fail waits to hear that another did
// before it. A launcher that loses one process ends the others, and MPI calls
// fail when a peer is gone: neither is the cause.
const grace = 300 * time.Millisecond

// Abort makes this rank a failed one, unless another has failed already.
func (c *comm) Abort(cause error) {
	if f := (*rank.Failure)(nil); errors.As(cause, &f) {
		return
	}
	select {
	case <-c.fate.failed:
	case <-time.After(grace):
		c.fate.fail(c.fate.rank, cause)
	}
}

// known turns an error of MPI into the failure behind it.
func (c *comm) known(err error) error {
	if err == nil {
		return nil
	}
	c.Abort(err)
	return c.fate.err()
}

// guardLauncher fails this rank when the process that started it is gone.
func guardLauncher(f *fate) {
	launcher := os.Getppid()
	for range time.Tick(100 * time.Millisecond) {
		if os.Getppid() != launcher {
			f.fail(f.rank, fmt.Errorf("its launcher, process %d, is gone", launcher))
			return
		}
	}
}
