package graph500

import (
	"github.com/gohops/hops"
	"github.com/gohops/hops/internal/base/mrg"
)

// rootStream is the part of the generator's sequence that search keys are drawn
// from; edges use stream 0.
const rootStream = 2

// Roots draws up to want distinct search keys below n that are fit, in the
// reference's order. Two uniform numbers make one candidate: their sum modulo 1
// is uniform again.
//
// After n candidates it gives up and returns fewer, as the specification says.
// (The reference takes the last candidate then, fit or not.)
func Roots(seeds [2]uint64, n hops.Vertex, want int, fit func(hops.Vertex) bool) []hops.Vertex {
	var roots []hops.Vertex
	chosen := make(map[hops.Vertex]bool)
	state := mrg.Seed(seeds[0], seeds[1])
	state.Skip(rootStream, 0, 0)
	for attempt := hops.Vertex(0); attempt < n && len(roots) < want; attempt++ {
		sum := state.Float64() + state.Float64()
		root := hops.Vertex(sum*float64(n)) % n
		if !chosen[root] && fit(root) {
			chosen[root] = true
			roots = append(roots, root)
		}
	}
	return roots
}
