package sssp

import (
	"context"
	"fmt"
	"testing"

	"github.com/gohops/hops"
	"github.com/gohops/hops/csr"
	"github.com/gohops/hops/graph"
	"github.com/gohops/hops/internal/testing/enginetest"
	"github.com/gohops/hops/level"
)

// owner is a searcher with its graph, as kernel 1 of the cpu engine makes them.
type owner struct {
	*Searcher
	graph *graph.Graph
}

func (o owner) Close() error {
	_ = o.Searcher.Close()
	return o.graph.Close()
}

// The cores of one machine find the distances of Dijkstra's algorithm, by buckets in any
// direction and by queues.
func TestSuite(t *testing.T) {
	for name, queues := range map[string]bool{"buckets": false, "queues": true} {
		for threads := 1; threads <= 3; threads += 2 {
			t.Run(fmt.Sprintf("%s/%d", name, threads), func(t *testing.T) {
				e := enginetest.PathEngine{
					Build: func(ctx context.Context, src hops.WeightedSource, _ bool, policy level.Policy) (enginetest.PathSearcher, error) {
						g, err := csr.BuildWeighted(ctx, src, threads)
						if err != nil {
							return nil, err
						}
						s, err := open(g, Options{Threads: threads, Policy: policy}, queues)
						if err != nil {
							_ = g.Close()
						}
						return owner{s, g}, err
					},
					Steps: []string{"top-down", "bottom-up"}, Scale: 13,
				}
				if queues {
					e.Steps, e.OwnPolicy, e.Scale = []string{"top-down-queues", "top-down-chains"}, true, 9
				}
				enginetest.RunPaths(t, e)
			})
		}
	}
}

// So do ranks, on one host and on several.
func TestRankSuite(t *testing.T) {
	for _, c := range []struct{ ranks, hosts int }{{2, 1}, {3, 1}, {3, 3}, {4, 2}} {
		t.Run(fmt.Sprintf("%d on %d", c.ranks, c.hosts), func(t *testing.T) {
			enginetest.RunPaths(t, enginetest.PathEngine{
				Build: func(ctx context.Context, src hops.WeightedSource, _ bool, policy level.Policy) (enginetest.PathSearcher, error) {
					return Build(ctx, src, c.ranks, Options{Threads: 1, Policy: policy, Hosts: c.hosts})
				},
				Steps: []string{"top-down", "bottom-up"}, Scale: 11,
			})
		})
	}
}
