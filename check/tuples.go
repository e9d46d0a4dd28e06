package check

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"sync"
	"sync/atomic"

	"github.com/gohops/hops"
	"github.com/gohops/hops/internal/bitset"
	"github.com/gohops/hops/internal/par"
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
		if err == nil || errors.Is(err, io.EOF) {
			err = io.ErrUnexpectedEOF
		}
		return fmt.Errorf("check: reading edges %d to %d: %w", first, first+int64(len(block)), err)
	}
	return nil
}

// strayEdge is the error of a source that breaks its own promise.
func strayEdge(e hops.Edge, index int64, src hops.Source) error {
	return fmt.Errorf("check: edge %d (%d, %d) is not within the %d vertices of its source",
		index, e.U, e.V, src.NumVertices())
}

// lowest calls f for [0, n) in chunks of grain. If some fail, it returns the
// error of the lowest, so that f need only find the first fault in its chunk.
func lowest(ctx context.Context, team *par.Team, n, grain int64, f func(worker int, lo, hi int64) error) error {
	var (
		mu    sync.Mutex
		first error
		at    atomic.Int64 // start of the chunk that failed with first
	)
	at.Store(math.MaxInt64)
	team.For(n, grain, func(worker int, lo, hi int64) {
		if lo > at.Load() || ctx.Err() != nil {
			return
		}
		if err := f(worker, lo, hi); err != nil {
			mu.Lock()
			defer mu.Unlock()
			if lo < at.Load() {
				first = err
				at.Store(lo)
			}
		}
	})
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("check: %w", err)
	}
	return first
}

// HasEdge returns a function that tells whether a vertex has an edge to another
// vertex: the roots of a benchmark are drawn from those that do. It reads the tuples,
// as Tree does, with so many threads, one for each CPU if that is 0.
func HasEdge(ctx context.Context, src hops.Source, threads int) (has func(v hops.Vertex) bool, err error) {
	team := par.NewTeam(threads, nil)
	defer team.Close()
	list := newTuples(src, team)
	n := src.NumVertices()
	found := bitset.New(int64(n))
	err = list.each(ctx, func(_ int, first int64, block []hops.Edge) error {
		for i, e := range block {
			if e.U >= n || e.V >= n {
				return strayEdge(e, first+int64(i), src)
			}
			if e.U != e.V {
				mark(found, e.U)
				mark(found, e.V)
			}
		}
		return nil
	})
	return func(v hops.Vertex) bool { return found.Has(uint64(v)) }, err
}

// mark puts v into the set while others do so too. Most marks repeat earlier
// ones, and looking first leaves the cache line shared between the cores.
func mark(s bitset.Set, v hops.Vertex) {
	if atomic.LoadUint64(&s[v>>6])>>(v&63)&1 == 0 {
		s.Or(uint64(v))
	}
}
