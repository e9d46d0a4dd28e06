package query

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"sync/atomic"

	"github.com/gohops/hops"
	"github.com/gohops/hops/graph"
	"github.com/gohops/hops/internal/base/par"
)

// ConnectedComponents is the algorithm Afforest of Sutton, Ben-Nun and Barak (IPDPS
// 2018).
//
// Every vertex points to one of its component with a lower or equal number, in
// the end to the lowest. Workers link the ends of edges at the same time, with no
// lock: a link is one compare-and-swap of a vertex that points to itself. Linking
// all edges would be enough, but most of them join vertices that are joined already:
// the first two neighbours of every vertex already join nearly all of the largest
// component. So the algorithm has three steps:
//
//  1. link every vertex with its first neighbours, and point all to their roots;
//  2. take the most frequent root of a sample as the root of the largest component;
//  3. link all edges of the vertices that are not in it. An edge that leads to it
//     from outside is linked from outside; one inside it would change nothing.
//
// Rows have their neighbours of the highest degree first, which are the likeliest to
// be in the largest component.

const (
	// sampledNeighbors is how many neighbours of each vertex are linked before the
	// largest component is estimated; 2 is the paper's choice.
	sampledNeighbors = 2
	// samples is how many vertices are looked at to estimate the largest component.
	samples = 1024
	// grain is how many vertices a worker takes at a time.
	grain = 2048
)

// Components tell which vertices belong together.
type Components struct {
	// Root is, for every vertex, the lowest vertex of its component.
	Root []uint32
	// All are the components, largest first, equal ones by their lowest vertex.
	All []Component
}

// A Component is named after its lowest vertex.
type Component struct {
	Lowest hops.Vertex
	Size   int64
}

// ConnectedComponents returns the components of g without regard to the direction
// of edges. threads is the number of workers; 0 is one for every CPU.
func ConnectedComponents(ctx context.Context, g *graph.Graph, threads int) (*Components, error) {
	if err := g.Verify(); err != nil {
		return nil, fmt.Errorf("query: components: %w", err)
	}
	team := par.NewTeam(threads, nil)
	defer team.Close()
	f := forest{graph: g, team: team, root: make([]uint32, g.NumVertices())}
	for _, phase := range []func(){f.plant, f.linkFirst, f.compress, f.linkRest, f.compress} {
		if err := g.Read(func() error { phase(); return nil }); err != nil {
			return nil, fmt.Errorf("query: components: %w", err)
		}
		if err := ctx.Err(); err != nil {
			return nil, fmt.Errorf("query: components: %w", err)
		}
	}
	return &Components{Root: f.root, All: count(f.root)}, nil
}

// A forest has the pointers of all vertices, which many workers read and write at
// the same time.
type forest struct {
	graph *graph.Graph
	team  *par.Team
	root  []uint32
}

// each calls do for all vertices.
func (f *forest) each(do func(v uint32)) {
	f.team.For(int64(len(f.root)), grain, func(_ int, lo, hi int64) {
		for v := lo; v < hi; v++ {
			do(uint32(v))
		}
	})
}

func (f *forest) plant() { f.each(func(v uint32) { f.root[v] = v }) }

func (f *forest) at(v uint32) uint32 { return atomic.LoadUint32(&f.root[v]) }

// link joins the trees of u and v: the higher of their roots points to the lower.
// If another worker was faster, the search for the roots goes on from there.
func (f *forest) link(u, v uint32) {
	a, b := f.at(u), f.at(v)
	for a != b {
		high, low := max(a, b), min(a, b)
		switch next := f.at(high); {
		case next == low:
			return
		case next == high && atomic.CompareAndSwapUint32(&f.root[high], high, low):
			return
		}
		a, b = f.at(f.at(high)), f.at(low)
	}
}

// compress points every vertex to its root.
func (f *forest) compress() {
	f.each(func(v uint32) {
		for r := f.at(v); r != f.at(r); r = f.at(v) {
			atomic.StoreUint32(&f.root[v], f.at(r))
		}
	})
}

func (f *forest) linkFirst() {
	f.each(func(v uint32) {
		row := f.graph.Out.Row(v)
		for _, u := range row[:min(sampledNeighbors, len(row))] {
			f.link(v, u)
		}
	})
}

// linkRest links what is left. An edge is seen from either end if both rows are
// looked at; so an end outside the largest component will see it.
func (f *forest) linkRest() {
	largest := f.largest()
	f.each(func(v uint32) {
		if f.at(v) == largest {
			return
		}
		row := f.graph.Out.Row(v)
		for _, u := range row[min(sampledNeighbors, len(row)):] {
			f.link(v, u)
		}
		if f.graph.Directed {
			for _, u := range f.graph.In.Row(v) {
				f.link(v, u)
			}
		}
	})
}

// largest is the most frequent root of a sample.
func (f *forest) largest() uint32 {
	seen := map[uint32]int{}
	best := uint32(0)
	for v := 0; v < len(f.root); v += len(f.root)/samples + 1 {
		r := f.root[v]
		if seen[r]++; seen[r] > seen[best] {
			best = r
		}
	}
	return best
}

// count lists the components by size.
func count(root []uint32) []Component {
	sizes := make([]uint32, len(root))
	number := 0
	for v, r := range root {
		sizes[r]++
		if int(r) == v {
			number++
		}
	}
	all := make([]Component, 0, number)
	for v, size := range sizes {
		if size > 0 {
			all = append(all, Component{hops.Vertex(v), int64(size)})
		}
	}
	slices.SortStableFunc(all, func(a, b Component) int { return cmp.Compare(b.Size, a.Size) })
	return all
}
