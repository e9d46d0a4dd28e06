package ranktest

import (
	"context"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/gohops/hops"
	"github.com/gohops/hops/edge"
	"github.com/gohops/hops/internal/device/mpi/mpitest"
	"github.com/gohops/hops/internal/ranks/distributed"
	"github.com/gohops/hops/internal/ranks/launch"
	"github.com/gohops/hops/internal/ranks/rank"
)

// searchProgram is the name of what the ranks of OverMPI run.
const searchProgram = "search"

// AllRanks tells whether every number of ranks over every MPI was asked for, and every
// grid of them.
func AllRanks() bool { return os.Getenv("HOPS_TEST_ALL_RANKS") != "" }

// OverMPI starts the test binary as ranks that are processes, over each MPI, and Main
// makes them search: up to one more than there are cores, and by Open MPI, whose ranks sleep while they
// wait, the most. Ranks that spin would take half a minute.
func OverMPI(t *testing.T) {
	for _, l := range mpitest.Launchers(t) {
		for _, ranks := range RankCounts {
			most := l.Name == "openmpi" && ranks == slices.Max(RankCounts)
			if ranks > runtime.NumCPU()+1 && !most && !AllRanks() {
				t.Logf("%s: %d ranks left out: HOPS_TEST_ALL_RANKS=1 runs them", l.Name, ranks)
				continue
			}
			t.Run(fmt.Sprintf("%s/%d", l.Name, ranks), func(t *testing.T) {
				out, err := l.Self(t, ranks, searchProgram).CombinedOutput()
				if err != nil || strings.Count(string(out), "all is well") != ranks {
					t.Fatalf("%v\n%s", err, out)
				}
				// This launcher does not bind ranks, and a rank of one thread for each CPU is bound.
				if l.Name == "openmpi" && ranks == runtime.NumCPU() && strings.Count(string(out), confined) < ranks {
					t.Errorf("not all ranks were confined to a CPU:\n%s", out)
				}
			})
		}
	}
}

// A Join is kernel 1 of one rank of an engine that has options O.
type Join[O any] = func(ctx context.Context, comm rank.Comm, src hops.Source, o O) (*distributed.Rank, error)

// Main runs the tests of an engine that calls OverMPI, or one of its ranks, and returns the
// exit status. Each rank builds a graph, as it
// is and as a directed one, with all options that there are for so many ranks.
func Main[O any](m *testing.M, options func(ranks int) []O, join Join[O]) int {
	return mpitest.Main(m, map[string]func() error{searchProgram: func() error {
		w, err := launch.Join("", nil)
		if err != nil {
			return err
		}
		src, err := edge.NewKronecker(10, 8, 2, 3) // 16 words of the bitmaps: every rank has vertices
		if err != nil {
			return err
		}
		for _, src := range []hops.Source{src, hops.Directed(src)} {
			if err := searchAll(w, src, options(w.Size()), join); err != nil {
				return fmt.Errorf("rank %d of %d, %w", w.Rank(), w.Size(), err)
			}
		}
		fmt.Println("all is well")
		return w.Close()
	}})
}

// confined is what a rank prints that was bound to fewer CPUs than Go had processors.
const confined = "confined to a CPU"

// searchAll searches on one rank, with some options after another. A rank that was
// confined is free again when it is closed.
func searchAll[O any](comm rank.Comm, src hops.Source, options []O, join Join[O]) error {
	near, err := Read(src)
	if err != nil {
		return err
	}
	procs := runtime.GOMAXPROCS(0)
	for _, o := range options {
		r, err := join(context.Background(), comm, src, o)
		if err == nil {
			if runtime.GOMAXPROCS(0) < procs {
				fmt.Println(confined)
			}
			err = near.SearchPart(context.Background(), r, 1, 41)
			_ = r.Close()
		}
		if err != nil {
			return fmt.Errorf("%+v: %w", o, err)
		}
		if now := runtime.GOMAXPROCS(0); now != procs {
			return fmt.Errorf("%+v: Go had %d processors before and has %d now", o, procs, now)
		}
	}
	return nil
}
