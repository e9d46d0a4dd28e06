package cpu

import (
	"slices"

	"github.com/gohops/hops/internal/arena"
)

const (
	// binPairs is the room of all bins of a worker, in pairs of 8 bytes. Small
	// bins keep the pairs in the cache, and end rounds soon: what a round has
	// found, the next one no longer collects. But a row must fit.
	binPairs    = 1 << 17
	smallestBin = 2 * heavyRow
	largestBin  = 16 * heavyRow
)

// bins are the pairs (parent, vertex) that one worker has for each other: those
// for worker w are pairs[w*size:][:length[w]].
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

// room tells whether n pairs fit, whoever they are for.
func (b *bins) room(n int) bool {
	if b.fullest+int64(n) > int64(b.size) {
		b.fullest = int64(slices.Max(b.length))
	}
	return b.fullest+int64(n) <= int64(b.size)
}

// of returns the pairs for worker w.
func (b *bins) of(w int) []uint64 { return b.pairs[w*int(b.size):][:b.length[w]] }
