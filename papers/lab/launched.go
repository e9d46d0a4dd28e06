package lab

import (
	"context"
	"errors"
	"fmt"
	"math/bits"
	"slices"
	"strconv"
	"time"

	"github.com/gohops/hops"
	"github.com/gohops/hops/edge"
	"github.com/gohops/hops/graph500"
	"github.com/gohops/hops/internal/base/arena"
	"github.com/gohops/hops/internal/base/spec"
	"github.com/gohops/hops/internal/ranks/rank"
)

// Engine returns the engine of a string such as "cluster:ranks=4,hosts=2,exchange=probe"
// with a process for each rank. Only the first process calls it.
func (p *Processes) Engine(text string) (graph500.Engine, error) {
	t, err := p.buildTask(text)
	if err != nil {
		return graph500.Engine{}, err
	}
	e, err := p.Open(t.Engine, nil) // which says what is wrong with the options
	e.Build = func(ctx context.Context, src hops.Source) (graph500.Searcher, error) {
		if _, ok := src.(*edge.Kronecker); !ok {
			return nil, errors.New("processes build graphs of the benchmark only")
		}
		t := t
		t.Scale, t.Graph = bits.Len64(uint64(src.NumVertices()))-1, p.next
		p.next++
		if err := p.assign(ctx, t); err != nil {
			return nil, err
		}
		g, err := p.build(ctx, t)
		if err != nil {
			p.World.Abort(err)
			return nil, err
		}
		return &leading{g, p}, nil
	}
	return e, err
}

// buildTask takes the ranks and hosts out of the string of an engine. Ranks that pretend to
// be on several hosts are not bound to CPUs: each host would take those of the same
// machine.
func (p *Processes) buildTask(text string) (task, error) {
	s, err := spec.Parse(text)
	if err != nil {
		return task{}, err
	}
	t := task{Do: "build", Ranks: 2, Hosts: 1}
	s.Options = slices.DeleteFunc(s.Options, func(o spec.Pair) bool {
		n := map[string]*int{"ranks": &t.Ranks, "hosts": &t.Hosts}[o.Key]
		if n != nil {
			*n, err = strconv.Atoi(o.Value)
		}
		return n != nil
	})
	if t.Hosts > 1 {
		s.Options = append(s.Options, spec.Pair{Key: "place", Value: "none"})
	}
	if err == nil && t.Ranks > p.World.Size() {
		err = fmt.Errorf("%d processes, of which the launcher started %d", t.Ranks, p.World.Size())
	}
	t.Engine = s.String()
	return t, err
}

// build builds a graph on the first processes. The others get nil.
func (p *Processes) build(ctx context.Context, t task) (*shared, error) {
	c, err := p.Group(t.Ranks, t.Hosts)
	if err != nil || c == nil {
		return nil, err
	}
	src, err := kronecker(t.Scale).source()
	if err != nil {
		return nil, err
	}
	e, err := p.Open(t.Engine, c)
	if err != nil {
		return nil, err
	}
	s := &shared{comm: c, number: t.Graph}
	if s.Searcher, err = e.Build(ctx, src); err != nil {
		return nil, err
	}
	if s.part, err = graph500.NewTree(s.Searcher, src.NumVertices()); err != nil {
		return nil, err
	}
	if p.graphs == nil {
		p.graphs = map[int]*shared{}
	}
	p.graphs[t.Graph] = s
	return s, s.measure()
}

// A shared graph is divided among processes. Every process has a part, and a part of the
// tree.
type shared struct {
	graph500.Searcher
	comm   Comm
	number int
	part   *hops.Tree
	cuts   []int64 // of the tree among the processes, in bytes
}

// measure tells all processes the cuts of the tree.
func (s *shared) measure() error {
	sizes := make([]uint64, s.comm.Size())
	sizes[s.comm.Rank()] = uint64(len(parents(s.part)))
	if err := rank.Reduced(s.comm, rank.Sum, sizes); err != nil {
		return err
	}
	s.cuts = make([]int64, len(sizes)+1)
	for r, size := range sizes {
		s.cuts[r+1] = s.cuts[r] + int64(size)
	}
	return nil
}

// parents returns the memory of a tree.
func parents(t *hops.Tree) []byte {
	if t.Wide != nil {
		return arena.Bytes(t.Wide)
	}
	return arena.Bytes(t.Narrow)
}

// Search is the search of this process, into its part.
func (s *shared) Search(ctx context.Context, root hops.Vertex, _ *hops.Tree) (hops.Trace, error) {
	return s.Searcher.Search(ctx, root, s.part)
}

// Clear implements graph500.TreeClearer.
func (s *shared) Clear(t *hops.Tree) {
	graph500.ClearTree(s.Searcher, s.part)
	if t != s.part {
		t.Reset()
	}
}

// StartClocks implements graph500.Timer.
func (s *shared) StartClocks(_ context.Context, _ hops.Vertex, t *hops.Tree) (func() (time.Duration, error), error) {
	if err := s.comm.Barrier(); err != nil {
		return nil, err
	}
	start := time.Now()
	return func() (time.Duration, error) {
		longest := []uint64{uint64(time.Since(start))}
		err := rank.Reduced(s.comm, rank.Max, longest)
		if err == nil {
			err = s.complete(t)
		}
		return time.Duration(longest[0]), err
	}, nil
}

// complete puts the parts of all processes together to the tree of the first.
func (s *shared) complete(t *hops.Tree) error {
	out := parents(s.part)
	outCuts, in, inCuts := make([]int64, len(s.cuts)), []byte(nil), make([]int64, len(s.cuts))
	for r := 1; r < len(outCuts); r++ {
		outCuts[r] = int64(len(out))
	}
	if s.comm.Rank() == 0 {
		in, inCuts = parents(t), s.cuts
		t.Root = s.part.Root
	}
	return s.comm.Exchange(out, outCuts, in, inCuts)
}

// follow is a search of a process that does not lead. nil: the process has no part.
func (s *shared) follow(ctx context.Context, t task) error {
	if s == nil {
		return nil
	}
	_, err := graph500.Time(ctx, s, hops.Vertex(t.Root), s.part)
	return err
}

// leave releases the part of this process, if it has one.
func (s *shared) leave() error {
	if s == nil {
		return nil
	}
	return errors.Join(s.Searcher.Close(), s.comm.Close())
}

// leading is a shared graph as the first process sees it, whose tree is that of all.
type leading struct {
	*shared
	processes *Processes
}

// StartClocks implements graph500.Timer.
func (s *leading) StartClocks(ctx context.Context, root hops.Vertex, t *hops.Tree) (func() (time.Duration, error), error) {
	if got, want := int64(len(parents(t))), s.cuts[s.comm.Size()]; got != want {
		return nil, fmt.Errorf("the tree takes %d bytes, and its parts %d", got, want)
	}
	if err := s.processes.assign(ctx, task{Do: "search", Graph: s.number, Root: uint64(root)}); err != nil {
		return nil, err
	}
	return s.shared.StartClocks(ctx, root, t)
}

// Close releases the parts of all processes.
func (s *leading) Close() error {
	delete(s.processes.graphs, s.number)
	return errors.Join(s.processes.assign(context.Background(), task{Do: "close", Graph: s.number}), s.leave())
}

var _ graph500.Timer = (*leading)(nil)
