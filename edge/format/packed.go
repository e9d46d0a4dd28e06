package format

import (
	"context"
	"encoding/binary"
	"fmt"
	"sync/atomic"

	"github.com/gohops/hops"
	"github.com/gohops/hops/edge"
)

// readPacked reads the packed edges of the Graph500 reference, 12 bytes each. A
// plain file is left where it is and read when edges are asked for; it has
// weights if the file of weights lies beside it. Vertices are as many as the
// largest label asks for: generators use all labels below a power of two, though
// not all have edges.
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
	if in.Source.NumEdges() == 0 {
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
	l.vertices = hops.Vertex(l.largest() + 1)
	return l.input(nil, false), nil
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
	p, err := edge.OpenPacked(f.path, hops.Vertex(largest.Load()+1))
	if err != nil {
		return nil, fmt.Errorf("format: %w", err)
	}
	in := &Input{Source: p, close: p.Close}
	if !p.HasWeights() {
		in.Source = unweighted{p}
	}
	return in, nil
}

// unweighted hides that a source could have had weights.
type unweighted struct{ hops.Source }
