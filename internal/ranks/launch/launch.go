// Package launch makes this process a rank of a run that an MPI launcher started.
//
// Join opens MPI and returns a World, which is a rank.Comm of all processes. Messages
// go over MPI. Failures are detected without MPI: an MPI library that loses a peer may
// hang, abort, or print a message and continue. So every process also has a TCP
// connection to rank 0, which the kernel closes when the process ends for any reason,
// and over which both say every second that they run. See watch.go.
//
// When a rank has failed, every operation of every rank returns a *rank.Failure that
// names it, and the channel Failed is closed. The program then has a few seconds to
// save its state and should exit. (Hydra, the launcher of MPICH, kills all ranks at
// once: see watchdog_linux.go.)
package launch

import (
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/gohops/hops/internal/device/mpi"
	"github.com/gohops/hops/internal/ranks/rank"
)

// Launched tells whether an MPI launcher started this process.
func Launched() bool { return mpi.Launched() }

// Processes returns how many processes the launcher says it started, 0 if it does not
// say.
func Processes() int { return mpi.Processes() }

// A World is the group of all processes that the launcher started.
type World struct {
	*comm
	members []Member
	watch   *watch
}

// A StartWatchdog function starts a process that calls Watchdog with the listeners and
// with the other end of the pipe that it returns.
type StartWatchdog func(listeners []*os.File) (pipe io.WriteCloser, err error)

// JoinWithin is how long Join may take before a process should give up: one that it
// waits for may have ended, or be stopped, before anybody could notice. Less would end a
// job that starts slowly, on many hosts or on loaded ones; more would keep one longer that
// never starts. Seven processes on two cores with a load of 44 took 24 s; no job here had
// more than 16 processes.
const JoinWithin = 2 * time.Minute

// GiveUp tells the launcher that this process ends before Join has returned, so that it
// ends the others too. Some launchers notice that by themselves.
func GiveUp() { mpi.AbortJob() }

// Join makes this process a rank. It is called once in a process, and ended by Close.
// Where the launcher kills all ranks at once, rank 0 calls start, if not nil, to start a
// watchdog: a process that reports which rank failed first. library selects the MPI
// library, as mpi.Start has it; empty is the launcher's.
func Join(library string, start StartWatchdog) (*World, error) {
	lib, err := mpi.Start(library)
	if err != nil {
		return nil, err
	}
	all, err := lib.World()
	if err != nil {
		return nil, err
	}
	w := &World{comm: &comm{
		Comm: all, lib: lib, meter: new(rank.Meter), buffers: new(bufferPool),
		state: &processState{rank: all.Rank, failed: make(chan struct{}), maxPiece: maxPiece, procs: runtime.GOMAXPROCS(0)},
	}}
	if w.hosts, err = w.gatherHosts(thisHost()); err != nil {
		return nil, err
	}
	reachable, err := w.reachable()
	if err != nil {
		return nil, err
	}
	if !mpi.KillsAtOnce() {
		start = nil
	}
	if w.watch, err = startWatch(w.comm, reachable, start); err != nil {
		return nil, fmt.Errorf("launch: rank %d of %d: %w", all.Rank, all.Size, err)
	}
	if w.members, err = w.introduce(); err != nil {
		return nil, err
	}
	w.state.oversubscribed = oversubscribed(w.members)
	return w, w.newReducer()
}

// oversubscribed tells whether some host has more ranks than CPUs that they may use.
func oversubscribed(members []Member) bool {
	ranks, cpus := make(map[int]int), make(map[int]map[int]bool)
	for _, m := range members {
		if cpus[m.Node] == nil {
			cpus[m.Node] = make(map[int]bool)
		}
		ranks[m.Node]++
		for _, cpu := range m.CPUs {
			cpus[m.Node][cpu] = true
		}
	}
	for node, n := range ranks {
		if n > len(cpus[node]) {
			return true
		}
	}
	return false
}

// Group returns a group of the first ranks, which pretend to be on hosts, in contiguous
// groups of about equal size: ranks of different hosts share no memory. All ranks call it.
// The others get nil.
func (w *World) Group(ranks, hosts int) (*World, error) {
	me, beyond := w.Comm.Rank, 0
	host := uint64(me * hosts / ranks)
	if me >= ranks {
		beyond, host = 1, 0
	}
	group, err := w.splitOn(beyond, me, uint64(w.hosts[me])<<32|host)
	if err != nil {
		return nil, err
	}
	if beyond > 0 {
		return nil, group.Close()
	}
	return &World{comm: group, members: w.members[:ranks], watch: w.watch}, nil
}

// Failed is closed when a rank, this one or another, has failed.
func (w *World) Failed() <-chan struct{} { return w.state.failed }

// Err returns the failure, or nil.
func (w *World) Err() error { return w.state.err() }

// Members describes all ranks, by number.
func (w *World) Members() []Member { return w.members }

// Library returns the MPI library's own name and version: "Open MPI v4.1.4".
func (w *World) Library() string {
	version, err := w.lib.Version()
	if err != nil {
		return w.lib.File()
	}
	name, _, _ := strings.Cut(version, ",")
	return strings.Join(strings.Fields(strings.Replace(name, "Version:", "", 1)), " ")
}

// exitDelay is how long a process stays after a failure: launchers lose output that was
// written just before the exit.
const exitDelay = 300 * time.Millisecond

// Close ends this process's membership, or frees a Group. All ranks call it together. After
// a failure it only waits until the launcher has passed on the process's output.
func (w *World) Close() error {
	if w.split {
		return w.comm.Close()
	}
	if err := w.Err(); err != nil {
		time.Sleep(exitDelay)
		return nil
	}
	if err := w.Barrier(); err != nil {
		return err
	}
	err := w.finish()
	w.watch.leave()
	return err
}

// finish ends the use of MPI, or gives up after finishTimeout: all ranks have done all
// their work by now. Where MPI_Finalize is known to hang, Resign replaces it.
func (w *World) finish() error {
	if mpi.KillsAtOnce() && slices.Max(w.hosts) > 0 && mpi.Resign() == nil {
		return nil
	}
	finished := make(chan error, 1)
	go func() { finished <- w.lib.Finish() }()
	select {
	case err := <-finished:
		return err
	case <-time.After(finishTimeout):
		return nil
	}
}

// finishTimeout is how long MPI_Finalize may take. Launchers report a rank that exits
// before it has finished as failed, so this must be long enough for a machine that is
// busy with other programs.
const finishTimeout = 30 * time.Second

// A processState is the state that all groups of a process share.
type processState struct {
	rank           int  // rank of this process among all
	oversubscribed bool // some host has more ranks than CPUs that they may use
	procs          int  // GOMAXPROCS
	maxPiece       int  // bytes of the largest MPI message of a gather; tests lower it

	failure  atomic.Pointer[rank.Failure]
	once     sync.Once
	failed   chan struct{}
	announce func(*rank.Failure) // tells the other ranks

	mu        sync.Mutex
	abandoned []any // memory that MPI may still write to after a failure
}

// backoff is how a thread of this rank waits for MPI. Ranks that share processors yield
// them to each other; ranks that do not must not, or other programs of the machine take
// the processors.
func (s *processState) backoff() rank.Backoff {
	return rank.Backoff{OwnCore: !s.oversubscribed, Processes: true, Stays: s.procs > 1}
}

func (s *processState) err() error {
	if e := s.failure.Load(); e != nil {
		return e
	}
	return nil
}

// fail records the first failure and announces it to the other ranks.
func (s *processState) fail(who int, cause error) {
	s.once.Do(func() {
		e := &rank.Failure{Rank: who, Cause: cause}
		s.failure.Store(e)
		close(s.failed)
		if s.announce != nil {
			s.announce(e)
		}
	})
}

// abandon keeps memory from being collected until the process ends.
func (s *processState) abandon(memory any) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.abandoned = append(s.abandoned, memory)
}

// grace is how long a rank with an error waits for news that another rank failed
// before it. A launcher that loses one process ends the others, and MPI reports errors
// when a peer is gone: neither is the cause.
const grace = 300 * time.Millisecond

// Abort makes this rank a failed one, unless another has failed already.
func (c *comm) Abort(cause error) {
	if f := (*rank.Failure)(nil); errors.As(cause, &f) {
		return
	}
	select {
	case <-c.state.failed:
	case <-time.After(grace):
		c.state.fail(c.state.rank, cause)
	}
}

// failure returns the failure of a rank that caused an error of MPI.
func (c *comm) failure(err error) error {
	if err == nil {
		return nil
	}
	c.Abort(err)
	return c.state.err()
}

// watchLauncher fails this rank when the process that started it is gone. It runs until
// the process ends, which also keeps abandoned memory reachable.
func watchLauncher(s *processState) {
	launcher := os.Getppid()
	for range time.Tick(100 * time.Millisecond) {
		if os.Getppid() != launcher {
			s.fail(s.rank, fmt.Errorf("its launcher, process %d, is gone", launcher))
		}
	}
}
