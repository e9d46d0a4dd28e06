package csr

import (
	"fmt"
	"math"
	"sync/atomic"

	"github.com/gohops/hops/internal/base/arena"
)

// A tally is one worker's count of the entries of rows, a byte for each vertex: on two
// workers a Kronecker graph of scale 22 was counted in a quarter of the time that one
// shared array of 32 bits took, whose counters are four times as large and must be
// changed by one worker at a time. A byte that wraps around moves 256 entries to the
// shared counter.
type tally struct {
	small []uint8
	loops int64
	_     [40]byte // two workers write to different cache lines
}

// countEntries counts the entries of every row of the sides being made,
// duplicates included.
func (b *builder) countEntries() error {
	tallies, err := b.newTallies()
	if err != nil {
		return err
	}
	err = b.eachBlock(func(worker int, some block) error {
		t := &tallies[worker]
		if t.small == nil {
			return b.countShared(t, some.pairs)
		}
		return b.countOwn(t, some.pairs)
	})
	b.Loops = 0
	for i := range tallies {
		b.Loops += tallies[i].loops
	}
	if err == nil && tallies[0].small != nil {
		err = b.addTallies(tallies)
	}
	for i := range tallies {
		arena.Free(b.mem, tallies[i].small)
	}
	return err
}

// newTallies makes a tally for each worker, with counters of its own if these take no
// more than the rows will, which are not there yet.
func (b *builder) newTallies() ([]tally, error) {
	tallies := make([]tally, b.team.Size())
	if int64(len(tallies))*int64(b.n) > 4*b.Tuples*b.sides.perEdge() {
		return tallies, nil
	}
	for i := range tallies {
		if err := arena.MakeAll(b.mem, b.n, &tallies[i].small); err != nil {
			return nil, err
		}
	}
	return tallies, nil
}

// countOwn counts entries in a worker's own counters.
func (b *builder) countOwn(t *tally, pairs []uint64) error {
	small, sides := t.small, b.sides
	for _, p := range pairs {
		u, v := uint32(p), uint32(p>>32)
		if u == v {
			t.loops++
			continue
		}
		if sides != into {
			if small[u]++; small[u] == 0 && atomic.AddUint32(&b.count[u], 256) < 256 {
				return tooManyEntries(u)
			}
		}
		if sides != outOf {
			if small[v]++; small[v] == 0 && atomic.AddUint32(&b.count[v], 256) < 256 {
				return tooManyEntries(v)
			}
		}
	}
	return nil
}

// countShared counts entries in the counters of all. Both ends of an edge are as good as
// random, so that two workers rarely meet on a counter.
func (b *builder) countShared(t *tally, pairs []uint64) error {
	for _, p := range pairs {
		u, v := uint32(p), uint32(p>>32)
		if u == v {
			t.loops++
			continue
		}
		if b.sides != into && atomic.AddUint32(&b.count[u], 1) == 0 {
			return tooManyEntries(u)
		}
		if b.sides != outOf && atomic.AddUint32(&b.count[v], 1) == 0 {
			return tooManyEntries(v)
		}
	}
	return nil
}

// addTallies adds what the workers counted to the counters of all.
func (b *builder) addTallies(tallies []tally) error {
	const grain = 1 << 14
	return b.team.Try(int64(b.n), grain, func(_ int, lo, hi int64) error {
		counts := b.count[lo:hi]
		for i := range tallies {
			for v, c := range tallies[i].small[lo:hi] {
				sum := counts[v] + uint32(c)
				if sum < counts[v] {
					return tooManyEntries(uint32(lo) + uint32(v))
				}
				counts[v] = sum
			}
		}
		return nil
	})
}

func tooManyEntries(v uint32) error {
	return fmt.Errorf("csr: vertex %d has more than %d edges, with duplicates", v, uint32(math.MaxUint32))
}
