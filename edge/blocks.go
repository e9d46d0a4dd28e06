package edge

import (
	"context"
	"runtime"
	"sync/atomic"

	"github.com/gohops/hops"
	"github.com/gohops/hops/internal/base/par"
)

// blockEdges is how many edges a worker reads at a time. 64 KiB of edges stay in
// the second-level cache until they are used, and one block still outweighs the
// jump to its start, a few microseconds, by far.
const blockEdges = 4096

// forEachBlock reads all of src in blocks and hands them to use, on so many threads
// at once and in no order. It stops at the first error, also that of
// ctx, and returns one. progress, if not nil, is called by the caller's goroutine.
func forEachBlock(ctx context.Context, src hops.Source, threads int,
	progress func(done, total int64), use func(off int64, edges []hops.Edge),
) error {
	buffers := make([][]hops.Edge, max(threads, runtime.GOMAXPROCS(0)))
	return eachBlock(ctx, src.NumEdges(), threads, progress, func(worker int, lo, hi int64) error {
		if buffers[worker] == nil {
			buffers[worker] = make([]hops.Edge, blockEdges)
		}
		block := buffers[worker][:hi-lo]
		if n, err := src.EdgesAt(block, lo); n < len(block) {
			return readError(lo+int64(n), err)
		}
		use(lo, block)
		return nil
	})
}

// eachBlock calls f for all blocks of so many edges.
func eachBlock(ctx context.Context, total int64, threads int, progress func(done, total int64),
	f func(worker int, lo, hi int64) error,
) error {
	team := par.NewTeam(threads, nil)
	defer team.Close()
	var done atomic.Int64
	err := team.Try(total, blockEdges, func(worker int, lo, hi int64) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := f(worker, lo, hi); err != nil {
			return err
		}
		if now := done.Add(hi - lo); worker == 0 && progress != nil {
			progress(now, total)
		}
		return nil
	})
	if err == nil && progress != nil {
		progress(total, total)
	}
	return err
}
