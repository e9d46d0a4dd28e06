package query

import (
	"context"
	"fmt"
	"math"

	"github.com/gohops/hops"
	"github.com/gohops/hops/engine/many"
	"github.com/gohops/hops/graph"
	"github.com/gohops/hops/internal/base/par"
)

// FindExtent keeps bounds of the eccentricity of every vertex, the hops to the vertex that
// is farthest from it, after Takes and Kosters (Algorithms, 2013) and, for directed graphs,
// Borassi et al. (Theoretical Computer Science, 2015).
//
// A search from w says for every vertex v how far it is from w, and how far the farthest
// vertex is, e(w). Then
//
//	e(v) ≤ d(v,w) + e(w)    because one can always go by w,
//	e(v) ≥ d(v,w)           because w is there,
//	e(v) ≥ e(w) - d(w,v)    because otherwise one could get farther from w by v.
//
// The diameter is the largest eccentricity and the radius the smallest, so that the bounds
// of all vertices bound both. Searches go from the vertices that keep the bounds apart:
// those with the largest upper and those with the smallest lower bound, of equal ones those
// with the most edges. On most graphs a few searches of a million are enough. One after
// the other, searches learn the most; many at once cost the least. So the first is from one
// vertex, and every round has half as many more, up to 64 at once.
//
// Where edges are directed, only the largest strongly connected component is searched, and the distances to w come from a second search against the edges.

// An Extent tells how far the vertices of a component are apart.
type Extent struct {
	// First is the lowest vertex of the largest component, which is strongly connected
	// if the graph is directed, and Vertices its size.
	First    hops.Vertex
	Vertices int64
	// Diameter is the hops between the two vertices that are farthest apart, Radius the
	// hops from a vertex in the middle to the one farthest from it.
	Diameter, Radius Bounds
	// Least and Most bound the eccentricity of every vertex; -1 outside the component.
	Least, Most []int32
	// Open is how many vertices of the component have bounds that differ.
	Open     int64
	Searches int
}

// Bounds are the same if a figure is known.
type Bounds struct{ Least, Most int }

// Exact tells whether a figure is known.
func (b Bounds) Exact() bool { return b.Least == b.Most }

// ExtentOptions of FindExtent. The zero value finds diameter and radius.
type ExtentOptions struct {
	All      bool          // find the eccentricities of all vertices
	Threads  int           // 0 is one for every CPU
	Progress func(*Extent) // is called after every round of searches; may be nil
}

// FindExtent finds the exact diameter and radius of the largest component. If the context
// ends, it returns the bounds found so far together with the error. It takes as much memory
// as the graph again, and about 70 bytes for every vertex; twice that where edges are
// directed.
func FindExtent(ctx context.Context, g *graph.Graph, opts ExtentOptions) (*Extent, error) {
	components, err := StronglyConnectedComponents(ctx, g, opts.Threads)
	if err != nil {
		return nil, err
	}
	if len(components.All) == 0 {
		return &Extent{}, nil
	}
	m, err := newMeasure(g, components, opts)
	if err != nil {
		return nil, fmt.Errorf("query: diameter: %w", err)
	}
	defer m.close()
	for size := 1; !m.done(); size = min(hops.MaxRoots, size+(size+1)/2) {
		if err := m.round(ctx, m.choose(size)); err != nil {
			return m.extent, fmt.Errorf("query: diameter: %w", err)
		}
		if opts.Progress != nil {
			opts.Progress(m.extent)
		}
	}
	return m.extent, nil
}

// A measure is the state of FindExtent.
type measure struct {
	graph             *graph.Graph
	opts              ExtentOptions
	extent            *Extent
	team              *par.Team
	forward, backward *many.Searcher // the same if the graph is undirected
	from, to          *hops.Depths   // hops from the roots, and to them
	workers           []extentWorker
}

func newMeasure(g *graph.Graph, c *Components, opts ExtentOptions) (m *measure, err error) {
	n, largest := g.NumVertices(), c.All[0]
	m = &measure{graph: g, opts: opts, from: hops.NewDepths(n)}
	m.extent = &Extent{First: largest.Lowest, Vertices: largest.Size, Least: make([]int32, n), Most: make([]int32, n)}
	for v, root := range c.Root {
		if m.extent.Least[v], m.extent.Most[v] = -1, -1; root == uint32(largest.Lowest) {
			m.extent.Least[v], m.extent.Most[v] = 0, int32(min(largest.Size-1, math.MaxInt32))
		}
	}
	if m.forward, err = many.New(g, many.Options{Threads: opts.Threads}); err != nil {
		return nil, err
	}
	m.backward, m.to = m.forward, m.from
	if g.Directed {
		m.to = hops.NewDepths(n)
		err = g.Read(func() error {
			m.backward, err = many.New(reversed(g), many.Options{Threads: opts.Threads})
			return err
		})
	}
	if err != nil {
		_ = m.forward.Close()
		return nil, err
	}
	m.team = par.NewTeam(opts.Threads, nil)
	m.workers = make([]extentWorker, m.team.Size())
	m.sumUp()
	return m, nil
}

// reversed returns rows of g for searches against the direction of edges. They are all
// that package many reads.
func reversed(g *graph.Graph) *graph.Graph {
	r := graph.NewGraph(nil)
	r.Out, r.In, r.Parents, r.Directed = g.In, g.Out, g.Parents, true
	return r
}

func (m *measure) close() {
	_ = m.forward.Close()
	_ = m.backward.Close()
	m.team.Close()
}

func (m *measure) done() bool {
	if m.opts.All {
		return m.extent.Open == 0
	}
	return m.extent.Diameter.Exact() && m.extent.Radius.Exact()
}

// round searches from the roots and brings the bounds nearer together.
func (m *measure) round(ctx context.Context, roots []hops.Vertex) error {
	if _, err := m.forward.Search(ctx, roots, m.from); err != nil {
		return err
	}
	if m.graph.Directed {
		if _, err := m.backward.Search(ctx, roots, m.to); err != nil {
			return err
		}
	}
	farthest := m.farthest(len(roots))
	m.each(func(w *extentWorker, lo, hi int64) {
		least, most := m.extent.Least[lo:hi], m.extent.Most[lo:hi]
		for i, e := range farthest {
			from, to := w.levels(m, i, lo, hi)
			for v := range least {
				if most[v] >= 0 {
					least[v] = max(least[v], to[v], e-from[v])
					most[v] = min(most[v], to[v]+e)
				}
			}
		}
	})
	m.extent.Searches += len(roots)
	m.sumUp()
	return nil
}

// farthest are the eccentricities of the roots.
func (m *measure) farthest(roots int) []int32 {
	for w := range m.workers {
		m.workers[w].farthest = [hops.MaxRoots]int32{}
	}
	m.each(func(w *extentWorker, lo, hi int64) {
		most := m.extent.Most[lo:hi]
		for i := range roots {
			from, _ := w.levels(m, i, lo, hi)
			for v, d := range from {
				if most[v] >= 0 {
					w.farthest[i] = max(w.farthest[i], d)
				}
			}
		}
	})
	all := m.workers[0].farthest[:roots]
	for _, w := range m.workers[1:] {
		for i := range all {
			all[i] = max(all[i], w.farthest[i])
		}
	}
	return all
}

// sumUp finds the bounds of diameter and radius.
func (m *measure) sumUp() {
	x := m.extent
	x.Diameter, x.Radius, x.Open = Bounds{}, Bounds{math.MaxInt32, math.MaxInt32}, 0
	for v, most := range x.Most {
		if most < 0 {
			continue
		}
		least := x.Least[v]
		x.Diameter = Bounds{max(x.Diameter.Least, int(least)), max(x.Diameter.Most, int(most))}
		x.Radius = Bounds{min(x.Radius.Least, int(least)), min(x.Radius.Most, int(most))}
		if least < most {
			x.Open++
		}
	}
}
