package graph500

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"runtime/debug"
	"sync/atomic"
	"time"

	"github.com/gohops/hops"
	"github.com/gohops/hops/check"
	"github.com/gohops/hops/edge"
)

// generate makes the edge list. Kept in memory it is generated here, outside
// any clock; otherwise edges are generated wherever they are read, kernel 1
// included, whose time only gets worse for it.
func (b *bench) generate(ctx context.Context) (src hops.Source, release func(), err error) {
	kronecker, err := edge.NewKronecker(b.cfg.Scale, b.cfg.EdgeFactor, b.cfg.Seeds[0], b.cfg.Seeds[1])
	if err != nil {
		return nil, nil, err
	}
	if !b.res.Memory.KeepTuples {
		return kronecker, func() {}, nil
	}
	b.obs.Begin(Generate, kronecker.NumEdges(), "edges")
	start := time.Now()
	packed, err := edge.Pack(ctx, kronecker, b.team, func(done, _ int64) { b.obs.Advance(done) })
	if err != nil {
		return nil, nil, err
	}
	b.res.Generation = time.Since(start)
	return packed, func() { _ = packed.Close() }, nil
}

// kernel1 builds the graph, and is timed as a whole.
func (b *bench) kernel1(ctx context.Context, edges hops.Source) (Searcher, error) {
	b.obs.Begin(Construct, edges.NumEdges()*int64(b.engine.Passes), "edges")
	if b.engine.Passes > 0 {
		edges = &counted{Source: edges, report: b.obs.Advance}
	}
	runtime.GC()
	start := time.Now()
	graph, err := b.engine.Build(ctx, edges)
	b.res.Construction = time.Since(start)
	if err != nil {
		return nil, fmt.Errorf("construction: %w", err)
	}
	if m, ok := graph.(interface{ Memory() (finished, peak int64) }); ok {
		b.res.Memory.Finished, b.res.Memory.BuildPeak = m.Memory()
	}
	return graph, nil
}

// pickRoots draws the vertices to search from among those that have an edge to
// another vertex.
func (b *bench) pickRoots(ctx context.Context, edges hops.Source) ([]hops.Vertex, error) {
	b.obs.Begin(PickRoots, 0, "vertices")
	connected, err := check.HasEdge(ctx, edges, b.team)
	if err != nil {
		return nil, err
	}
	n := b.cfg.Vertices()
	b.res.Roots = Roots(*b.cfg.Seeds, n, b.cfg.Roots, func(v hops.Vertex) bool { return connected.Has(uint64(v)) })
	if len(b.res.Roots) == 0 {
		return nil, fmt.Errorf("graph500: none of the %d vertices has an edge to search along", n)
	}
	return b.res.Roots, nil
}

// newTree returns an empty tree, in the memory that suits the searcher best if it
// has an opinion.
func newTree(graph Searcher, n hops.Vertex) (*hops.Tree, error) {
	if own, ok := graph.(interface{ NewTree() (*hops.Tree, error) }); ok {
		return own.NewTree()
	}
	return hops.NewTree(n), nil
}

// kernel2 is the timed search. The clock starts with an empty tree and stops
// when the parents are in memory; the engine clears everything else within. No
// garbage is collected meanwhile.
func kernel2(ctx context.Context, graph Searcher, root hops.Vertex, tree *hops.Tree) (Search, error) {
	tree.Reset()
	runtime.GC()
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	start := time.Now()
	trace, err := graph.Search(ctx, root, tree)
	elapsed := time.Since(start)
	if trace.Clock == hops.Model {
		elapsed = trace.Time()
	}
	return Search{
		Root: root, Time: elapsed, Vertices: trace.Found() + 1,
		Clock: trace.Clock.String(), Levels: trace.Clone().Levels,
	}, err
}

// A judge completes a search by what can be seen from its tree.
type judge func(ctx context.Context, tree *hops.Tree, s *Search) error

// judge validates trees against the edge list, which also yields the number of
// edges traversed. With validation off they are still counted.
func (b *bench) judge(edges hops.Source) judge {
	if b.cfg.SkipValidation {
		return func(ctx context.Context, tree *hops.Tree, s *Search) (err error) {
			s.Edges, s.Loops, err = traversed(ctx, edges, b.team, tree)
			return err
		}
	}
	rules := check.New(edges, b.team)
	return func(ctx context.Context, tree *hops.Tree, s *Search) error {
		start := time.Now()
		found, err := rules.Tree(ctx, tree)
		s.Validate = time.Since(start)
		s.Vertices, s.Edges, s.Loops, s.Depths = found.Vertices, found.Edges, found.Loops, found.Levels
		if err == nil && tree.Root != s.Root {
			err = fmt.Errorf("graph500: asked for the tree of root %d, got that of %d: %w", s.Root, tree.Root, ErrInvalid)
		}
		if broken := (*check.Error)(nil); errors.As(err, &broken) {
			err = fmt.Errorf("%w: %w", ErrInvalid, err)
		}
		return err
	}
}

// counted tells how many edges were read from a source, which is as much as can
// be known of how far a construction is.
type counted struct {
	hops.Source
	read   atomic.Int64
	report func(done int64)
}

func (c *counted) EdgesAt(dst []hops.Edge, off int64) (int, error) {
	n, err := c.Source.EdgesAt(dst, off)
	c.report(c.read.Add(int64(n)))
	return n, err
}
