package sssp

import (
	"context"
	"math/rand/v2"
	"testing"

	"github.com/gohops/hops"
	"github.com/gohops/hops/check"
	"github.com/gohops/hops/edge"
)

// reweighted gives a source other weights, and perhaps directions.
func reweighted(t *testing.T, src hops.WeightedSource, directed bool, draw func(r *rand.Rand) float32) hops.WeightedSource {
	edges := make([]hops.Edge, src.NumEdges())
	if _, err := src.EdgesAt(edges, 0); err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(31, 32))
	weights := make([]float32, len(edges))
	for i := range weights {
		weights[i] = draw(r)
	}
	list := hops.Source(edge.List(edges, src.NumVertices()))
	if directed {
		list = hops.Directed(list)
	}
	return edge.WithWeights(list, weights)
}

// Queues find results that are valid by the benchmark's rules for kernel 3, which are read from the source: with both
// widths, with edges of weight zero, which make cycles of equal distances, and in one direction only.
func TestQueuesAreValid(t *testing.T) {
	zeros := func(r *rand.Rand) float32 { return float32(r.IntN(3)) }
	nothing := func(*rand.Rand) float32 { return 0 }
	some := func(r *rand.Rand) float32 { return 10 + 300*r.Float32() }
	for name, src := range map[string]hops.WeightedSource{
		"grid": grid(120), "roads": roads(40),
		"grid, zeros": reweighted(t, grid(120), false, zeros), "roads, zeros": reweighted(t, roads(40), false, zeros),
		"grid, nothing else": reweighted(t, grid(60), false, nothing), "roads, nothing else": reweighted(t, roads(20), false, nothing),
		"grid, directed": reweighted(t, grid(120), true, some), "roads, directed": reweighted(t, roads(40), true, zeros),
	} {
		t.Run(name, func(t *testing.T) {
			g := weightedGraph(t, src)
			defer g.Close()
			s := openQueues(t, g, 2)
			defer s.Close()
			judge := check.New(src, 2)
			defer judge.Close()
			for _, root := range rootsOf(g)[:4] {
				for _, p := range []*hops.Paths{hops.NewSinglePaths(g.NumVertices()), hops.NewPaths(g.NumVertices())} {
					if _, err := s.Search(context.Background(), root, p); err != nil {
						t.Fatal(err)
					}
					if _, err := judge.Paths(context.Background(), p); err != nil {
						t.Errorf("root %d: %v", root, err)
					}
				}
			}
		})
	}
}

// The check would tell: a distance and a parent of a result by queues that are changed.
func TestBrokenResultsOfQueuesAreNotValid(t *testing.T) {
	src := grid(60)
	g := weightedGraph(t, src)
	defer g.Close()
	s := openQueues(t, g, 2)
	defer s.Close()
	judge := check.New(src, 1)
	defer judge.Close()
	root := rootsOf(g)[0]
	for name, spoil := range map[string]func(p *hops.Paths, v hops.Vertex){
		"distance": func(p *hops.Paths, v hops.Vertex) { p.Single[v]++ },
		"parent":   func(p *hops.Paths, v hops.Vertex) { p.Narrow[v] = uint32((v + 17) % 3600) },
	} {
		p := hops.NewSinglePaths(g.NumVertices())
		if _, err := s.Search(context.Background(), root, p); err != nil {
			t.Fatal(err)
		}
		spoil(p, rootsOf(g)[1])
		if _, err := judge.Paths(context.Background(), p); err == nil {
			t.Errorf("%s: valid", name)
		}
	}
}
