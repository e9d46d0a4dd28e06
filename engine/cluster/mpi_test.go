package cluster

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
	"github.com/gohops/hops/internal/launch"
	"github.com/gohops/hops/internal/mpi/mpitest"
	"github.com/gohops/hops/internal/rank"
)

func TestMain(m *testing.M) {
	os.Exit(mpitest.Main(m, map[string]func() error{"search": searchProgram}))
}

// allRanksVariable asks for every number of ranks over every MPI, and for every grid
// of them.
const allRanksVariable = "HOPS_TEST_ALL_RANKS"

// Ranks that are processes find the levels of a graph by every exchange and on
// every grid, over each MPI. Those of Open MPI sleep while they wait; others spin,
// and more of them than there are cores take half a minute.
func TestSearchOverMPI(t *testing.T) {
	for _, l := range mpitest.Launchers(t) {
		for _, ranks := range rankCounts {
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
	near, err := neighbors(src)
	if err != nil {
		return err
	}
	for _, o := range everyOption(w.Size()) {
		if err := searchAs(w, src, near, o); err != nil {
			return fmt.Errorf("rank %d of %d, %+v: %w", w.Rank(), w.Size(), o, err)
		}
	}
	if err := w.Close(); err != nil {
		return err
	}
	fmt.Println("all is well")
	return nil
}

// everyOption has every exchange, and every shape of a grid of that many ranks.
func everyOption(ranks int) (all []Options) {
	for _, exchange := range []string{"", "messages", "probe", "allgather"} {
		all = append(all, Options{Threads: 1, Exchange: exchange})
	}
	for _, gather := range []string{"plain", "leader"} {
		all = append(all, Options{Threads: 1, Exchange: "allgather", Gather: gather})
	}
	all = append(all, Options{Threads: 1, Exchange: "allgather", Summary: 64})
	all = append(all, Options{Layout: "2d", Device: directDevice})
	for rows := 1; rows <= ranks; rows++ {
		if ranks%rows == 0 {
			all = append(all, Options{Threads: 1, Layout: "2d", Grid: fmt.Sprintf("%dx%d", rows, ranks/rows)})
		}
	}
	return all
}

func searchAs(w *launch.World, src hops.Source, near [][]uint32, o Options) error {
	comm := rank.Comm(w)
	if o.Device != nil {
		comm = deviceComm{w}
	}
	r, err := Join(context.Background(), comm, src, o)
	if err != nil {
		return err
	}
	defer r.Close()
	for root := uint32(1); root < 60; root += 40 {
		tree, err := r.NewTree()
		if err != nil {
			return err
		}
		if _, err := r.Search(context.Background(), hops.Vertex(root), tree); err != nil {
			return err
		}
		if err := checkPart(tree, near, root); err != nil {
			return fmt.Errorf("root %d: %w", root, err)
		}
	}
	return nil
}

// checkPart holds one rank's part of a tree against levels that are found here, one
// vertex after the other.
func checkPart(tree *hops.Tree, near [][]uint32, root uint32) error {
	levels := make([]int, len(near)) // and one more, 0 being none
	levels[root] = 1
	for queue := []uint32{root}; len(queue) > 0; queue = queue[1:] {
		for _, u := range near[queue[0]] {
			if levels[u] == 0 {
				levels[u] = levels[queue[0]] + 1
				queue = append(queue, u)
			}
		}
	}
	for i := range tree.Narrow {
		v := uint32(tree.First) + uint32(i)
		parent := tree.Parent(hops.Vertex(v))
		ok := parent != hops.NoVertex
		switch u := uint32(parent); {
		case ok != (levels[v] > 0):
			return fmt.Errorf("vertex %d is reached: %v", v, ok)
		case !ok || v == root && u == root:
		case !slices.Contains(near[v], u) || levels[u]+1 != levels[v]:
			return fmt.Errorf("vertex %d on level %d has the parent %d on level %d", v, levels[v]-1, u, levels[u]-1)
		}
	}
	return nil
}

func neighbors(src hops.Source) ([][]uint32, error) {
	edges, near := make([]hops.Edge, src.NumEdges()), make([][]uint32, src.NumVertices())
	if _, err := src.EdgesAt(edges, 0); err != nil {
		return nil, err
	}
	for _, e := range edges {
		near[e.U], near[e.V] = append(near[e.U], uint32(e.V)), append(near[e.V], uint32(e.U))
	}
	return near, nil
}
