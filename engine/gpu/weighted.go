package gpu

import (
	"context"
	"math"

	"github.com/gohops/hops"
	"github.com/gohops/hops/internal/base/bucket"
)

// Rows with weights: kernels/weights.cu says in which order. They are numbered and placed as
// those of a breadth-first search are, but every entry has its weight, and duplicates stay.

// weightedRows are one side of a graph with weights.
type weightedRows struct {
	*graph
	list buffer // entries with weights
}

// A weightedGraph is what searches for shortest paths read.
type weightedGraph struct {
	bucket.Graph
	mem         *memory
	out, in     *weightedRows // one and the same in an undirected graph
	candidates  buffer
	candidateOf buffer // by row
}

// A weightedBuilder holds what only kernel 1 needs.
type weightedBuilder struct {
	*weightedGraph
	builder
	squares uint64 // of the lengths of the rows out of vertices
}

// NeedPaths is the number of bytes on the device that Paths takes at most for a graph of so
// many vertices and m edges, while it is built and while it is searched.
func NeedPaths(vertices hops.Vertex, m int64, directed bool) int64 {
	n := int64(vertices)
	labels, entries := (n+31)/32*32, 2*m
	rows := labels/4 + 8*n + 8*(n/group+2) + 8*entries + (16+4)*n
	build := 4*labels + 4*n + 4*n + 4*(entries/(shortRow+1)+entries/sortedRow+2) + 12*min(m, leastChunk) + 8*min(entries, spareEntries)
	search := (8+4)*labels + 2*(4*n+labels/8) + (4+4+8)*n + 2*4*n + pieceSize*pieceRoom(entries)
	if directed {
		rows += labels/4 + 8*n + 8*(n/group+2)
		build += 2 * 4 * labels
	}
	return rows + max(build, search)
}

// spareEntries is how many entries of long rows are put in order at a time, about.
const spareEntries = 1 << 27

// buildWeighted is kernel 1 of a graph with weights.
func buildWeighted(ctx context.Context, d device, src hops.WeightedSource) (*weightedGraph, error) {
	n, directed := src.NumVertices(), hops.IsDirected(src)
	if err := checkPathsSize(d, n, src.NumEdges(), directed); err != nil {
		return nil, err
	}
	w := &weightedGraph{mem: newMemory(d)}
	g := &graph{kernels: kernels{d}, mem: w.mem, n: uint32(n)}
	w.in = &weightedRows{graph: g}
	w.out = w.in
	b := &weightedBuilder{weightedGraph: w, builder: builder{graph: g, temp: newMemory(d), inOrder: true}}
	err := b.run(ctx, src, directed)
	if freed := b.temp.close(); err == nil {
		err = freed
	}
	if err != nil {
		_ = w.mem.close()
		return nil, err
	}
	return w, nil
}

// checkPathsSize refuses a graph that will not fit, before any work.
func checkPathsSize(d device, n hops.Vertex, m int64, directed bool) error {
	return checkRoom(d, n, m, func() int64 { return NeedPaths(n, m, directed) })
}

func (b *weightedBuilder) run(ctx context.Context, src hops.WeightedSource, directed bool) error {
	free, _, err := b.dev.Memory()
	if err != nil {
		return err
	}
	room := free - NeedPaths(hops.Vertex(b.n), src.NumEdges(), directed)
	tuples := newMemory(b.dev)
	if b.loader, err = newTupleLoader(b.dev, tuples, src, room); err == nil {
		b.degree, b.sums = b.makeDegrees(), b.makeSums()
		if directed {
			err = b.bothSides(ctx)
		} else {
			err = b.oneSide(ctx)
		}
	}
	if freed := tuples.close(); err == nil {
		err = freed
	}
	if err != nil {
		return err
	}
	if err := b.sortSides(); err != nil {
		return err
	}
	if err := b.countWeights(); err != nil {
		return err
	}
	return b.listCandidates()
}

// oneSide makes the rows of an undirected graph, still in no order.
func (b *weightedBuilder) oneSide(ctx context.Context) error {
	if b.temp.err != nil {
		return b.temp.err
	}
	if err := b.loader.each(ctx, func(edges buffer, n int64) error { return b.count(edges, n, b.degree) }); err != nil {
		return err
	}
	if err := b.numberRows(b.degree, b.degree); err != nil {
		return err
	}
	return b.fill(ctx, b.in, true, true)
}

// bothSides makes the rows of a directed graph, those into vertices and those out of them.
func (b *weightedBuilder) bothSides(ctx context.Context) error {
	outDegree, anyDegree := b.makeDegrees(), b.makeDegrees()
	if b.temp.err != nil {
		return b.temp.err
	}
	err := b.loader.each(ctx, func(edges buffer, n int64) error {
		return firstError(b.count(edges, n, anyDegree), b.countSide(edges, n, false, b.degree), b.countSide(edges, n, true, outDegree))
	})
	if err != nil {
		return err
	}
	if err := b.numberRows(b.degree, b.degree); err != nil {
		return err
	}
	if err := b.fill(ctx, b.in, false, true); err != nil {
		return err
	}
	out := b.outward()
	b.weightedGraph.out = &weightedRows{graph: out.graph}
	if err := out.numberRows(anyDegree, outDegree); err != nil {
		return err
	}
	return b.fill(ctx, b.weightedGraph.out, true, false)
}

// fill puts the edges into rows that have their places.
func (b *weightedBuilder) fill(ctx context.Context, w *weightedRows, out, into bool) error {
	w.list = w.mem.make("rows with weights", max(1, w.entries), 8)
	cursor := b.temp.makeZero("lengths of rows", int64(w.rows)+1, 4)
	if err := firstError(w.mem.err, b.temp.err); err != nil {
		return err
	}
	return b.loader.each(ctx, func(edges buffer, n int64) error {
		return w.scatterWeighted(edges, b.loader.weights, n, out, into, cursor)
	})
}

func firstError(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// sortSides orders the rows of all sides by weight.
func (b *weightedBuilder) sortSides() error {
	if b.weightedGraph.out != b.in {
		if err := b.sortByWeight(b.weightedGraph.out); err != nil {
			return err
		}
	}
	return b.sortByWeight(b.in)
}

func (b *weightedBuilder) sortByWeight(w *weightedRows) error {
	temp := newMemory(w.dev)
	defer temp.close()
	longest, err := b.longestRow(w, temp.makeZero("sums", 2, 8))
	middle := temp.make("list of rows", w.entries/(shortRow+1)+1, 4)
	large := temp.make("list of rows", w.entries/sortedRow+1, 4)
	counts := temp.makeZero("counts", 2, 4)
	if err := firstError(temp.err, err); err != nil {
		return err
	}
	if err := w.weighShort(middle, large, counts); err != nil {
		return err
	}
	var n [2]uint32
	if err := w.dev.read(bytesOf(n[:]), counts, 0); err != nil {
		return err
	}
	if n[0] > 0 {
		if err := w.weighMiddle(middle, n[0]); err != nil {
			return err
		}
	}
	if n[1] > 0 {
		blocks := max(1, min(int64(n[1]), spareEntries/longest, w.dev.MaxAlloc()/(8*longest)))
		spare := temp.make("long rows", blocks*longest, 8)
		if temp.err != nil {
			return temp.err
		}
		if err := w.weighLarge(large, n[1], spare, longest, int(blocks)); err != nil {
			return err
		}
	}
	return w.dev.Sync() // before the lists are freed
}

// longestRow returns the length of the longest row, and keeps the sum of the squares of all
// lengths if these are rows out of vertices.
func (b *weightedBuilder) longestRow(w *weightedRows, sums buffer) (int64, error) {
	if sums == 0 {
		return 0, nil
	}
	if err := w.weighRows(sums); err != nil {
		return 0, err
	}
	var s [2]uint64
	err := w.dev.read(bytesOf(s[:]), sums, 0)
	if w == b.weightedGraph.out {
		b.squares = s[0]
	}
	return max(1, int64(s[1])), err
}

// countWeights counts the weights of the rows out of vertices.
func (b *weightedBuilder) countWeights() error {
	out := b.weightedGraph.out
	classes := b.temp.makeZero("classes", bucket.NumClasses, 8)
	if b.temp.err != nil {
		return b.temp.err
	}
	if err := b.weighClasses(out.list, out.entries, classes); err != nil {
		return err
	}
	c := &bucket.Counts{Entries: uint64(out.entries), Squares: b.squares}
	if err := b.dev.read(bytesOf(c.Classes[:]), classes, 0); err != nil {
		return err
	}
	heaviest := float32(0)
	for i, n := range c.Classes {
		if n > 0 { // the heaviest that is possible in its class
			heaviest = math.Float32frombits(uint32(i+1)<<bucket.ClassBits - 1)
		}
	}
	b.Shares, b.Vertices, b.Entries = bucket.NewShares(c, heaviest), int64(out.rows), out.entries
	return nil
}

// listCandidates lists the vertices that have rows into them, by the octave of their lightest
// weight.
func (b *weightedBuilder) listCandidates() error {
	in := b.in
	octaves := b.temp.makeZero("octaves", 2*bucket.NumOctaves, 8)
	labels := b.temp.make("labels of rows", int64(in.rows)+1, 4)
	next := b.temp.make("octaves", bucket.NumOctaves, 4)
	b.candidates = b.weightedGraph.mem.make("candidates", int64(in.rows)+1, 16)
	b.candidateOf = b.weightedGraph.mem.make("candidates of rows", int64(in.rows)+1, 4)
	if err := firstError(b.temp.err, b.weightedGraph.mem.err); err != nil {
		return err
	}
	if err := in.wakeCount(octaves); err != nil {
		return err
	}
	var counts [2][bucket.NumOctaves]uint64
	if err := b.dev.read(bytesOf(counts[:]), octaves, 0); err != nil {
		return err
	}
	var first [bucket.NumOctaves]uint32
	var candidates, degree uint64
	for o := range first {
		first[o] = uint32(candidates)
		candidates, degree = candidates+counts[0][o], degree+counts[1][o]
		b.Candidates.Ends[o], b.Candidates.Degree[o] = candidates, degree
	}
	if err := b.dev.write(next, 0, bytesOf(first[:])); err != nil {
		return err
	}
	if err := in.rowLabels(labels); err != nil {
		return err
	}
	if err := in.wakeFill(next, labels, b.candidates, b.candidateOf); err != nil {
		return err
	}
	return b.dev.Sync()
}
