package cluster

import (
	"context"
	"fmt"
	"os"
	"runtime"
	"strings"
	"testing"

	"github.com/gohops/hops/edge"
	"github.com/gohops/hops/internal/distributed/ranktest"
	"github.com/gohops/hops/internal/launch"
	"github.com/gohops/hops/internal/mpi/mpitest"
)

func TestMain(m *testing.M) {
	os.Exit(mpitest.Main(m, map[string]func() error{"search": searchProgram}))
}

// allRanksVariable asks for every number of ranks over every MPI.
const allRanksVariable = "HOPS_TEST_ALL_RANKS"

// Ranks that are processes find the levels of a graph by every exchange, over each
// MPI. Those of Open MPI sleep while they wait; others spin, and more of them than
// there are cores take half a minute.
func TestSearchOverMPI(t *testing.T) {
	for _, l := range mpitest.Launchers(t) {
		for _, ranks := range ranktest.RankCounts {
			if l.Name != "openmpi" && ranks > runtime.NumCPU()+1 && os.Getenv(allRanksVariable) == "" {
				continue
			}
			t.Run(fmt.Sprintf("%s/%d", l.Name, ranks), func(t *testing.T) {
				out, err := l.Self(t, ranks, "search").CombinedOutput()
				if err != nil || strings.Count(string(out), "all is well") != ranks {
					t.Fatalf("%v\n%s", err, out)
				}
			})
		}
	}
}

// searchProgram is one rank.
func searchProgram() error {
	w, err := launch.Join("", nil)
	if err != nil {
		return err
	}
	src, err := edge.NewKronecker(7, 8, 2, 3)
	if err != nil {
		return err
	}
	near, err := ranktest.Read(src)
	if err != nil {
		return err
	}
	for _, o := range everyOption() {
		r, err := Join(context.Background(), w, src, o)
		if err == nil {
			err = near.SearchPart(context.Background(), r, 1, 41)
			_ = r.Close()
		}
		if err != nil {
			return fmt.Errorf("rank %d of %d, %+v: %w", w.Rank(), w.Size(), o, err)
		}
	}
	if err := w.Close(); err != nil {
		return err
	}
	fmt.Println("all is well")
	return nil
}

// everyOption has every exchange.
func everyOption() (all []Options) {
	for _, exchange := range []string{"", "messages", "probe", "allgather"} {
		all = append(all, Options{Threads: 1, Exchange: exchange})
	}
	for _, gather := range []string{"plain", "leader"} {
		all = append(all, Options{Threads: 1, Exchange: "allgather", Gather: gather})
	}
	return append(all, Options{Threads: 1, Exchange: "allgather", Summary: 64})
}
