package csr

import (
	"sync/atomic"

	"github.com/gohops/hops/internal/base/arena"
)

const (
	// mostChunk is how much of the pool a bucket gets at a time, at most.
	mostChunk = 256
	// chunksAtOnce is how many chunks a worker takes at a time.
	chunksAtOnce = 16

	noChunk = 1<<32 - 1
)

// A pool has the entries of a round, in chunks that follow each other by links.
type pool struct {
	entries []uint32
	link    []uint32 // the chunk after each
	used    atomic.Uint32
	chains  []chain // of each piece of the ranks, bucket by bucket
}

// A chain is what one piece of the ranks has for one bucket.
type chain struct{ first, last, entries uint32 }

var noChain = chain{noChunk, noChunk, 0}

// chunks are chunks that a worker has taken and not used.
type chunks struct{ next, end uint32 }

// chunkFor is the number of entries of a chunk, whole lines. Every worker leaves some of its
// last ones: the more workers, the smaller they are.
func chunkFor(workers int) uint32 {
	return uint32(max(min(mostChunk, 8*mostChunk/workers), ringEntries) &^ (lineEntries - 1))
}

// largestRound is the number of entries of a round, at most.
func (t *tiling) largestRound() (most int) {
	for r := range t.rounds {
		most = max(most, int(t.tile[(r+1)*t.stripes]-t.tile[r*t.stripes]))
	}
	return most
}

// poolEntries is the room that a round of so many entries needs, with what chains leave of
// their last chunks.
func (t *tiling) poolEntries(round int) int {
	return (round/int(t.chunk) + t.rankPieces()*t.buckets() + t.team.Size()*chunksAtOnce + 1) * int(t.chunk)
}

func (t *tiling) openPool() (err error) {
	if t.pool.entries, err = arena.Make[uint32](t.mem, t.poolEntries(t.largestRound())); err != nil {
		return err
	}
	t.pool.link = make([]uint32, len(t.pool.entries)/int(t.chunk))
	t.pool.chains = make([]chain, t.rankPieces()*t.buckets())
	return nil
}

// append writes a line, or what there is of the last one, to a bucket's chain.
func (t *tiling) append(w *tool, c *chain, bucket int, words []uint32) {
	l := &w.lines[bucket]
	if l.to >= l.end {
		t.extend(w, c, bucket)
	}
	l.to += uint32(copy(t.pool.entries[l.to:], words))
}

// extend gives a bucket's chain another chunk.
func (t *tiling) extend(w *tool, c *chain, bucket int) {
	if w.free.next == w.free.end {
		w.free.end = t.pool.used.Add(chunksAtOnce)
		w.free.next = w.free.end - chunksAtOnce
	}
	k := w.free.next
	w.free.next++
	if c.first == noChunk {
		c.first = k
	} else {
		t.pool.link[c.last] = k
		c.entries += t.chunk
	}
	c.last = k
	w.lines[bucket] = line{k * t.chunk, (k + 1) * t.chunk}
}

// chainOf returns the chain of a piece of the ranks and a bucket.
func (t *tiling) chainOf(piece, bucket int) *chain {
	return &t.pool.chains[piece*t.buckets()+bucket]
}

// eachChunk calls f with the chunks of a bucket while it returns true.
func (t *tiling) eachChunk(bucket int, f func([]uint32) bool) {
	for p := range len(t.ranks) - 1 {
		c := t.chainOf(p, bucket)
		for at, left := c.first, c.entries; left > 0; at = t.pool.link[at] {
			n := min(left, t.chunk)
			left -= n
			if !f(t.pool.entries[at*t.chunk:][:n]) {
				return
			}
		}
	}
}

// stow writes the finished rows of a bucket over its entries.
func (t *tiling) stow(bucket int, rows []uint32) {
	t.eachChunk(bucket, func(chunk []uint32) bool {
		rows = rows[copy(chunk, rows):]
		return len(rows) > 0
	})
}

// fetch copies what stow wrote.
func (t *tiling) fetch(bucket int, to []uint32) {
	t.eachChunk(bucket, func(chunk []uint32) bool {
		to = to[copy(to, chunk):]
		return len(to) > 0
	})
}
