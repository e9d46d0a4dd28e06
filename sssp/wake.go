package sssp

import (
	"math"

	"github.com/gohops/hops/internal/arena"
)

// A waker is a vertex with the two lightest entries of its row, as far as most pulls
// read it: 16 bytes, one after the other.
type waker struct {
	first  entry
	slot   uint32
	second float32 // weight of the second entry; +Inf if there is none
}

// newWaker returns the waker of a vertex. One whose lightest entry is not at hand, because
// its row is empty or the other end belongs to another rank, has the slot nowhere in its
// place: then nothing is pulled without its row.
func newWaker(slot uint32, row []entry, nowhere uint32) waker {
	inf := float32(math.Inf(1))
	switch {
	case len(row) == 0:
		return waker{first: newEntry(inf, nowhere), slot: slot, second: inf}
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
	counts wakeCounts
}

// wakeCounts count wakers by octave.
type wakeCounts struct {
	ends   [octaves]uint64 // of the wakers of every octave
	degree [octaves]uint64 // the entries of all wakers up to its end
}

// An octave of weights is a range from a power of two up to the next: the exponent of
// the float.
const octaves = 256

func octave(weight float32) int { return int(math.Float32bits(weight) >> 23) }

// newWakeLists lists vertices in the order of slots within every octave, so that a list
// is read and its distances are written in the order of memory.
func newWakeLists(in *rows, mem *arena.Arena) (w wakeLists, err error) {
	slots, count := len(in.offsets)-1, 0
	var next [octaves + 1]int
	for s := range slots {
		if row := in.row(uint32(s)); len(row) > 0 {
			next[octave(row[0].weight())+1]++
			count++
		}
	}
	for o := range octaves {
		next[o+1] += next[o]
		w.counts.ends[o] = uint64(next[o+1])
	}
	if w.wakers, err = arena.Make[waker](mem, count); err != nil {
		return w, err
	}
	for s := range slots {
		row := in.row(uint32(s))
		if len(row) == 0 {
			continue
		}
		o := octave(row[0].weight())
		w.wakers[next[o]] = newWaker(uint32(s), row, uint32(slots))
		w.counts.degree[o] += uint64(len(row))
		next[o]++
	}
	for o := 1; o < octaves; o++ {
		w.counts.degree[o] += w.counts.degree[o-1]
	}
	return w, nil
}

// below returns how many wakers have a lightest weight in an octave that begins below
// a weight, and how many entries their rows have.
func (w *wakeCounts) below(weight float32) (wakers, entries int64) {
	if math.IsInf(float64(weight), 1) {
		return int64(w.ends[octaves-1]), int64(w.degree[octaves-1])
	}
	o := octave(weight)
	if math.Float32bits(weight)&(1<<23-1) == 0 { // the octave begins with it
		o--
	}
	if o < 0 {
		return 0, 0
	}
	return int64(w.ends[o]), int64(w.degree[o])
}

// shares tell which share of all entries has a weight below a given one.
type shares struct {
	below    [classes + 1]float64
	heaviest float32
	degree   float64 // mean degree of the vertex at the end of an entry
}

// A class of weights is an eighth of an octave.
const (
	classBits = 20
	classes   = 1 << (31 - classBits)
)

// weightCounts count the weights of entries by class. All counts add up over ranks.
type weightCounts struct {
	classes [classes]uint64
	entries uint64
	squares uint64 // of the lengths of rows
}

// newWeightCounts counts the weights of all entries, and the squares of the rows before a
// slot. It returns the heaviest weight with them.
func newWeightCounts(r rows, slot uint32) (c weightCounts, heaviest float32) {
	for s := range len(r.offsets) - 1 {
		row := r.row(uint32(s))
		if uint32(s) < slot {
			c.squares += uint64(len(row)) * uint64(len(row))
		}
		if len(row) > 0 {
			heaviest = max(heaviest, row[len(row)-1].weight())
		}
		for _, e := range row {
			c.classes[e>>(32+classBits)]++
		}
	}
	c.entries = uint64(len(r.entries))
	return c, heaviest
}

func newShares(c *weightCounts, heaviest float32) (s shares) {
	total := max(1, float64(c.entries))
	s.heaviest, s.degree = heaviest, max(1, float64(c.squares)/total)
	sum := uint64(0)
	for i, n := range c.classes {
		sum += n
		s.below[i+1] = float64(sum) / total
	}
	return s
}

// of returns the share of entries below a weight, to the nearest class.
func (s *shares) of(weight float64) float64 {
	if weight <= 0 {
		return 0
	}
	return s.below[min(classes, int(math.Float32bits(float32(weight))>>classBits)+1)]
}

// quantile returns a weight below which about a share of all entries lie.
func (s *shares) quantile(share float64) float32 {
	for i := range classes {
		if s.below[i+1] >= share {
			return min(s.heaviest, math.Float32frombits(uint32(i+1)<<classBits))
		}
	}
	return s.heaviest
}
