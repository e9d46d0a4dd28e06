package format

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"sync/atomic"

	"github.com/gohops/hops"
	"github.com/gohops/hops/edge"
	"github.com/gohops/hops/graph"
)

// readPacked reads the packed edges of the Graph500 reference, 12 bytes each. A
// plain file is left where it is and read when edges are asked for; it has
// weights if the file of weights lies beside it. Vertices are as many as the
// largest label asks for: generators use all labels below a power of two, though
// not all have edges. If labels are so sparse that nearly none of these vertices
// would have an edge, vertices are those that have, and keep their labels as names.
func readPacked(ctx context.Context, f *file, opts *Options) (*Input, error) {
	if f.plain != nil {
		if odd := f.size % edge.PackedSize; odd != 0 {
			return nil, f.wrongByte(f.size-odd, "%d bytes, where an edge has %d", odd, edge.PackedSize)
		}
	}
	in, err := packedInput(ctx, f, opts)
	if err != nil {
		return nil, err
	}
	if in.edges.NumEdges() == 0 {
		_ = in.Close()
		return nil, f.wrongByte(0, "the file has no edges")
	}
	in.Format = f.described("Graph500 packed")
	in.Directed, in.DirectedBy = false, ByFormat
	return in, nil
}

func packedInput(ctx context.Context, f *file, opts *Options) (*Input, error) {
	if f.plain != nil {
		return openPacked(ctx, f, opts)
	}
	l, err := f.readRecords(ctx, -1, edge.PackedSize, opts, takePacked)
	if err != nil {
		return nil, err
	}
	names, err := l.packedNames(opts)
	if err != nil {
		_ = l.close()
		return nil, f.wrong("%v", err)
	}
	return l.input(names, false, opts), nil
}

// packedNames numbers the vertices of packed edges.
func (l *list) packedNames(opts *Options) (*graph.Names, error) {
	if isSparse(l.largest(), l.NumEdges()) {
		return l.compact(opts.team)
	}
	l.vertices = hops.Vertex(l.largest() + 1)
	return nil, nil
}

func takePacked(text []byte, out *batch) *fault {
	for pos := 0; pos < len(text); pos += edge.PackedSize {
		if len(text)-pos < edge.PackedSize {
			return faultAt(pos, "%d bytes, where an edge has %d", len(text)-pos, edge.PackedSize)
		}
		low, high := binary.LittleEndian.Uint64(text[pos:]), binary.LittleEndian.Uint32(text[pos+8:])
		out.edges = append(out.edges, hops.Edge{
			U: hops.Vertex(uint32(low)) | hops.Vertex(high&0xFFFF)<<32,
			V: hops.Vertex(low>>32) | hops.Vertex(high>>16)<<32,
		})
	}
	return nil
}

// openPacked opens a plain file, after a first look for the largest label.
func openPacked(ctx context.Context, f *file, opts *Options) (*Input, error) {
	var largest atomic.Uint64
	none, err := f.readRecords(ctx, -1, edge.PackedSize, opts, func(text []byte, out *batch) *fault {
		wrong := takePacked(text, out)
		top := hops.Vertex(0)
		for _, e := range out.edges {
			top = max(top, e.U, e.V)
		}
		for old := largest.Load(); uint64(top) > old && !largest.CompareAndSwap(old, uint64(top)); old = largest.Load() {
		}
		out.edges = out.edges[:0] // nothing is to be kept
		return wrong
	})
	if err != nil {
		return nil, err
	}
	_ = none.close()
	if isSparse(largest.Load(), f.size/edge.PackedSize) {
		return openSparse(ctx, f, opts)
	}
	p, err := edge.OpenPacked(f.path, hops.Vertex(largest.Load()+1))
	if err != nil {
		return nil, fmt.Errorf("format: %w", err)
	}
	in := &Input{edges: p, Weighted: p.HasWeights(), close: p.Close}
	if !in.Weighted || opts.DropWeights {
		in.edges = unweighted{p}
	}
	return in, nil
}

// openSparse reads a plain file whose labels become names. Weights stay in their file.
func openSparse(ctx context.Context, f *file, opts *Options) (*Input, error) {
	p, err := edge.OpenPacked(f.path, edge.MaxPackedVertices)
	if err != nil {
		return nil, fmt.Errorf("format: %w", err)
	}
	f.taken = 0
	l, err := f.readRecords(ctx, -1, edge.PackedSize, opts, takePacked)
	if err != nil {
		return nil, errors.Join(err, p.Close())
	}
	names, err := l.compact(opts.team)
	if err != nil {
		return nil, errors.Join(f.wrong("%v", err), l.close(), p.Close())
	}
	in := &Input{edges: l, Names: names, Weighted: p.HasWeights(), close: func() error { return errors.Join(l.close(), p.Close()) }}
	if in.Weighted && !opts.DropWeights {
		in.edges = weightsBeside{l, p}
	}
	return in, nil
}

// weightsBeside is a list whose weights are in a file of their own.
type weightsBeside struct {
	*list
	file *edge.PackedFile
}

// WeightsAt implements hops.WeightedSource.
func (w weightsBeside) WeightsAt(dst []float32, off int64) (int, error) {
	return w.file.WeightsAt(dst, off)
}

// unweighted hides weights.
type unweighted struct{ hops.Source }
