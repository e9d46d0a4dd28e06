package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/gohops/hops/graph"
	"github.com/gohops/hops/graph500"
	"github.com/gohops/hops/internal/base/arena"
	"github.com/gohops/hops/internal/base/placement"
	"github.com/gohops/hops/internal/base/spec"
	"github.com/gohops/hops/internal/ranks/launch"
	"github.com/gohops/hops/internal/ranks/rank"
	"github.com/gohops/hops/papers/twin"
)

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
	if names := enginesOnRanks(); !slices.Contains(names, s.Name) {
		if n := launch.Processes(); n > 1 {
			return fmt.Errorf("engine %s runs in one process, but the launcher started %d; use --engine %s", s.Name, n, strings.Join(names, " or "))
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
	return ranks.Alike(commandLine())
}

// commandLine is this program and its arguments. Ranks that differ in any would wait for each other
// in different places, or search different graphs.
func commandLine() string {
	text := "hops " + graph500.Version()
	for _, arg := range os.Args[1:] {
		text += fmt.Sprintf(" %.200q", arg)
	}
	return text
}

// exitWhileJoining ends the process, and those that it would join, if the launcher wants
// it to, or is gone, or if another process does not join: MPI_Init would wait for ever.
func (a *app) exitWhileJoining(ctx context.Context, joined <-chan struct{}) {
	launcher, deadline := os.Getppid(), time.After(launch.JoinWithin)
	for os.Getppid() == launcher {
		select {
		case <-joined:
			return
		case <-time.After(100 * time.Millisecond):
			continue
		case <-ctx.Done():
			fmt.Fprintf(a.stderr, "hops: %v while joining the other ranks\n", context.Cause(ctx))
		case <-deadline:
			fmt.Fprintf(a.stderr, "hops: not all ranks have joined within %v: one may have ended, or be stopped\n", launch.JoinWithin)
		}
		break
	}
	launch.GiveUp()
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

// launcher returns how the ranks were started, for commands that repeat a run: "mpirun -n 4 ".
func (a *app) launcher() string {
	if a.ranks == nil {
		return ""
	}
	return fmt.Sprintf("mpirun -n %d ", a.ranks.Size())
}

// mpiFlag is the flag for the MPI library.
func mpiFlag(c *cobra.Command, library *string) {
	c.Flags().StringVar(library, "mpi", "", "MPI library of the ranks: openmpi, mpich, abi, or its path; by default that of the launcher")
}

// silent tells whether rank 0 reports for this process.
func (a *app) silent() bool { return a.ranks != nil && a.ranks.Rank() != 0 }

// agreeOnGraph returns why this rank has no graph, or that another has none or has a
// different one. Without other ranks it returns err.
func (a *app) agreeOnGraph(g *graph.Graph, err error) error {
	if a.ranks == nil {
		return err
	}
	failed, sample := uint64(0), uint64(0)
	if err != nil {
		failed = uint64(a.ranks.Rank()) + 1
	} else {
		sample = sampleOf(g)
	}
	v := []uint64{failed, sample, ^sample}
	agreeErr := rank.Reduced(a.ranks, rank.Max, v)
	switch {
	case err != nil && a.silent():
		fmt.Fprintf(a.stderr, "hops: rank %d: %v\n", a.ranks.Rank(), err)
		return err
	case err != nil || agreeErr != nil:
		return cmp.Or(err, agreeErr)
	case v[0] > 0:
		return errors.Join(fmt.Errorf("rank %d has no graph", v[0]-1), g.Close())
	case v[1] != ^v[2]:
		return errors.Join(errors.New("the ranks have different graphs: every rank must open the same file"), g.Close())
	}
	return nil
}

// sampleOf is a digest of the size of a graph and of rows spread over it, with names and weights. All
// of a graph would take a second for each GB of a file of which a rank else reads its share.
func sampleOf(g *graph.Graph) uint64 {
	const rows, entries = 1 << 16, 64
	h, n := fnv.New64a(), g.NumVertices()
	fmt.Fprintln(h, n, g.NumEdges(), g.Directed, g.Weighted())
	var name []byte
	for i := range min(n, rows) {
		v := i * (n / min(n, rows))
		row, weights, err := g.OutEdges(v)
		if err != nil {
			return 0 // the search says what is wrong
		}
		name = g.AppendName(name[:0], v)
		_, _ = h.Write(name)
		_, _ = h.Write(arena.Bytes(row[:min(len(row), entries)]))
		_, _ = h.Write(arena.Bytes(weights[:min(len(weights), entries)]))
	}
	return h.Sum64()
}

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

// rankOptions are the options of every engine that runs on ranks, of so many threads at most.
func rankOptions(ranks, hosts, threads *int, maxThreads int, t *twin.Setup) []spec.Option {
	needsTwin := func(o spec.Option) spec.Option { return o.Needs("only a twin is of any size", "twin") }
	options := []spec.Option{
		needsTwin(spec.Int("nodes", "of the twin; by default those of the machine", &t.Nodes, 1, 1<<14)),
		needsTwin(spec.Int("pernode", "ranks on each node of the twin; by default one for each socket or device", &t.PerNode, 1, 64)),
		needsTwin(spec.Int("grain", "vertices that each vertex stands for on the twin; by default 1", &t.Grain, 1, 1<<24)),
		spec.Text("twin", "MACHINE", "model of a machine that the ranks run on, in its time: "+strings.Join(twin.Names(), ", ")+", or a description in a .json file", &t.Machine, twin.Check),
	}
	for i := range options {
		options[i] = withoutTwin(options[i], "ranks", "threads", "hosts")
	}
	return append([]spec.Option{
		spec.Int("ranks", "in this process; by default 2; mpirun starts ranks as processes instead", ranks, 1, 1024),
		spec.Int("threads", "of each rank; by default the CPUs divided by the ranks", threads, 1, maxThreads),
		spec.Int("hosts", "that the ranks pretend to be on; by default 1", hosts, 1, 1024),
	}, options...)
}

// labelsOption is the width of labels, for tests of the wider ones.
func labelsOption(labels *string) spec.Option {
	return spec.Choice("labels", "take 32 bits where that is enough, as parents do, or 64 and parents 48, as in graphs of 2^32 vertices", labels, "auto", "wide")
}

// placeOption is where ranks of this host, or in this process, run.
func placeOption(place *string) spec.Option {
	const help = "of the ranks of a host and their memory: each bound to NUMA nodes of its own, memory interleaved over all nodes, or left to the system; by default bound where every thread has a CPU and the launcher has not bound them"
	return withoutTwin(spec.Choice("place", help, place, "auto", placement.Bind, placement.Interleave, placement.None), "nodes", "pernode", "grain", "twin")
}

// withoutTwin is an option with no effect beside others, which a twin has instead of them
// or which have a twin.
func withoutTwin(o spec.Option, others ...string) spec.Option {
	for _, other := range others {
		o = o.Excludes(other, "a twin has ranks and devices of its own")
	}
	return o
}

func bitmapsOption(bitmaps *string) spec.Option {
	return spec.Choice("bitmaps", "on the wire: as lists where that is smaller, or as they are", bitmaps, "auto", "dense")
}

// onRanks tells the benchmark that the engine runs on these ranks, if there are any.
// Only a process on its own chooses which ranks it imitates.
func onRanks(e graph500.Engine, ranks *launch.World, imitated bool) (graph500.Engine, error) {
	if ranks == nil {
		return e, nil
	}
	if imitated {
		return graph500.Engine{}, fmt.Errorf("ranks, hosts and twins are the launcher's: it started %d ranks", ranks.Size())
	}
	e.Ranks, e.Threads = rank.Group{Comm: ranks}, threadsOf(ranks)
	return e, nil
}

// onLaunched returns the options with the numbers of ranks and threads that the launcher
// has started, which the memory plan asks for.
func onLaunched[Options any](ranks *launch.World, o Options, set func(o *Options, ranks, threads int)) Options {
	if ranks != nil {
		set(&o, ranks.Size(), threadsOf(ranks))
	}
	return o
}

// threadsOf returns how many threads this rank has.
func threadsOf(ranks *launch.World) int { return max(1, ranks.Members()[ranks.Rank()].Threads) }

// abort tells the other ranks of an error that they do not know, since they would wait
// for this one, and returns it.
func (a *app) abort(err error) error {
	if a.ranks != nil {
		a.ranks.Abort(err)
	}
	return err
}
