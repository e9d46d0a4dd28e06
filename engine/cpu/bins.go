package cpu

import (
	"slices"

	"github.com/gohops/hops/internal/arena"
)

const (
	// binPairs is the size of all bins of a worker together, in pairs of 8 bytes.
	// Small bins stay in the cache and end a round early, and vertices that a round has
	// found are not collected again in the next. But a row or piece must fit in a bin.
	binPairs    = 1 << 17
	smallestBin = 2 * longRow
	largestBin  = 16 * longRow
)

// bins are the pairs (parent, vertex) that one worker has collected for each worker.
// The pairs for worker w are pairs[w*size:][:length[w]].
type bins struct {
	pairs   []uint64
	length  []uint32
	size    uint32
	fullest int64 // an upper bound of all lengths
}

func newBins(mem *arena.Arena, workers int) (b bins, err error) {
	b.size = uint32(min(max(binPairs/workers, smallestBin), largestBin))
	b.length = make([]uint32, workers)
	b.pairs, err = arena.Make[uint64](mem, workers*int(b.size))
	return b, err
}

// room tells whether n pairs fit into any of the bins.
func (b *bins) room(n int) bool {
	if b.fullest+int64(n) > int64(b.size) {
		b.fullest = int64(slices.Max(b.length))
	}
	return b.fullest+int64(n) <= int64(b.size)
}

// of returns the pairs for worker w.
func (b *bins) of(w int) []uint64 { return b.pairs[w*int(b.size):][:b.length[w]] }
