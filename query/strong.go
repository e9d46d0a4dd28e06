package query

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/gohops/hops/graph"
)

// StronglyConnectedComponents is the algorithm of Tarjan (SIAM Journal on Computing, 1972)
// with a stack of its own in place of recursion, so that a path of a hundred million
// vertices needs no deep call stack.
//
// A depth-first search numbers the vertices in the order in which it comes to them. Vertices
// wait on a stack until their component is complete. Each has a low number: the least
// number of a waiting vertex that it is known to lead to. When the search leaves a vertex
// whose low number is its own, that vertex and all that wait above it are a component.
//
// It runs on one core and looks at every edge once. Searches forwards and backwards from
// a vertex of the largest component would run on all cores, but need as many rounds as
// there are components that are not trivial.

// visitsPerCheck is how many edges are looked at between two looks at the context: some
// milliseconds.
const visitsPerCheck = 1 << 20

// StronglyConnectedComponents returns the sets of vertices that all lead to each other along
// the direction of edges. An undirected graph has its connected components, which
// threads workers find; 0 is one for every CPU. For a directed graph it needs 28 bytes for
// every vertex.
func StronglyConnectedComponents(ctx context.Context, g *graph.Graph, threads int) (*Components, error) {
	if !g.Directed {
		return ConnectedComponents(ctx, g, threads)
	}
	if err := g.Verify(); err != nil {
		return nil, fmt.Errorf("query: components: %w", err)
	}
	n := g.NumVertices()
	s := depthFirst{rows: &g.Out, number: make([]uint32, n), low: make([]uint32, n), root: make([]uint32, n)}
	if err := g.Read(func() error { return s.search(ctx) }); err != nil {
		return nil, fmt.Errorf("query: components: %w", err)
	}
	return &Components{Root: s.root, All: count(s.root)}, nil
}

// depthFirst is the state of the search.
type depthFirst struct {
	rows    *graph.Rows
	number  []uint32 // from 1 on; 0 is not visited
	low     []uint32
	root    []uint32 // lowest vertex of the component; waiting until it is complete
	last    uint32   // number given
	entered []entered
	waiting []uint32
}

// entered is a vertex that the search has not left, and its next entry to look at.
type entered struct {
	vertex uint32
	next   int64
}

const isWaiting = math.MaxUint32

func (s *depthFirst) search(ctx context.Context) error {
	visits := 0
	for v := range s.number {
		if s.number[v] == 0 {
			s.enter(uint32(v))
		}
		for len(s.entered) > 0 {
			if visits++; visits%visitsPerCheck == 0 && ctx.Err() != nil {
				return ctx.Err()
			}
			s.advance()
		}
	}
	return ctx.Err()
}

func (s *depthFirst) enter(v uint32) {
	s.last++
	s.number[v], s.low[v], s.root[v] = s.last, s.last, isWaiting
	s.waiting = append(s.waiting, v)
	s.entered = append(s.entered, entered{v, s.rows.Offsets[v]})
}

// advance looks at the next edge of the vertex entered last, or leaves it.
func (s *depthFirst) advance() {
	top := &s.entered[len(s.entered)-1]
	v := top.vertex
	if top.next < s.rows.Offsets[v+1] {
		u := s.rows.Neighbors[top.next]
		top.next++
		if s.number[u] == 0 {
			s.enter(u)
		} else if s.root[u] == isWaiting {
			s.low[v] = min(s.low[v], s.number[u])
		}
		return
	}
	s.entered = s.entered[:len(s.entered)-1]
	if s.low[v] == s.number[v] {
		s.complete(v)
	} else { // the search came from a vertex of the same component
		before := s.entered[len(s.entered)-1].vertex
		s.low[before] = min(s.low[before], s.low[v])
	}
}

// complete makes v and what waits above it a component.
func (s *depthFirst) complete(v uint32) {
	bottom := len(s.waiting) - 1
	for s.waiting[bottom] != v {
		bottom--
	}
	members := s.waiting[bottom:]
	lowest := slices.Min(members)
	for _, u := range members {
		s.root[u] = lowest
	}
	s.waiting = s.waiting[:bottom]
}
