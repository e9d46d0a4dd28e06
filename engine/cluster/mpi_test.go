package cluster

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
	os.Exit(ranktest.Main(m, func(int) []Options { return everyOption() },
		func(ctx context.Context, comm rank.Comm, src hops.Source, o Options) (*distributed.Rank, error) {
			return distributed.Join(ctx, comm, src, o.engine())
		}))
}

// Ranks that are processes find the levels of a graph by every exchange.
func TestSearchOverMPI(t *testing.T) { ranktest.OverMPI(t) }

// everyOption has every exchange, encoding, form of rows and way to deliver, one thread and
// several, with narrow and with wide labels.
func everyOption() (all []Options) {
	for _, exchange := range []string{"", "messages", "probe", "allgather"} {
		all = append(all, Options{Threads: 1, Exchange: exchange})
	}
	for _, gather := range []string{"per-rank", "leader"} {
		all = append(all, Options{Threads: 1, Exchange: "allgather", Gather: gather})
	}
	all = append(
		all,
		Options{Threads: 1, Exchange: "allgather", Summary: 64},
		Options{Threads: 1, Exchange: "messages", Sync: "bulk"},
		Options{Threads: 1, Exchange: "probe", Sync: "bulk"},
	)
	for _, encoding := range []string{"raw", "differential", "packed"} {
		all = append(all, Options{Threads: 1, Exchange: "messages", Encoding: encoding})
	}
	for _, rows := range []string{"coarse", "skip", "list"} {
		all = append(all, Options{Threads: 1, Exchange: "messages", Rows: rows})
	}
	for _, o := range all {
		o.narrowLimit = 1
		all = append(all, o)
	}
	return append(all, Options{Threads: 2, Exchange: "messages"}, Options{Threads: 2, Exchange: "probe"})
}
