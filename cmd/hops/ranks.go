package main

import (
	"context"
	"fmt"
	"os"
	"time"

	"github.com/gohops/hops/graph500"
	"github.com/gohops/hops/internal/launch"
	"github.com/gohops/hops/internal/rank"
	"github.com/gohops/hops/internal/spec"
)

// clusterEngine is the engine that runs on several processes.
const clusterEngine = "cluster"

// exitWithin is how long a process has to save its result after another rank has
// failed. A process that takes longer hangs within a call of MPI.
const exitWithin = 3 * time.Second

// joinRanks makes this process a rank if a launcher started it as one, for an
// engine that runs on several processes. library selects the MPI library.
func (a *app) joinRanks(ctx context.Context, engine, library string) error {
	if !launch.Launched() || a.ranks != nil {
		return nil
	}
	s, err := spec.Parse(engine)
	if err != nil {
		return err
	}
	if s.Name != clusterEngine {
		if n := launch.Processes(); n > 1 {
			return fmt.Errorf("engine %s runs in one process, but the launcher started %d; use --engine %s", s.Name, n, clusterEngine)
		}
		return nil
	}
	joined := make(chan struct{})
	go a.exitWhileJoining(ctx, joined)
	defer close(joined)
	ranks, err := launch.Join(library, startWatchdog)
	if err != nil {
		return err
	}
	a.ranks = ranks
	go a.exitOnFailure()
	return nil
}

// exitWhileJoining ends the process if the launcher wants it to, or is gone, before
// this rank has found the others: MPI_Init would wait for them for ever.
func (a *app) exitWhileJoining(ctx context.Context, joined <-chan struct{}) {
	launcher := os.Getppid()
	for os.Getppid() == launcher {
		select {
		case <-joined:
			return
		case <-time.After(100 * time.Millisecond):
		case <-ctx.Done():
			fmt.Fprintf(a.stderr, "hops: %v while joining the other ranks\n", context.Cause(ctx))
			os.Exit(exitFailure)
		}
	}
	os.Exit(exitFailure)
}

// exitOnFailure says which rank has failed as soon as that is known, and ends the
// process if it does not end by itself.
func (a *app) exitOnFailure() {
	<-a.ranks.Failed()
	fmt.Fprintf(a.stderr, "hops: %v\n", a.ranks.Err())
	time.Sleep(exitWithin)
	os.Exit(exitFailure)
}

// leaveRanks ends this process's part.
func (a *app) leaveRanks() error {
	if a.ranks == nil {
		return nil
	}
	return a.ranks.Close()
}

// silent tells whether rank 0 reports for this process.
func (a *app) silent() bool { return a.ranks != nil && a.ranks.Rank() != 0 }

// describeRanks says where the ranks are, and what is unusual about that.
func (a *app) describeRanks(note func(string)) {
	if a.ranks == nil {
		return
	}
	note(fmt.Sprintf("mpi          %s, %d ranks", a.ranks.Library(), a.ranks.Size()))
	for _, line := range launch.Describe(a.ranks.Members()) {
		note("host         " + line)
	}
	for _, line := range launch.Warnings(a.ranks.Members()) {
		note("warning      " + line)
	}
}

// onRanks tells the benchmark that the engine runs on these ranks.
func onRanks(e graph500.Engine, ranks *launch.World) graph500.Engine {
	if ranks != nil {
		e.Ranks, e.Threads = rank.Group{Comm: ranks}, threadsOf(ranks)
	}
	return e
}

// threadsOf returns how many threads this rank has.
func threadsOf(ranks *launch.World) int { return max(1, ranks.Members()[ranks.Rank()].Threads) }
