package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/gohops/hops/engine/cluster"
	"github.com/gohops/hops/graph500"
	"github.com/gohops/hops/internal/launch"
	"github.com/gohops/hops/internal/rank"
	"github.com/gohops/hops/internal/spec"
)

// clusterEngine is the engine that runs on several processes.
const clusterEngine = "cluster"

// world is what a launcher started this process in, nil on its own. It is joined
// once, and left at the end of the process.
var world *launch.World

// exitWithin is how long a process has after another has failed, to save what it
// has and to say so. Whoever hangs longer hangs within a call of MPI.
const exitWithin = 3 * time.Second

// joinWorld makes this process a rank if it was launched to be one, for an engine
// that can make use of it.
func joinWorld(ctx context.Context, engine string, stderr io.Writer) error {
	if !launch.Launched() || world != nil {
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
	go exitWhileJoining(ctx, joined, stderr)
	defer close(joined)
	if world, err = launch.Join(startHerald); err != nil {
		world = nil
		return err
	}
	go exitOnFailure(stderr)
	return nil
}

// exitWhileJoining ends the process if the launcher wants it to, or is gone, before
// this rank has found the others: MPI_Init would wait for them for ever.
func exitWhileJoining(ctx context.Context, joined <-chan struct{}, stderr io.Writer) {
	launcher := os.Getppid()
	for os.Getppid() == launcher {
		select {
		case <-joined:
			return
		case <-time.After(100 * time.Millisecond):
		case <-ctx.Done():
			fmt.Fprintf(stderr, "hops: %v while joining the other ranks\n", context.Cause(ctx))
			os.Exit(exitFailure)
		}
	}
	os.Exit(exitFailure)
}

// exitOnFailure says which rank has failed as soon as it is known, and ends the
// process if it does not end by itself.
func exitOnFailure(stderr io.Writer) {
	<-world.Failed()
	fmt.Fprintf(stderr, "hops: %v\n", world.Err())
	time.Sleep(exitWithin)
	os.Exit(exitFailure)
}

// leaveWorld ends this process's part.
func leaveWorld() error {
	if world == nil {
		return nil
	}
	err := world.Close()
	if heraldEnd != nil {
		heraldEnd.Close()
	}
	return err
}

// aside tells whether another process speaks for this one.
func aside() bool { return world != nil && world.Rank() != 0 }

// seat gives an engine its place in the world.
func seat(e graph500.Engine) graph500.Engine {
	if world != nil {
		e.Ranks, e.Threads = rank.Group{Comm: world}, ownThreads()
	}
	return e
}

// ownThreads is how many threads this rank has.
func ownThreads() int { return max(1, world.Members()[world.Rank()].Threads) }

// clusterOptions are those of this rank, which alone knows its threads.
func clusterOptions(o cluster.Options) cluster.Options {
	if o.Threads == 0 {
		o.Threads = ownThreads()
	}
	return o
}

// describeWorld tells where the ranks are, and what is odd about it.
func describeWorld(note func(string)) {
	if world == nil {
		return
	}
	note(fmt.Sprintf("mpi          %s, %d ranks", world.Library(), world.Size()))
	for _, line := range launch.Describe(world.Members()) {
		note("host         " + line)
	}
	for _, line := range launch.Warnings(world.Members()) {
		note("warning      " + line)
	}
}
