package query

import (
	"context"
	"fmt"
	"math/bits"

	"github.com/gohops/hops"
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

// Describe reads all of g and searches it a few times. threads is the number of
// workers for what s does not do; 0 is one for every CPU.
func Describe(ctx context.Context, g *graph.Graph, s Searcher, threads int) (Description, error) {
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
	start := d.Degrees.MaxVertex
	if c.Root[start] != uint32(c.All[0].Lowest) {
		start = c.All[0].Lowest
	}
	d.DiameterAtLeast, err = DiameterAtLeast(ctx, g, s, start)
	return d, err
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

// DiameterSearches is how many searches DiameterAtLeast makes. The bound of most graphs
// is reached by the second; each further one costs a whole search.
const DiameterSearches = 5

// DiameterAtLeast returns a lower bound of the diameter: there are vertices so many
// hops apart. It searches from start, then from a vertex that is farthest from it,
// and so on.
func DiameterAtLeast(ctx context.Context, g *graph.Graph, s Searcher, start hops.Vertex) (longest int, err error) {
	tree := hops.NewTree(g.NumVertices())
	var levels []int32
	for range DiameterSearches {
		tree.Reset()
		if _, err := s.Search(ctx, start, tree); err != nil {
			return 0, fmt.Errorf("query: diameter: %w", err)
		}
		levels = tree.Levels(levels)
		for v, d := range levels {
			if d > levels[start] {
				start = hops.Vertex(v)
			}
		}
		longest = max(longest, int(levels[start]))
	}
	return longest, nil
}
