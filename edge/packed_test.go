package edge

import (
	"context"
	"errors"
	"io"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/gohops/hops"
)

func TestPackingKeepsAnyEdgeOf48Bits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		label := rapid.Uint64Range(0, MaxPackedVertices-1)
		e := hops.Edge{U: hops.Vertex(label.Draw(t, "u")), V: hops.Vertex(label.Draw(t, "v"))}
		if got := pack(e).edge(); got != e {
			t.Fatalf("%v came back as %v", e, got)
		}
	})
}

func TestPackIsTheSameListForAnyTeam(t *testing.T) {
	src := kronecker(t, 12)
	want := all(t, src)
	for size := range 5 {
		var last, total int64
		p, err := Pack(t.Context(), src, size+1, func(done, of int64) {
			if done < last {
				t.Errorf("progress went back from %d to %d", last, done)
			}
			last, total = done, of
		})
		if err != nil {
			t.Fatal(err)
		}
		if last != src.NumEdges() || total != src.NumEdges() {
			t.Errorf("%d workers: progress ended at %d of %d", size+1, last, total)
		}
		if p.NumVertices() != src.NumVertices() || !slices.Equal(all(t, p), want) {
			t.Errorf("%d workers: the packed list differs", size+1)
		}
		if err := p.Close(); err != nil || p.NumEdges() != 0 {
			t.Errorf("closed list has %d edges, error %v", p.NumEdges(), err)
		}
	}
}

func TestPackedReadsAnywhere(t *testing.T) {
	want := all(t, kronecker(t, 8))
	p, err := Pack(t.Context(), List(want, 256), 1, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	rapid.Check(t, func(t *rapid.T) {
		off := rapid.IntRange(0, len(want)+2).Draw(t, "offset")
		dst := make([]hops.Edge, rapid.IntRange(0, 600).Draw(t, "length"))
		n, err := p.EdgesAt(dst, int64(off))
		rest := want[min(off, len(want)):]
		if m := min(len(dst), len(rest)); n != m || !slices.Equal(dst[:n], rest[:m]) {
			t.Fatalf("read %d edges at %d, want %d", n, off, m)
		}
		if (n < len(dst)) != (err == io.EOF) || (n == len(dst) && err != nil) {
			t.Fatalf("read %d of %d edges: %v", n, len(dst), err)
		}
	})
}

// Labels of more than 32 bits are kept in 12 bytes an edge, others in 8 that can be read in place.
func TestPackedForms(t *testing.T) {
	for _, c := range []struct {
		n     hops.Vertex
		bytes int64
	}{{1 << 32, 8}, {1<<32 + 1, 12}, {1 << 40, 12}} {
		want := []hops.Edge{{U: c.n - 1, V: 0}, {U: 1, V: c.n - 1}, {U: 5, V: 1<<32 - 1}}
		p, err := Pack(t.Context(), List(want, c.n), 1, nil)
		if err != nil {
			t.Fatal(err)
		}
		defer p.Close()
		if got := all(t, p); !slices.Equal(got, want) || p.NumEdges() != 3 {
			t.Errorf("%d vertices: %v, want %v", c.n, got, want)
		}
		if got := PackedMemory(c.n, 3); got != 3*c.bytes {
			t.Errorf("%d vertices: 3 edges take %d bytes, want %d each", c.n, got, c.bytes)
		}
		pairs := hops.PairsAt(hops.Directed(p), 1, 2)
		if c.bytes == 8 && !slices.Equal(pairs, []uint64{uint64(c.n-1)<<32 | 1, (1<<32-1)<<32 | 5}) || c.bytes == 12 && pairs != nil {
			t.Errorf("%d vertices: pairs %x", c.n, pairs)
		}
	}
	if pairs := hops.PairsAt(List(nil, 5), 0, 0); pairs != nil {
		t.Errorf("a list of edges has the pairs %v", pairs)
	}
}

func TestPackFailsWithTheSource(t *testing.T) {
	edges := make([]hops.Edge, 3*blockEdges)
	edges[2*blockEdges+7] = hops.Edge{U: 1, V: 10}
	if p, err := Pack(t.Context(), List(edges, 10), 1, nil); p != nil || err == nil {
		t.Errorf("label out of range: %v, %v", p, err)
	}
	if p, err := Pack(t.Context(), List(nil, MaxPackedVertices+1), 1, nil); p != nil || err == nil {
		t.Errorf("too many vertices: %v, %v", p, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if p, err := Pack(ctx, kronecker(t, 12), 1, nil); p != nil || !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v, %v", p, err)
	}
}

func TestPackStopsWhenCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var reached int64
	_, err := Pack(ctx, kronecker(t, 16), 1, func(done, _ int64) {
		reached = done
		cancel()
	})
	if !errors.Is(err, context.Canceled) || reached != blockEdges {
		t.Errorf("stopped after %d edges: %v", reached, err)
	}
}

func TestListReportsLabelsOutOfRange(t *testing.T) {
	l := List([]hops.Edge{{U: 0, V: 1}, {U: 2, V: 0}, {U: 5, V: 1}}, 5)
	var dst [3]hops.Edge
	if n, err := l.EdgesAt(dst[:], 0); n != 2 || err == nil || err == io.EOF {
		t.Errorf("read %d edges: %v", n, err)
	}
	if n, err := l.EdgesAt(dst[:2], 0); n != 2 || err != nil {
		t.Errorf("read %d edges: %v", n, err)
	}
}

func BenchmarkPacked(b *testing.B) {
	p, err := Pack(b.Context(), kronecker(b, 16), 1, nil)
	if err != nil {
		b.Fatal(err)
	}
	defer p.Close()
	benchmarkEdges(b, p)
}
