package sssp

import (
	"math"

	"github.com/gohops/hops/internal/arena"
	"github.com/gohops/hops/internal/bucket"
)

// A waker is a vertex with the two lightest entries of its row, as far as most pulls
// read it: 16 bytes, one after the other.
type waker struct {
	first  entry
	slot   uint32
	second float32 // weight of the second entry; +Inf if there is none
}

// newWaker returns the waker of a vertex. If its row is empty, the lightest entry has an
// infinite weight. If the other end of the lightest entry belongs to another rank, the slot
// nowhere is in its place: then nothing is pulled without its row.
func newWaker(slot uint32, row []entry, nowhere uint32) waker {
	inf := float32(math.Inf(1))
	switch {
	case len(row) == 0:
		return waker{first: newEntry(inf, 0), slot: slot, second: inf}
	case row[0].slot() > nowhere:
		return waker{first: newEntry(row[0].weight(), nowhere), slot: slot, second: row[0].weight()}
	case len(row) == 1:
		return waker{first: row[0], slot: slot, second: inf}
	}
	return waker{first: row[0], slot: slot, second: row[1].weight()}
}

// wakeLists hold the vertices that have a row, by the octave of their lightest weight.
type wakeLists struct {
	wakers []waker
	counts bucket.Octaves
}

// newWakeLists lists vertices in the order of slots within every octave, so that a list
// is read and its distances are written in the order of memory.
func newWakeLists(in *rows, mem *arena.Arena) (w wakeLists, err error) {
	slots, count := len(in.offsets)-1, 0
	var next [bucket.NumOctaves + 1]int
	for s := range slots {
		if row := in.row(uint32(s)); len(row) > 0 {
			next[bucket.Octave(row[0].weight())+1]++
			count++
		}
	}
	for o := range bucket.NumOctaves {
		next[o+1] += next[o]
		w.counts.Ends[o] = uint64(next[o+1])
	}
	if w.wakers, err = arena.Make[waker](mem, count); err != nil {
		return w, err
	}
	for s := range slots {
		row := in.row(uint32(s))
		if len(row) == 0 {
			continue
		}
		o := bucket.Octave(row[0].weight())
		w.wakers[next[o]] = newWaker(uint32(s), row, uint32(slots))
		w.counts.Degree[o] += uint64(len(row))
		next[o]++
	}
	for o := 1; o < bucket.NumOctaves; o++ {
		w.counts.Degree[o] += w.counts.Degree[o-1]
	}
	return w, nil
}

// newWeightCounts counts the weights of all entries, and the squares of the rows before a
// slot. It returns the heaviest weight with them.
func newWeightCounts(r rows, slot uint32) (c bucket.Counts, heaviest float32) {
	for s := range len(r.offsets) - 1 {
		row := r.row(uint32(s))
		if uint32(s) < slot {
			c.Squares += uint64(len(row)) * uint64(len(row))
		}
		if len(row) > 0 {
			heaviest = max(heaviest, row[len(row)-1].weight())
		}
		for _, e := range row {
			c.Classes[e>>(32+bucket.ClassBits)]++
		}
	}
	c.Entries = uint64(len(r.entries))
	return c, heaviest
}
