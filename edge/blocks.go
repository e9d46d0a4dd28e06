package edge

import (
	"context"
	"sync"
	"sync/atomic"

	"github.com/gohops/hops"
	"github.com/gohops/hops/internal/par"
)

// blockEdges is how many edges a worker reads at a time. 64 KiB of edges stay in
// the second-level cache until they are used, and one block still outweighs the
// jump to its start, a few microseconds, by far.
const blockEdges = 4096

// forEachBlock reads all of src in blocks and hands them to use, on so many threads
// at once and in no order. It stops at the first error, also that of
// ctx, and returns it. progress, if not nil, is called by the caller's goroutine.
func forEachBlock(ctx context.Context, src hops.Source, threads int,
	progress func(done, total int64), use func(off int64, edges []hops.Edge),
) error {
	team := par.NewTeam(threads, nil)
	defer team.Close()
	var (
		total   = src.NumEdges()
		done    atomic.Int64
		failure firstError
		buffers = make([][]hops.Edge, team.Size())
	)
	team.For(total, blockEdges, func(worker int, lo, hi int64) {
		if failure.set(ctx.Err()) || failure.failed.Load() {
			return
		}
		if buffers[worker] == nil {
			buffers[worker] = make([]hops.Edge, blockEdges)
		}
		block := buffers[worker][:hi-lo]
		if n, err := src.EdgesAt(block, lo); n < len(block) {
			failure.set(readError(lo+int64(n), err))
			return
		}
		use(lo, block)
		if now := done.Add(hi - lo); worker == 0 && progress != nil {
			progress(now, total)
		}
	})
	if failure.err == nil && progress != nil {
		progress(total, total)
	}
	return failure.err
}

// firstError keeps the first of the errors that several workers meet.
type firstError struct {
	once   sync.Once
	failed atomic.Bool
	err    error // read it when the workers are done
}

// set records err unless it is nil, and tells whether it was not.
func (f *firstError) set(err error) bool {
	if err == nil {
		return false
	}
	f.once.Do(func() { f.err = err })
	f.failed.Store(true)
	return true
}
