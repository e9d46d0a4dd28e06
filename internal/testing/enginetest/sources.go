package enginetest

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/gohops/hops"
)

// A broken is a Source that does not keep its promises.
type broken struct {
	hops.Source
	count int64 // of its edges, as it claims
	read  func(dst []hops.Edge, off int64) (int, error)
}

func (b broken) NumEdges() int64                                        { return b.count }
func (b broken) EdgesAt(dst []hops.Edge, off int64) (int, error)        { return b.read(dst, off) }
func (b broken) with(read func([]hops.Edge, int64) (int, error)) broken { b.read = read; return b }

var errBroken = errors.New("broken on purpose")

// A brokenSource is a source that no engine makes a graph of, and the error that it gives itself,
// if any. An engine that reads it once cannot tell that it changes.
type brokenSource struct {
	src     hops.Source
	want    error
	changed *atomic.Bool // it has given other edges than before; nil if it does not change
}

// refuseSources sees that no engine makes a graph of a source that fails, or that breaks its
// promises, and that the error is the source's own where it has one.
func (s *suite) refuseSources(t *testing.T) {
	for what, b := range brokenSources() {
		s.refuseSource(t, what, b)
	}
	if !s.Directed {
		return
	}
	for what, b := range brokenSources() {
		b.src = hops.Directed(b.src)
		s.refuseSource(t, what+", directed", b)
	}
}

func brokenSources() map[string]brokenSource {
	good := pathGraph(100).source()
	src := broken{good, good.NumEdges(), good.EdgesAt}
	wrapped := fmt.Errorf("the disk is gone: %w", errors.Join(io.EOF, errBroken))
	fails := func(count int, err error) hops.Source {
		return src.with(func(dst []hops.Edge, off int64) (int, error) {
			n, _ := good.EdgesAt(dst[:min(count, len(dst))], off)
			return n, err
		})
	}
	label := func(v hops.Vertex) hops.Source {
		return src.with(func(dst []hops.Edge, off int64) (int, error) {
			n, err := good.EdgesAt(dst, off)
			dst[n-1].V = v
			return n, err
		})
	}
	return map[string]brokenSource{
		"a source that fails":                  {fails(0, errBroken), errBroken, nil},
		"a source that fails on the way":       {fails(3, errBroken), errBroken, nil},
		"a source that fails at its end":       {fails(1<<20, errBroken), errBroken, nil},
		"a source whose failure wraps io.EOF":  {fails(3, wrapped), errBroken, nil},
		"a source that ends early":             {fails(3, io.EOF), io.ErrUnexpectedEOF, nil},
		"a source of fewer edges than it says": {fails(3, nil), io.ErrUnexpectedEOF, nil},
		"a source of -1 edges":                 {broken{good, -1, good.EdgesAt}, nil, nil},
		"a label beyond the last vertex":       {label(100), nil, nil},
		"a label that has the highest bit":     {label(1 << 63), nil, nil},
		"NoVertex as a label":                  {label(hops.NoVertex), nil, nil},
		"other edges in each reading":          changing(good, func(e hops.Edge, k int64) hops.Edge { e.V = (e.V + hops.Vertex(k)) % 100; return e }),
		"other ends of the same edges":         changing(good, swapEnds),
		"loops that were edges before":         changing(good, func(e hops.Edge, k int64) hops.Edge { e.V -= hops.Vertex(min(k, 1)); return e }),
	}
}

// refuseEndless sees that a construction ends with its context, however many edges are to come. An
// engine may refuse so many at once.
func (s *suite) refuseEndless(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	var readings atomic.Int64
	src := broken{pathGraph(100).source(), 1 << 62, func(dst []hops.Edge, off int64) (int, error) {
		if readings.Add(1) == 50 {
			cancel()
		}
		for i := range dst {
			at := hops.Vertex(off+int64(i)) % 99
			dst[i] = hops.Edge{U: at, V: at + 1}
		}
		return len(dst), nil
	}}
	x, err := s.Build(ctx, src)
	if err == nil {
		_ = x.Close()
	}
	if err == nil || readings.Load() >= 50 && !errors.Is(err, context.Canceled) {
		t.Errorf("a construction that was cancelled: error %v", err)
	}
}

func (s *suite) refuseSource(t *testing.T, what string, b brokenSource) {
	t.Helper()
	x, err := s.Build(context.Background(), b.src)
	if err == nil {
		_ = x.Close()
	}
	if err == nil && b.changed != nil && !b.changed.Load() {
		return
	}
	if err == nil || b.want != nil && !errors.Is(err, b.want) || strings.Contains(err.Error(), "panic") {
		t.Errorf("%s: error %v, want %v", what, err, b.want)
	}
}

// changing is a Source that gives other edges in reading k than in the first, reading 0.
func changing(src hops.Source, change func(e hops.Edge, k int64) hops.Edge) brokenSource {
	readings, changed := make([]atomic.Int64, src.NumEdges()), new(atomic.Bool)
	return brokenSource{changed: changed, src: broken{src, src.NumEdges(), func(dst []hops.Edge, off int64) (int, error) {
		n, err := src.EdgesAt(dst, off)
		for i, e := range dst[:n] {
			if dst[i] = change(e, readings[off+int64(i)].Add(1)-1); dst[i] != e {
				changed.Store(true)
			}
		}
		return n, err
	}}}
}

// swapEnds pairs the ends of edges anew, so that all degrees stay what they are.
func swapEnds(e hops.Edge, k int64) hops.Edge {
	if k > 0 && (e.U == 10 || e.U == 20) {
		e.V = 32 - e.V // 11 and 21
	}
	return e
}
