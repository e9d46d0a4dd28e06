package grid

import (
	"context"
	"os"
	"testing"

	"github.com/gohops/hops"
	"github.com/gohops/hops/internal/ranks/distributed"
	"github.com/gohops/hops/internal/ranks/distributed/ranktest"
	"github.com/gohops/hops/internal/ranks/rank"
)

func TestMain(m *testing.M) {
	os.Exit(ranktest.Main(m, shapesOverMPI, func(ctx context.Context, comm rank.Comm, src hops.Source, o Options) (*distributed.Rank, error) {
		if o.Device != nil {
			comm = deviceComm{comm}
		}
		return distributed.Join(ctx, comm, src, o.engine())
	}))
}

// Ranks that are processes find the levels of a graph on every grid.
func TestSearchOverMPI(t *testing.T) { ranktest.OverMPI(t) }

// shapesOverMPI has every grid of that many ranks, and one of two threads a rank.
func shapesOverMPI(ranks int) []Options { return append(everyShape(ranks), Options{Threads: 2}) }
