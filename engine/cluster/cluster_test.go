package cluster

import (
	"context"
	"fmt"
	"testing"

	"github.com/gohops/hops"
	"github.com/gohops/hops/check"
	"github.com/gohops/hops/internal/ranks/distributed"
	"github.com/gohops/hops/internal/ranks/distributed/ranktest"
	"github.com/gohops/hops/internal/ranks/rank"
	"github.com/gohops/hops/internal/testing/enginetest"
)

// engine is one configuration, in sizes that suit many ranks on few cores. Short runs
// use the kernels in plain Go: the vector kernels are out of the race detector's sight.
func engine(opts Options, steps ...string) enginetest.Engine {
	opts.reference = testing.Short()
	e := enginetest.Engine{
		Build: func(ctx context.Context, src hops.Source) (enginetest.Searcher, error) {
			return Build(ctx, src, opts)
		},
		Steps: steps, Directed: true, MaxScale: 11, MaxPath: 200, Roots: 2, NamedRoots: 2,
	}
	if testing.Short() {
		e.MaxScale, e.MaxPath, e.Roots, e.NamedRoots = 10, 30, 1, 1
	}
	return e
}

// exchanges are the ways to exchange, and the steps that each must take.
var exchanges = []struct {
	name  string
	steps []string
}{
	{"messages", []string{byMessages.Name}},
	{"probe", []string{byMessages.Name, byProbe.Name}},
	{"allgather", []string{byMessages.Name, byAllgather.Name}},
}

// Every exchange on every number of ranks, a search or two of each: what there is to
// race for.
func TestEverything(t *testing.T) {
	src := kronecker(t, 10) // 16 words of the bitmaps: every rank has vertices
	near, err := ranktest.Read(src)
	if err != nil {
		t.Fatal(err)
	}
	for _, ranks := range ranktest.RankCounts {
		for _, o := range everyOption() {
			o.Ranks, o.Hosts, o.reference = ranks, (ranks+1)/2, testing.Short()
			s := mustBuild(t, src, o)
			tree := newTree(s)
			if _, err := near.Search(t.Context(), s, tree, 1, 31); err != nil {
				t.Errorf("%+v: %v", o, err)
			}
			validate(t, s, src, tree)
		}
	}
}

// validate has the ranks validate their parts of a tree.
func validate(t *testing.T, s *distributed.Searcher, src hops.Source, tree *hops.Tree) {
	t.Helper()
	parts := ranktest.Parts(s, tree)
	err := s.Together(func(r int) error {
		c := check.NewParts(src, 1, rank.Group{Comm: s.Ranks[r].Comm})
		defer c.Close()
		_, err := c.Tree(t.Context(), parts[r])
		return err
	})
	if err != nil {
		t.Errorf("root %d: %v", tree.Root, err)
	}
}

// A rank deals more entries at a time than a small graph has, and those of wide labels
// take two words each.
func TestManyWideEntries(t *testing.T) {
	src := kronecker(t, 12)
	near, err := ranktest.Read(src)
	if err != nil {
		t.Fatal(err)
	}
	s := mustBuild(t, src, Options{Ranks: 1, Threads: 1, narrowLimit: 1})
	tree := newTree(s)
	if _, err := near.Search(t.Context(), s, tree, 1, 31); err != nil {
		t.Error(err)
	}
	validate(t, s, src, tree)
}

func TestEngine(t *testing.T) {
	counts := ranktest.RankCounts
	if testing.Short() {
		counts = []int{3}
	}
	for _, ranks := range counts {
		for _, x := range exchanges {
			o := Options{Ranks: ranks, Exchange: x.name, Threads: 1}
			t.Run(fmt.Sprintf("%d/%s", ranks, x.name), func(t *testing.T) {
				e := engine(o, x.steps...)
				e.Variant = ranks != 3
				enginetest.Run(t, e)
			})
			if ranks%3 > 0 && !ranktest.AllRanks() {
				continue
			}
			o.narrowLimit = 1
			t.Run(fmt.Sprintf("%d/%s/wide", ranks, x.name), func(t *testing.T) {
				e := engine(o, x.steps...)
				e.Variant = ranks != 3
				enginetest.Run(t, e)
			})
		}
	}
}

// TestVariants runs what is there for comparison, and threads.
func TestVariants(t *testing.T) {
	for name, o := range variants() {
		t.Run(name, func(t *testing.T) {
			if o.Threads == 0 {
				o.Threads = 1
			}
			for _, limit := range []hops.Vertex{0, 1} {
				o.narrowLimit = limit
				e := engine(o)
				e.MaxScale, e.MaxPath, e.Roots, e.Variant = 10, 50, 2, true
				enginetest.Run(t, e)
			}
		})
	}
}

func variants() map[string]Options {
	all := map[string]Options{
		"threads":      {Ranks: 2, Threads: 3, few: -1},
		"oneThread":    {Ranks: 2, Threads: 3, few: 1 << 40},
		"bulk":         {Ranks: 3, Threads: 2, Sync: "bulk", Exchange: "probe"},
		"light":        {Ranks: 3, Light: true, Exchange: "probe"},
		"fewHeavy":     {Ranks: 2, Heavy: 3, Exchange: "probe"},
		"long":         {Ranks: 3, Threads: 2, Heavy: 3, long: 2, few: -1, Exchange: "messages"},
		"longProbe":    {Ranks: 2, Heavy: 3, long: 16, Exchange: "probe", Rows: "coarse"},
		"plain":        {Ranks: 3, Encoding: "raw", Exchange: "probe"},
		"differential": {Ranks: 3, Encoding: "differential", Exchange: "probe"},
		"coarse":       {Ranks: 2, Rows: "coarse"},
		"skip":         {Ranks: 2, Rows: "skip"},
		"list":         {Ranks: 2, Rows: "list"},
		"gatherPlain":  {Ranks: 3, Gather: "per-rank", Exchange: "allgather"},
		"leader":       {Ranks: 5, Hosts: 2, Gather: "leader", Exchange: "allgather"},
		"shareAll":     {Ranks: 5, Hosts: 2, Gather: "share-all", Exchange: "allgather"},
		"shareInQueue": {Ranks: 5, Hosts: 2, Gather: "share-in-queue", Exchange: "allgather"},
		"hosts":        {Ranks: 7, Hosts: 3, Exchange: "allgather"},
		"dense":        {Ranks: 4, Hosts: 2, Bitmaps: "dense", Exchange: "allgather"},
		"summary":      {Ranks: 5, Hosts: 2, Summary: 64, Exchange: "allgather"},
		"ownSummary":   {Ranks: 2, Summary: 256, Exchange: "allgather", Gather: "per-rank"},
	}
	if testing.Short() {
		return map[string]Options{"threads": all["threads"], "oneThread": all["oneThread"], "bulk": all["bulk"], "long": all["long"], "hosts": all["hosts"]}
	}
	return all
}
