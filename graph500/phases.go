package graph500

import (
	"context"
	"fmt"
	"runtime"
	"sync/atomic"

	"github.com/gohops/hops"
	"github.com/gohops/hops/edge"
)

// generate makes the edge list. Kept in memory it is generated here, outside
// any clock; otherwise edges are generated wherever they are read, kernel 1
// included, whose time only gets worse for it.
func (b *bench) generate(ctx context.Context) (src hops.Source, release func(), err error) {
	kronecker, err := edge.NewKroneckerOf(b.cfg.Scale, b.cfg.Edges(), b.cfg.Seeds[0], b.cfg.Seeds[1])
	if err != nil {
		return nil, nil, err
	}
	b.generator = kronecker
	if !b.res.Memory.KeepTuples {
		return kronecker, func() {}, nil
	}
	b.obs.Begin(Generate, kronecker.NumEdges(), "edges")
	stop, err := b.stopwatch()
	if err != nil {
		return nil, nil, err
	}
	if src, release, err = b.pack(ctx, kronecker); err != nil {
		return nil, nil, err
	}
	b.res.Generation, err = stop()
	return src, release, err
}

// pack keeps this rank's share of the list in memory, with weights if a kernel needs them.
func (b *bench) pack(ctx context.Context, kronecker hops.WeightedSource) (src hops.Source, release func(), err error) {
	ranks := int64(b.comm.Size())
	lo, hi := b.mine()
	mine, advance := window{kronecker, lo, hi}, func(done, _ int64) { b.obs.Advance(done * ranks) }
	if b.cfg.Runs(KernelSSSP) {
		packed, release, err := edge.PackWeighted(ctx, weightedWindow{mine, kronecker}, b.engine.Threads, advance)
		if err != nil || ranks == 1 {
			return packed, release, err
		}
		return &weightedShare{share{kronecker, lo, hi, packed}, kronecker, packed}, release, nil
	}
	var whole hops.Source = mine
	if ranks == 1 {
		whole = kronecker
	}
	packed, err := edge.Pack(ctx, whole, b.engine.Threads, advance)
	if err != nil {
		return nil, nil, err
	}
	release = func() { _ = packed.Close() }
	if ranks == 1 {
		return packed, release, nil
	}
	return &share{kronecker, lo, hi, packed}, release, nil
}

// kernel1 builds the graph, and is timed as a whole.
func (b *bench) kernel1(ctx context.Context, edges hops.Source) (Searcher, error) {
	if b.engine.Generates {
		edges = b.generator
	}
	total, passes := int64(0), int64(b.engine.Passes)
	build := func() (Searcher, error) { return b.engine.Build(ctx, edges) }
	count := &counted{Source: edges, times: int64(b.comm.Size()), report: func(done int64) { b.obs.Advance(done / passes) }}
	if passes > 0 { // every edge counts once
		total, build = edges.NumEdges(), func() (Searcher, error) { return b.engine.Build(ctx, count) }
	}
	b.obs.Begin(Construct, total, "edges")
	if weighted, ok := edges.(hops.WeightedSource); ok && b.cfg.Runs(KernelSSSP) {
		passes = max(passes, 1)
		build = func() (Searcher, error) { return b.engine.Weighted.Build(ctx, &countedTuples{count, weighted}) }
		if b.engine.Generates {
			build = func() (Searcher, error) { return b.engine.Weighted.Build(ctx, weighted) }
		}
	}
	runtime.GC()
	stop, err := b.stopwatch()
	if err != nil {
		return nil, err
	}
	graph, err := build()
	if err != nil {
		return nil, fmt.Errorf("construction: %w", err)
	}
	if m, ok := graph.(MemoryReporter); ok {
		b.res.Memory.Finished, b.res.Memory.BuildPeak = m.Memory()
	}
	if d, ok := graph.(DeviceNamer); ok {
		b.res.Device = d.DeviceName()
	}
	b.res.Construction, err = stop()
	if total > 0 {
		b.obs.Advance(total) // some constructions read the edges fewer times
	}
	return graph, err
}

// pickRoots draws the vertices to search from among those that have an edge to
// another vertex. Whether they do is seen in one pass over the tuples for a batch
// of candidates that is nearly always large enough.
func (b *bench) pickRoots(ctx context.Context, trees trees) ([]hops.Vertex, error) {
	b.obs.Begin(PickRoots, 0, "vertices")
	n, want := b.cfg.Vertices(), b.cfg.Roots
	for batch := 4 * want; ; batch *= 4 {
		candidates := Roots(*b.cfg.Seeds, n, batch, func(hops.Vertex) bool { return true })
		answers, err := trees.joined(ctx, candidates)
		if err != nil {
			return nil, err
		}
		joined := make(map[hops.Vertex]bool, len(candidates))
		for i, v := range candidates {
			joined[v] = answers[i]
		}
		b.res.Roots = Roots(*b.cfg.Seeds, n, want, func(v hops.Vertex) bool { return joined[v] })
		if len(b.res.Roots) == want || len(candidates) < batch {
			break
		}
	}
	if len(b.res.Roots) == 0 {
		return nil, fmt.Errorf("graph500: none of the %d vertices has an edge to search along", n)
	}
	return b.res.Roots, nil
}

// counted tells how many edges were read from a source, which is as much as can
// be known of how far a construction is.
type counted struct {
	hops.Source
	times  int64 // ranks that read as much
	read   atomic.Int64
	report func(done int64)
}

// countedTuples is the same for edges with weights.
type countedTuples struct {
	*counted
	src hops.WeightedSource
}

func (c *countedTuples) WeightsAt(dst []float32, off int64) (int, error) {
	return c.src.WeightsAt(dst, off)
}

func (c *countedTuples) TuplesAt(edges []hops.Edge, weights []float32, off int64) (int, error) {
	n, err := hops.TuplesAt(c.src, edges, weights, off)
	c.report(c.read.Add(int64(n) * c.times))
	return n, err
}

// Unwrap returns the source itself.
func (c *counted) Unwrap() hops.Source { return c.Source }

// PairsAt returns what the source itself does.
func (c *counted) PairsAt(off int64, n int) []uint64 {
	pairs := hops.PairsAt(c.Source, off, n)
	c.report(c.read.Add(int64(len(pairs)) * c.times))
	return pairs
}

func (c *counted) EdgesAt(dst []hops.Edge, off int64) (int, error) {
	n, err := c.Source.EdgesAt(dst, off)
	c.report(c.read.Add(int64(n) * c.times))
	return n, err
}
