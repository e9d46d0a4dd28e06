package cygraph

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/gohops/hops"
	"github.com/gohops/hops/csr"
	"github.com/gohops/hops/graph"
	"github.com/gohops/hops/internal/arena"
	"github.com/gohops/hops/internal/par"
	"github.com/gohops/hops/internal/turn"
)

// A Searcher is a machine with a graph in its memory. It runs one search at a
// time.
type Searcher struct {
	opts   Options
	graph  *graph.Graph
	mem    arena.Arena
	m      *machine
	levels []hops.Level
	turn   turn.Turn // of a search, or of Close
}

// Build is kernel 1: it puts the graph of src into the memory of the machine.
func Build(ctx context.Context, src hops.Source, opts Options) (*Searcher, error) {
	if err := opts.Check(); err != nil {
		return nil, err
	}
	opts = opts.withDefaults()
	if hops.IsDirected(src) {
		return nil, fmt.Errorf("cygraph: the graph is directed; this engine searches undirected graphs")
	}
	if src.NumVertices() > hops.NarrowLimit {
		return nil, fmt.Errorf("cygraph: %d vertices: an entry has 32 bits", src.NumVertices())
	}
	g, err := csr.Build(ctx, src, 0)
	if err != nil {
		return nil, err
	}
	if !opts.ByDegree {
		team := par.NewTeam(0, nil)
		defer team.Close()
		team.For(int64(g.NumVertices()), 512, func(_ int, lo, hi int64) {
			for v := lo; v < hi; v++ {
				slices.Sort(g.Out.Row(uint32(v)))
			}
		})
	}
	s := &Searcher{opts: opts, graph: g}
	capacity := opts.Queue
	if capacity == 0 {
		capacity = firstQueue(src.NumVertices())
	}
	if err := s.newMachine(capacity); err != nil {
		_ = s.Close()
		return nil, err
	}
	return s, nil
}

// newMachine makes the machine and its memory, with queues of the given length.
func (s *Searcher) newMachine(capacity int64) error {
	if err := s.mem.Close(); err != nil {
		return err
	}
	im, err := newImage(&s.mem, s.graph, capacity)
	if err != nil {
		return err
	}
	s.m = newMachine(s.opts, im)
	return nil
}

// Memory returns the bytes of the finished graph, including the machine's memory, and
// the peak while it was built.
func (s *Searcher) Memory() (finished, peak int64) {
	finished, peak = s.graph.Memory()
	return finished + s.mem.Live(), max(peak, finished+s.mem.Peak())
}

// Close releases the graph and the machine's memory.
func (s *Searcher) Close() error {
	return s.turn.Close(func() error { return errors.Join(s.mem.Close(), s.graph.Close()) })
}
