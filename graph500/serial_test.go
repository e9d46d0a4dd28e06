package graph500

import (
	"context"
	"io"

	"github.com/gohops/hops"
)

// serial is the plainest engine there is: adjacency lists and a queue.
type serial struct {
	neighbors [][]hops.Vertex
	searches  int                                 // so far, with the warm-up
	spoil     func(s *serial, t *hops.Tree) error // may change what was found
}

func serialEngine(spoil func(s *serial, t *hops.Tree) error) Engine {
	return Engine{
		Name: "serial", Passes: 1,
		Need: func(n hops.Vertex, m int64) int64 { return int64(n)*24 + m*16 },
		Build: func(ctx context.Context, src hops.Source) (Searcher, error) {
			s := &serial{neighbors: make([][]hops.Vertex, src.NumVertices()), spoil: spoil}
			block := make([]hops.Edge, 512)
			for off := int64(0); off < src.NumEdges(); off += int64(len(block)) {
				n, err := src.EdgesAt(block, off)
				if err != nil && err != io.EOF {
					return nil, err
				}
				for _, e := range block[:n] {
					s.neighbors[e.U] = append(s.neighbors[e.U], e.V)
					s.neighbors[e.V] = append(s.neighbors[e.V], e.U)
				}
			}
			return s, ctx.Err()
		},
	}
}

func (s *serial) Search(ctx context.Context, root hops.Vertex, t *hops.Tree) (hops.Trace, error) {
	s.searches++
	var trace hops.Trace
	t.Root = root
	t.SetParent(root, root)
	for front := []hops.Vertex{root}; len(front) > 0; {
		var next []hops.Vertex
		level := hops.Level{Step: "serial", Frontier: int64(len(front)), Time: 1000}
		for _, v := range front {
			for _, u := range s.neighbors[v] {
				level.Examined++
				if t.Parent(u) == hops.NoVertex {
					t.SetParent(u, v)
					next = append(next, u)
				}
			}
		}
		level.Found = int64(len(next))
		trace.Levels = append(trace.Levels, level)
		front = next
	}
	if s.spoil != nil {
		if err := s.spoil(s, t); err != nil {
			return trace, err
		}
	}
	return trace, ctx.Err()
}

func (s *serial) Memory() (finished, peak int64) { return 100, 150 }

func (s *serial) Close() error { return nil }
