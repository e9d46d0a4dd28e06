package check

import (
	"context"
	"fmt"
	"io"
	"sync/atomic"

	"github.com/gohops/hops"
	"github.com/gohops/hops/internal/base/bitset"
	"github.com/gohops/hops/internal/base/par"
)

// blockTuples is how many tuples are read and judged at a time: few enough to
// stay in a first-level cache with their words, 24 bytes each, and enough to
// make up for finding the place in a generated list.
const blockTuples = 1024

// tuples is the list of edges of a source, read by a team.
type tuples struct {
	src     hops.Source
	team    *par.Team
	buffers [][]hops.Edge // by worker
}

func newTuples(src hops.Source, team *par.Team) tuples {
	t := tuples{src: src, team: team, buffers: make([][]hops.Edge, team.Size())}
	for i := range t.buffers {
		t.buffers[i] = make([]hops.Edge, blockTuples)
	}
	return t
}

// each calls f with all blocks of the list, first being the number of a block's
// first edge.
func (t *tuples) each(ctx context.Context, f func(worker int, first int64, block []hops.Edge) error) error {
	return lowest(ctx, t.team, t.src.NumEdges(), blockTuples, func(worker int, lo, hi int64) error {
		block := t.buffers[worker][:hi-lo]
		if err := readTuples(t.src, block, lo); err != nil {
			return err
		}
		return f(worker, lo, block)
	})
}

func readTuples(src hops.Source, block []hops.Edge, first int64) error {
	n, err := src.EdgesAt(block, first)
	if n < len(block) {
		return readingError(first, len(block), err)
	}
	return nil
}

// readingError is the error of a source that broke off.
func readingError(first int64, count int, err error) error {
	if err == nil || err == io.EOF { // an error that wraps io.EOF is the source's own
		err = io.ErrUnexpectedEOF
	}
	return fmt.Errorf("check: reading edges %d to %d: %w", first, first+int64(count), err)
}

// within returns an error if an edge of a block is not within the vertices: then the
// source breaks its own promise.
func (t *tuples) within(block []hops.Edge, first int64) error {
	n := t.src.NumVertices()
	for i, e := range block {
		if e.U >= n || e.V >= n {
			return fmt.Errorf("check: edge %d (%d, %d) is not within the %d vertices of its source", first+int64(i), e.U, e.V, n)
		}
	}
	return nil
}

// lowest calls f for [0, n) in chunks of grain until ctx ends. If some fail, it returns
// the error of the lowest.
func lowest(ctx context.Context, team *par.Team, n, grain int64, f func(worker int, lo, hi int64) error) error {
	return team.Try(n, grain, func(worker int, lo, hi int64) error {
		if err := ctx.Err(); err != nil {
			return fmt.Errorf("check: %w", err)
		}
		return f(worker, lo, hi)
	})
}

// HasEdge returns a function that tells whether an edge leads from a vertex to another
// one: roots of a benchmark are drawn from such vertices. It reads the tuples,
// as Tree does, with so many threads, one for each CPU if that is 0.
func HasEdge(ctx context.Context, src hops.Source, threads int) (has func(v hops.Vertex) bool, err error) {
	team := par.NewTeam(threads, nil)
	defer team.Close()
	list, found := newTuples(src, team), bitset.New(int64(src.NumVertices()))
	bothWays := !hops.IsDirected(src)
	err = list.each(ctx, func(_ int, first int64, block []hops.Edge) error {
		if err := list.within(block, first); err != nil {
			return err
		}
		for _, e := range block {
			if e.U == e.V {
				continue
			}
			mark(found, e.U)
			if bothWays {
				mark(found, e.V)
			}
		}
		return nil
	})
	return func(v hops.Vertex) bool { return found.Has(uint64(v)) }, err
}

// filterBits is the size of the filter that most vertices fail to pass: it stays
// in the first-level cache.
const filterBits = 1 << 16

// Joined tells which of a few candidates have an edge to another vertex in a
// source, which it reads with so many threads, one for each CPU if that is 0. It takes
// no memory for the vertices of the graph, so that the answers for parts of a list can
// be put together on ranks that have only those.
func Joined(ctx context.Context, src hops.Source, threads int, candidates []hops.Vertex) ([]bool, error) {
	team := par.NewTeam(threads, nil)
	defer team.Close()
	places := make(map[hops.Vertex]int, len(candidates))
	filter := make([]uint64, filterBits/64)
	for i, v := range candidates {
		places[v] = i
		filter[v%filterBits/64] |= 1 << (v % 64)
	}
	found := make([]atomic.Bool, len(candidates))
	look := func(v hops.Vertex) {
		if filter[v%filterBits/64]>>(v%64)&1 == 0 {
			return
		}
		if i, ok := places[v]; ok && !found[i].Load() {
			found[i].Store(true)
		}
	}
	list := newTuples(src, team)
	err := list.each(ctx, func(_ int, first int64, block []hops.Edge) error {
		if err := list.within(block, first); err != nil {
			return err
		}
		for _, e := range block {
			if e.U != e.V {
				look(e.U)
				look(e.V)
			}
		}
		return nil
	})
	answers := make([]bool, len(candidates))
	for i := range found {
		answers[i] = found[i].Load()
	}
	return answers, err
}

// mark puts v into the set while others do so too. Most marks repeat earlier
// ones, and looking first leaves the cache line shared between the cores.
func mark(s bitset.Set, v hops.Vertex) {
	if atomic.LoadUint64(&s[v>>6])>>(v&63)&1 == 0 {
		s.Or(uint64(v))
	}
}
