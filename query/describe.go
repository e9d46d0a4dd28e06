package query

import (
	"context"
	"fmt"
	"math/bits"
	"slices"

	"github.com/gohops/hops"
	"github.com/gohops/hops/engine/many"
	"github.com/gohops/hops/graph"
)

// A Description says what kind of graph a graph is.
type Description struct {
	Degrees         Degrees
	Components      int   // without regard to the direction of edges
	Largest         int64 // vertices of the largest component
	DiameterAtLeast int   // of the largest component
}

// Degrees sum up how many edges vertices have.
type Degrees struct {
	Isolated  int64       // vertices without any edge
	Mean      float64     // edges out of a vertex
	Max       int64       // the most edges out of a vertex
	MaxVertex hops.Vertex // the first vertex with so many
	MaxIn     int64       // the most edges into a vertex
	Histogram []int64     // vertices with 0, 1, 2 to 3, 4 to 7, … edges out
}

// Describe reads all of g and sweeps it a few times, from at most so many vertices at once.
// threads is the number of workers for what the sweeps do not do; 0 is one for every CPU.
func Describe(ctx context.Context, g *graph.Graph, s Sweep, roots, threads int) (Description, error) {
	c, err := ConnectedComponents(ctx, g, threads)
	if err != nil {
		return Description{}, err
	}
	d := Description{Components: len(c.All)}
	if err := g.Read(func() error { d.Degrees = CountDegrees(g); return nil }); err != nil {
		return Description{}, err
	}
	if len(c.All) == 0 {
		return d, nil
	}
	d.Largest = c.All[0].Size
	d.DiameterAtLeast, err = DiameterAtLeast(ctx, s, c.starts(d.Degrees.MaxVertex, roots)...)
	return d, err
}

// starts are up to count vertices of the largest component, spread over it. The first is
// the preferred one, if it is in that component, and otherwise the lowest.
func (c *Components) starts(preferred hops.Vertex, count int) []hops.Vertex {
	largest := c.All[0]
	if c.Root[preferred] != uint32(largest.Lowest) {
		preferred = largest.Lowest
	}
	all, seen := []hops.Vertex{preferred}, int64(0)
	for v, root := range c.Root {
		if root != uint32(largest.Lowest) || len(all) >= count {
			continue
		}
		if seen++; seen*int64(count-1) >= int64(len(all))*largest.Size {
			all = append(all, hops.Vertex(v))
		}
	}
	return all
}

// CountDegrees looks at every vertex once.
func CountDegrees(g *graph.Graph) Degrees {
	var d Degrees
	for v := range g.NumVertices() {
		out, in := g.Out.Degree(uint32(v)), g.In.Degree(uint32(v))
		if out+in == 0 {
			d.Isolated++
		}
		if out > d.Max {
			d.Max, d.MaxVertex = out, v
		}
		d.MaxIn = max(d.MaxIn, in)
		bucket := bits.Len64(uint64(out))
		for bucket >= len(d.Histogram) {
			d.Histogram = append(d.Histogram, 0)
		}
		d.Histogram[bucket]++
	}
	if n := g.NumVertices(); n > 0 {
		d.Mean = float64(g.NumEntries()) / float64(n)
	}
	return d
}

// A Far is a vertex that is farthest from a root: so many hops away.
type Far struct {
	Vertex hops.Vertex
	Hops   int
}

// A Sweep finds a vertex that is farthest from each of some roots, the lowest of them.
type Sweep func(ctx context.Context, roots []hops.Vertex) ([]Far, error)

// SweepOne sweeps by searches from one root at a time.
func SweepOne(g *graph.Graph, s Searcher) Sweep {
	var (
		tree   *hops.Tree
		levels []int32
	)
	return func(ctx context.Context, roots []hops.Vertex) (all []Far, err error) {
		if tree == nil {
			if tree, err = newTree(s, g.NumVertices()); err != nil {
				return nil, err
			}
		}
		for _, root := range roots {
			tree.Reset()
			if _, err := s.Search(ctx, root, tree); err != nil {
				return nil, err
			}
			far := Far{Vertex: root}
			levels = tree.Levels(levels)
			for v, d := range levels {
				if int(d) > far.Hops {
					far = Far{hops.Vertex(v), int(d)}
				}
			}
			all = append(all, far)
		}
		return all, nil
	}
}

// SweepMany sweeps by searches from up to hops.MaxRoots roots at once.
func SweepMany(g *graph.Graph, s ManySearcher) Sweep {
	d := hops.NewDepths(g.NumVertices())
	return func(ctx context.Context, roots []hops.Vertex) (all []Far, err error) {
		all = make([]Far, len(roots))
		for indices, batch := range many.Batches(g, roots) {
			if _, err := s.Search(ctx, batch, d); err != nil {
				return nil, err
			}
			for i, v := range d.Farthest() {
				all[indices[i]] = Far{v, d.Level(i, v)}
			}
		}
		return all, nil
	}
}

// DiameterSweeps is how many sweeps DiameterAtLeast makes. The bound of most graphs
// is reached by the second; each further one costs whole searches.
const DiameterSweeps = 5

// DiameterAtLeast returns a lower bound of the diameter: there are vertices so many
// hops apart. It searches from each start, then from a vertex that is farthest from it,
// and so on.
func DiameterAtLeast(ctx context.Context, s Sweep, starts ...hops.Vertex) (longest int, err error) {
	roots := slices.Clone(starts)
	for range DiameterSweeps {
		all, err := s(ctx, roots)
		if err != nil {
			return 0, fmt.Errorf("query: diameter: %w", err)
		}
		for i, far := range all {
			roots[i], longest = far.Vertex, max(longest, far.Hops)
		}
	}
	return longest, nil
}
