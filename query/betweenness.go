package query

import (
	"context"
	"errors"
	"fmt"
	"math"
	"sync/atomic"

	"github.com/gohops/hops"
	"github.com/gohops/hops/engine/many"
	"github.com/gohops/hops/graph"
	"github.com/gohops/hops/internal/base/par"
)

// Betweenness is the algorithm of Brandes (Journal of Mathematical Sociology, 2001) on the
// levels of searches from many sources at once.
//
// For one source s, let σ(v) be the number of shortest paths from s to v. A vertex v has
// the dependency δ(v): the share of the shortest paths from s to each target that go by v,
// summed over all targets. Both follow from the levels:
//
//	σ(v) = sum of σ(u) over the edges from u to v where u is one level before v,
//	δ(v) = σ(v) · sum of (1+δ(u))/σ(u) over the edges from v to u, one level after v.
//
// The betweenness of v is the sum of its dependencies over all sources.
//
//  1. One search finds the levels from up to 64 sources (package many).
//  2. They are taken in groups of eight. Every vertex has eight values of σ, which fill one
//     cache line, and a byte that says for which of the group it is in the level beside.
//  3. Level by level, every vertex sums up its row for all of the group that have it in this
//     level: forwards for σ, and then backwards for δ. A row is read as often as the
//     group has different levels for its vertex, which is twice on most graphs, and not
//     eight times; most reads of a byte find that there is nothing to add.
//  4. All eight values of a neighbour are added; values that do not count are zero. Adding
//     only the others took a fifth longer on a Kronecker graph of scale 12, for unpredictable
//     branches.
//
// A vertex is summed up by one worker, over its row in its order, and groups follow each
// other. So the result is the same to the last bit for any number of workers.

// BetweennessOptions of Betweenness. The zero value is exact and normalised.
type BetweennessOptions struct {
	Samples  int                   // number of sources to draw; 0 is all vertices
	Seed     uint64                // of the sample
	Raw      bool                  // count pairs; else divide by the number of pairs of other vertices
	Threads  int                   // 0 is one for every CPU
	Progress func(done, total int) // is called with the sources that are done, first with 0
}

// A BetweennessResult has the betweenness of every vertex.
type BetweennessResult struct {
	Of      []float64
	Sources int  // vertices that were searched from
	Exact   bool // they are all that have edges out
}

// groupSize is how many sources are summed up together: the bits of a byte, and the values
// of 8 bytes in a cache line of 64.
const groupSize = 8

// ErrTooManyPaths is the error for graphs with more shortest paths between two vertices
// than a number of 64 bits can say: 10³⁰⁸, as on grids of 500 rows and more.
var ErrTooManyPaths = errors.New("query: betweenness: there are more than 10^308 shortest paths between two vertices")

// Betweenness says for every vertex which share of the shortest paths between two others
// goes by it, as NetworkX defines it: summed over all pairs, and divided by (n-1)(n-2), the
// number of ordered pairs of other vertices. Raw sums are not divided; in an undirected
// graph they count each pair once. Of a sample of the vertices that have edges out, it is an
// estimate: the sum is scaled by their number. It needs as much memory as the graph again,
// and about 230 bytes for every vertex.
func Betweenness(ctx context.Context, g *graph.Graph, opts BetweennessOptions) (BetweennessResult, error) {
	if err := g.Verify(); err != nil {
		return BetweennessResult{}, fmt.Errorf("query: betweenness: %w", err)
	}
	n := int(g.NumVertices())
	all := Sample(g, n, 0)
	sources := all
	if opts.Samples > 0 && opts.Samples < len(all) {
		sources = Sample(g, opts.Samples, opts.Seed)
	}
	result := BetweennessResult{Of: make([]float64, n), Sources: len(sources), Exact: len(sources) == len(all)}
	if len(sources) == 0 {
		return result, nil
	}
	if opts.Progress == nil {
		opts.Progress = func(int, int) {}
	}
	opts.Progress(0, len(sources))
	b, err := newBetween(g, opts.Threads, result.Of)
	if err != nil {
		return BetweennessResult{}, fmt.Errorf("query: betweenness: %w", err)
	}
	defer b.close()
	if err := b.addAll(ctx, sources, opts.Progress); err != nil {
		return BetweennessResult{}, err
	}
	scale := float64(len(all)) / float64(len(sources))
	switch {
	case opts.Raw && !g.Directed:
		scale /= 2
	case !opts.Raw && n > 2:
		scale /= float64(n-1) * float64(n-2)
	}
	for v := range result.Of {
		result.Of[v] *= scale
	}
	return result, nil
}

// between is the state of Betweenness.
type between struct {
	graph    *graph.Graph
	searcher *many.Searcher
	depths   *hops.Depths
	team     *par.Team

	lists  levelLists
	beside []uint8              // bits of the group that have the vertex in the level beside
	shown  [][groupSize]float64 // their values, and 0 for the others of the group
	values [][groupSize]float64 // of each vertex: σ, and after its turn (1+δ)/σ
	sum    []float64            // of all dependencies of each vertex
	excess atomic.Bool
}

func newBetween(g *graph.Graph, threads int, sum []float64) (*between, error) {
	s, err := many.New(g, many.Options{Threads: threads})
	if err != nil {
		return nil, err
	}
	n := g.NumVertices()
	return &between{
		graph: g, searcher: s, depths: hops.NewDepths(n), team: par.NewTeam(threads, nil),
		beside: make([]uint8, n), shown: make([][groupSize]float64, n), values: make([][groupSize]float64, n), sum: sum,
	}, nil
}

func (b *between) close() {
	b.team.Close()
	_ = b.searcher.Close()
}

func (b *between) addAll(ctx context.Context, sources []hops.Vertex, progress func(done, total int)) error {
	for done := 0; done < len(sources); {
		batch := sources[done:min(len(sources), done+hops.MaxRoots)]
		if _, err := b.searcher.Search(ctx, batch, b.depths); err != nil {
			return fmt.Errorf("query: betweenness: %w", err)
		}
		for first := 0; first < len(batch); first += groupSize {
			if err := b.graph.Read(func() error { return b.addGroup(ctx, first) }); err != nil {
				return fmt.Errorf("query: betweenness: %w", err)
			}
			if b.excess.Load() {
				return ErrTooManyPaths
			}
			progress(done+min(len(batch), first+groupSize), len(sources))
		}
		done += len(batch)
	}
	return nil
}

// addGroup adds the dependencies of the group of sources that begins with this one.
func (b *between) addGroup(ctx context.Context, first int) error {
	b.lists.sort(b.depths, first, b.team)
	levels := b.lists.count()
	b.each(0, func(v uint32, roots uint8) {
		for ; roots != 0; roots &= roots - 1 {
			b.values[v][lowestBit(roots)] = 1
		}
	})
	for level := 1; level < levels && ctx.Err() == nil; level++ {
		b.between(level-1, level, b.countPaths)
	}
	for level := levels - 1; level > 0 && ctx.Err() == nil; level-- {
		b.between(level+1, level, b.depend)
	}
	return ctx.Err()
}

// between calls do for the vertices of a level, while the vertices of a level beside it show
// their values.
func (b *between) between(beside, level int, do func(v uint32, mine uint8)) {
	b.each(beside, b.show)
	b.each(level, do)
	b.each(beside, func(v uint32, _ uint8) { b.beside[v] = 0 })
}

func (b *between) show(v uint32, mine uint8) {
	b.beside[v] = mine
	shown, values := &b.shown[v], &b.values[v]
	*shown = [groupSize]float64{}
	for ; mine != 0; mine &= mine - 1 {
		shown[lowestBit(mine)] = values[lowestBit(mine)]
	}
}

// each calls do for the vertices of a level, with the bits of the group that have them there.
func (b *between) each(level int, do func(v uint32, mine uint8)) {
	vertices, bits := b.lists.at(level)
	part := func(_ int, lo, hi int64) {
		for i := lo; i < hi; i++ {
			do(vertices[i], bits[i])
		}
	}
	if len(vertices) <= listGrain { // no work for two
		part(0, 0, int64(len(vertices)))
		return
	}
	b.team.For(int64(len(vertices)), listGrain, part)
}

// countPaths sums up the paths to v from the level before.
func (b *between) countPaths(v uint32, mine uint8) {
	sums := b.sumRow(b.graph.In.Row(v), mine)
	for ; mine != 0; mine &= mine - 1 {
		i := lowestBit(mine)
		b.values[v][i] = sums[i]
		if sums[i] > math.MaxFloat64 {
			b.excess.Store(true)
		}
	}
}

// depend sums up the dependencies on v of the level after it.
func (b *between) depend(v uint32, mine uint8) {
	sums := b.sumRow(b.graph.Out.Row(v), mine)
	for ; mine != 0; mine &= mine - 1 {
		i := lowestBit(mine)
		paths := b.values[v][i]
		dependency := paths * sums[i]
		b.sum[v] += dependency
		b.values[v][i] = (1 + dependency) / paths
	}
}

// sumRow sums up the values of the neighbours that are in the level beside for mine. The
// sums for others of the group mean nothing.
func (b *between) sumRow(row []uint32, mine uint8) [groupSize]float64 {
	var s0, s1, s2, s3, s4, s5, s6, s7 float64
	for _, u := range row {
		if b.beside[u]&mine != 0 {
			x := &b.shown[u]
			s0 += x[0]
			s1 += x[1]
			s2 += x[2]
			s3 += x[3]
			s4 += x[4]
			s5 += x[5]
			s6 += x[6]
			s7 += x[7]
		}
	}
	return [groupSize]float64{s0, s1, s2, s3, s4, s5, s6, s7}
}
