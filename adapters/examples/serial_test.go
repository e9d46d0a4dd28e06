package examples

import (
	"context"
	"errors"
	"io"
	"sync/atomic"

	"github.com/gohops/hops"
	"github.com/gohops/hops/graph500"
)

var (
	errRefused = errors.New("serial: the root or the tree is of another graph")
	errEdges   = errors.New("serial: the source has no such edges")
	errClosed  = errors.New("serial: the searcher is closed")
)

// A serial engine is the least that the benchmark and the suite of engines ask of
// one: rows and a queue. It is written outside hops.
type serial struct {
	rows   [][]hops.Vertex
	closed atomic.Bool
}

func buildSerial(ctx context.Context, src hops.Source) (*serial, error) {
	s := &serial{rows: make([][]hops.Vertex, src.NumVertices())}
	block := make([]hops.Edge, 4096)
	if src.NumEdges() < 0 {
		return nil, errEdges
	}
	for left := src.NumEdges(); left > 0 && ctx.Err() == nil; left -= int64(len(block)) {
		block = block[:min(left, int64(len(block)))]
		n, err := src.EdgesAt(block, src.NumEdges()-left)
		switch {
		case err != nil && err != io.EOF:
			return nil, err
		case n < len(block):
			return nil, io.ErrUnexpectedEOF
		}
		for _, e := range block {
			if max(e.U, e.V) >= src.NumVertices() {
				return nil, errEdges
			}
			s.rows[e.U] = append(s.rows[e.U], e.V)
			if !hops.IsDirected(src) {
				s.rows[e.V] = append(s.rows[e.V], e.U)
			}
		}
	}
	return s, ctx.Err()
}

func (s *serial) Search(ctx context.Context, root hops.Vertex, t *hops.Tree) (hops.Trace, error) {
	var trace hops.Trace
	if s.closed.Load() {
		return trace, errClosed
	}
	if root >= hops.Vertex(len(s.rows)) || t.Fits(hops.Vertex(len(s.rows)), false) != nil {
		return trace, errRefused
	}
	t.Root = root
	t.SetParent(root, root)
	for front := []hops.Vertex{root}; len(front) > 0 && ctx.Err() == nil; {
		level := hops.Level{Step: "top-down", Frontier: int64(len(front))}
		var next []hops.Vertex
		for _, u := range front {
			for _, v := range s.rows[u] {
				level.Examined++
				if t.Parent(v) == hops.NoVertex {
					t.SetParent(v, u)
					next = append(next, v)
				}
			}
		}
		level.Found = int64(len(next))
		trace.Levels = append(trace.Levels, level)
		front = next
	}
	return trace, ctx.Err()
}

func (s *serial) Close() error {
	s.closed.Store(true)
	return nil
}

// serialEngine is what the benchmark runs.
func serialEngine() graph500.Engine {
	return graph500.Engine{
		Name: "serial",
		Build: func(ctx context.Context, src hops.Source) (graph500.Searcher, error) {
			return buildSerial(ctx, src)
		},
	}
}
