package lab

import (
	"fmt"

	"github.com/gohops/hops"
	"github.com/gohops/hops/edge"
	"github.com/gohops/hops/graph500"
)

// A graph is the input of a comparison.
type graph struct {
	name   string
	scale  int
	source func() (hops.Source, error)
}

// seed is the seed of graphs other than the benchmark's.
const seed = 1

// kronecker returns the benchmark's graph.
func kronecker(scale int) graph {
	return graph{
		name: fmt.Sprintf("Graph500 scale %d", scale), scale: scale,
		source: func() (hops.Source, error) {
			return edge.NewKronecker(scale, graph500.DefaultEdgeFactor, graph500.DefaultSeeds[0], graph500.DefaultSeeds[1])
		},
	}
}

// uniform returns a uniformly random graph, as in the cygraph paper.
func uniform(scale, degree int) graph {
	return graph{
		name: fmt.Sprintf("random 2^%d × %d", scale, degree), scale: scale,
		source: func() (hops.Source, error) { return edge.NewUniform(1<<scale, float64(degree), seed) },
	}
}

// rmat returns an R-MAT graph with the probabilities of the cygraph paper.
func rmat(scale, degree int) graph {
	return graph{
		name: fmt.Sprintf("R-MAT 2^%d × %d", scale, degree), scale: scale,
		source: func() (hops.Source, error) { return edge.NewRMAT(scale, degree/2, .45, .15, .15, .25, seed) },
	}
}
