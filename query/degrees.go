package query

import (
	"cmp"
	"slices"

	"github.com/gohops/hops"
	"github.com/gohops/hops/graph"
)

// A DegreeKind says which edges of a vertex count where edges are directed. In an
// undirected graph all edges of a vertex count, each once.
type DegreeKind int

const (
	TotalDegree DegreeKind = iota // edges out and in
	OutDegree
	InDegree
)

// Of returns the degree of a vertex.
func (k DegreeKind) Of(g *graph.Graph, v hops.Vertex) int64 {
	out, in := g.Out.Degree(uint32(v)), g.In.Degree(uint32(v))
	switch {
	case !g.Directed || k == OutDegree:
		return out
	case k == InDegree:
		return in
	}
	return out + in
}

// A DegreeCount is how many vertices have a degree.
type DegreeCount struct{ Degree, Vertices int64 }

// DegreeDistribution counts the vertices of every degree that occurs, in ascending order.
// The graph must have been verified.
func DegreeDistribution(g *graph.Graph, kind DegreeKind) (all []DegreeCount) {
	vertices := map[int64]int64{} // degrees differ far less than vertices: by the square root of twice the edges at most
	for v := range g.NumVertices() {
		vertices[kind.Of(g, v)]++
	}
	for degree, count := range vertices {
		all = append(all, DegreeCount{degree, count})
	}
	slices.SortFunc(all, func(a, b DegreeCount) int { return cmp.Compare(a.Degree, b.Degree) })
	return all
}

// Highest returns the vertices below n with the highest keys, the highest first and of equal
// ones the lowest vertex; at most count of them, or all if count is 0.
func Highest[K cmp.Ordered](n hops.Vertex, count int, key func(v hops.Vertex) K) []hops.Vertex {
	type keyed struct {
		key    K
		vertex hops.Vertex
	}
	var best []keyed
	cut := func() {
		slices.SortFunc(best, func(a, b keyed) int { return cmp.Or(cmp.Compare(b.key, a.key), cmp.Compare(a.vertex, b.vertex)) })
		if count > 0 {
			best = best[:min(count, len(best))]
		}
	}
	for v := range n {
		k := key(v)
		if count > 0 && len(best) >= 2*count && len(best) >= 1024 {
			cut()
		}
		best = append(best, keyed{k, v})
	}
	cut()
	vertices := make([]hops.Vertex, len(best))
	for i, b := range best {
		vertices[i] = b.vertex
	}
	return vertices
}
