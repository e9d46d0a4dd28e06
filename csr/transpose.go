package csr

import (
	"math"
	"sync"

	"github.com/gohops/hops/internal/base/arena"
)

// A lineup knows where the rows of a bucket start as soon as all those before are made.
type lineup struct {
	mu     sync.Mutex
	starts []int64 // of the buckets that are known, and where the last one of them ends
	sizes  []int64 // -1: not made yet
	late   []int   // buckets whose start was not known when they were made
}

func newLineup(buckets int, start int64) *lineup {
	l := &lineup{starts: make([]int64, 1, buckets+1), sizes: make([]int64, buckets)}
	l.starts[0] = start
	arena.Fill(l.sizes, -1)
	return l
}

// made says how many entries bucket k has, and returns where they start if that is known.
func (l *lineup) made(k int, size int64) (start int64, ok bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.sizes[k] = size
	for n := len(l.starts); n <= len(l.sizes) && l.sizes[n-1] >= 0; n++ {
		l.starts = append(l.starts, l.starts[n-1]+l.sizes[n-1])
	}
	if k < len(l.starts) {
		return l.starts[k], true
	}
	l.late = append(l.late, k)
	return 0, false
}

// transpose makes the rows, in order of rank.
func (t *tiling) transpose() (err error) {
	if t.Out.Offsets, err = arena.Make[int64](t.mem, t.n+1); err != nil {
		return err
	}
	if err := t.openPool(); err != nil {
		return err
	}
	t.cutRanks()
	end := int64(0)
	for r := range t.rounds {
		t.walkRound(r)
		if err := t.ended(); err != nil {
			return err
		}
		end = t.dealRound(t.rounds[r], end)
		if err := t.ended(); err != nil {
			return err
		}
	}
	t.Out.Offsets[t.n] = end
	t.Duplicates = (int64(t.entries()) - end) / 2
	t.Out.Neighbors = arena.Shrink(t.mem, t.room, int(end))
	t.In = t.Out
	return nil
}

// dealRound makes the rows of a round, from end on, and returns where they end.
func (t *tiling) dealRound(r tiledRound, end int64) int64 {
	buckets := t.bucketsOf(r)
	l := newLineup(buckets, end)
	t.team.For(int64(buckets), 1, func(worker int, k, _ int64) {
		if t.ctx.Err() == nil {
			t.dealBucket(&t.tools[worker], r, int(k), l)
		}
	})
	if t.ctx.Err() != nil {
		return end
	}
	t.placeLate(r, l)
	return l.starts[buckets]
}

// placeLate copies the rows whose place was not known when they were made.
func (t *tiling) placeLate(r tiledRound, l *lineup) {
	t.team.For(int64(len(l.late)), 1, func(_ int, i, _ int64) {
		k := l.late[i]
		t.fetch(k, t.room[l.starts[k]:l.starts[k+1]])
		t.setOffsets(r, k, l.starts[k])
	})
}

// bucketRows returns the vertices of bucket k of a round.
func (t *tiling) bucketRows(r tiledRound, k int) (lo, hi int) {
	lo = r.first + k<<t.rowShift
	return lo, min(lo+1<<t.rowShift, r.end)
}

// dealBucket makes the rows of bucket k. They go to their place or, if that is not known yet,
// to where the bucket's entries were.
func (t *tiling) dealBucket(w *tool, r tiledRound, k int, l *lineup) {
	lo, hi := t.bucketRows(r, k)
	counts, prefix := t.count[lo:hi], t.Parents.HubPrefix[lo:hi]
	w.openRows(counts)
	for p := range len(t.ranks) {
		if p == t.hubPiece {
			w.countHubs(counts, prefix)
		}
		if p < len(t.ranks)-1 {
			t.dealChain(w, *t.chainOf(p, k), t.chainAfter(p, k))
		}
	}
	size := w.closeRows(counts)
	if start, ok := l.made(k, size); ok {
		w.copyRows(t.room[start:][:size], counts)
		t.setOffsets(r, k, start)
		return
	}
	w.copyRows(w.rows, counts)
	t.stow(k, w.rows[:size])
}

// openRows makes room for rows with these lengths.
func (w *tool) openRows(counts []uint32) {
	w.state = w.state[:0]
	sum := uint32(0)
	for _, n := range counts {
		w.state = append(w.state, noRank<<32|uint64(sum))
		sum += n
	}
	w.rowRoom(int(sum))
}

// closeRows sets the lengths of rows without duplicates, and the state of each row to its
// start, and returns the sum of the lengths.
func (w *tool) closeRows(counts []uint32) (size int64) {
	start := uint32(0)
	for i, s := range w.state {
		n := uint32(s) - start
		w.state[i] = uint64(start)
		start += counts[i]
		counts[i] = n
		size += int64(n)
	}
	return size
}

// copyRows copies the rows behind each other. The room of the rows itself will do.
func (w *tool) copyRows(to, counts []uint32) {
	for i, start := range w.state {
		to = to[copy(to, w.rows[start:][:counts[i]]):]
	}
}

// countHubs notes how many entries the rows have so far.
func (w *tool) countHubs(counts []uint32, prefix []uint8) {
	start := uint32(0)
	for i, s := range w.state {
		prefix[i] = uint8(min(uint32(s)-start, math.MaxUint8))
		start += counts[i]
	}
}

// chainAfter returns the chain that is dealt after that of a piece and a bucket.
func (t *tiling) chainAfter(piece, bucket int) chain {
	if piece+1 < len(t.ranks)-1 {
		return *t.chainOf(piece+1, bucket)
	}
	if bucket+1 < t.buckets() {
		return *t.chainOf(0, bucket+1)
	}
	return noChain
}

// dealChain appends the vertices of a chain to their rows, unless they are there already. It
// prefetches the chunk that comes next, of this chain or of the one after.
func (t *tiling) dealChain(w *tool, c, after chain) {
	for at, left := c.first, c.entries; left > 0; {
		n, next := min(left, t.chunk), after.first
		words := t.pool.entries[at*t.chunk:][:n]
		if left -= n; left > 0 {
			next = t.pool.link[at]
		}
		if next == noChunk {
			next = at
		}
		w.dealWords(words, 32-t.rowShift, &t.pool.entries[next*t.chunk])
		at = next
	}
}

// dealWords is dealChain for one chunk.
func (w *tool) dealWords(words []uint32, shift int, next *uint32) {
	if haveShifts {
		dealWordsAMD64(&words[0], len(words), uint64(shift), &w.state[0], &w.rows[0], next)
		return
	}
	for _, word := range words {
		row, v := word>>shift, word&(1<<shift-1)
		s := w.state[row]
		w.rows[uint32(s)] = v // what comes next overwrites a duplicate
		w.state[row] = uint64(v)<<32 | uint64(uint32(s)+uint32(differ(uint32(s>>32), v)))
	}
}

// setOffsets sets the offsets of the rows of a bucket, the first of which starts at end.
func (t *tiling) setOffsets(r tiledRound, k int, end int64) {
	lo, hi := t.bucketRows(r, k)
	for v := lo; v < hi; v++ {
		t.Out.Offsets[v] = end
		end += int64(t.count[v])
	}
}
