package query

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/gohops/hops"
	"github.com/gohops/hops/engine/many"
	"github.com/gohops/hops/graph"
)

// A Centrality says how near a vertex is to the vertices that it reaches.
type Centrality struct {
	Vertex    hops.Vertex
	Closeness float64
	MeanHops  float64 // to the other vertices reached
	Depth     int     // hops to the farthest of them
	Reached   int64   // vertices, Vertex itself included
}

// Closeness searches g from every root, hops.MaxRoots of them at a time, and
// returns their centralities, the closest first.
//
// A root that reaches r of n vertices in s hops altogether has the closeness
// (r-1)/s · (r-1)/(n-1), after Wasserman and Faust. It is 1 for a neighbour of all
// other vertices, and 0 for a vertex that reaches no other.
func Closeness(ctx context.Context, g *graph.Graph, s ManySearcher, roots []hops.Vertex) ([]Centrality, error) {
	sums, err := sumsFrom(ctx, g, s, roots)
	if err != nil {
		return nil, fmt.Errorf("query: closeness: %w", err)
	}
	all := make([]Centrality, 0, len(roots))
	for i, sum := range sums {
		all = append(all, centrality(roots[i], sum, g.NumVertices()))
	}
	sortByCloseness(all)
	return all, nil
}

// sumsFrom sums up the levels from every root.
func sumsFrom(ctx context.Context, g *graph.Graph, s ManySearcher, roots []hops.Vertex) (all []hops.DepthSum, err error) {
	if summer, ok := s.(Summer); ok {
		return summer.Sums(ctx, roots)
	}
	d := hops.NewDepths(g.NumVertices())
	all = make([]hops.DepthSum, len(roots))
	for indices, batch := range many.Batches(g, roots) {
		if _, err := s.Search(ctx, batch, d); err != nil {
			return nil, err
		}
		for i, sum := range d.Sums() {
			all[indices[i]] = sum
		}
	}
	return all, nil
}

// ClosenessOfTraces is Closeness by an engine that searches from one root at a time. It
// needs no tree: the trace of a search says how many vertices are how many hops away. n
// is the number of vertices.
func ClosenessOfTraces(n hops.Vertex, search func(root hops.Vertex) (hops.Trace, error), roots []hops.Vertex) ([]Centrality, error) {
	all := make([]Centrality, 0, len(roots))
	for _, root := range roots {
		trace, err := search(root)
		if err != nil {
			return nil, fmt.Errorf("query: closeness: %w", err)
		}
		sum := hops.DepthSum{Reached: 1}
		for i, l := range trace.Levels {
			if l.Found > 0 {
				sum.Depth = i + 1
				sum.Reached += l.Found
				sum.Hops += l.Found * int64(sum.Depth)
			}
		}
		all = append(all, centrality(root, sum, n))
	}
	sortByCloseness(all)
	return all, nil
}

func sortByCloseness(all []Centrality) {
	slices.SortStableFunc(all, func(a, b Centrality) int { return cmp.Compare(b.Closeness, a.Closeness) })
}

func centrality(v hops.Vertex, s hops.DepthSum, n hops.Vertex) Centrality {
	c := Centrality{Vertex: v, Depth: s.Depth, Reached: s.Reached}
	if s.Hops > 0 {
		others := float64(s.Reached - 1)
		c.MeanHops = float64(s.Hops) / others
		c.Closeness = others / c.MeanHops / float64(n-1)
	}
	return c
}

// Sample draws count distinct vertices that have an edge out, each with the same
// probability, or returns all of them if there are no more than count.
func Sample(g *graph.Graph, count int, seed uint64) []hops.Vertex {
	// Reservoir sampling: after each vertex, all vertices seen are in the sample
	// with the same probability.
	var sample []hops.Vertex
	random, seen := rand.New(rand.NewPCG(seed, 0)), 0
	for v := range g.NumVertices() {
		if g.Degree(v) == 0 {
			continue
		}
		seen++
		if len(sample) < count {
			sample = append(sample, v)
		} else if i := random.IntN(seen); i < count {
			sample[i] = v
		}
	}
	return sample
}
