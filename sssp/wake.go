package sssp

import (
	"iter"
	"math"
	"slices"

	"github.com/gohops/hops/internal/base/arena"
	"github.com/gohops/hops/internal/base/bucket"
)

// A candidate is a vertex that may pull, with the lightest entries of its row: most pulls read no
// more of it.
type candidate struct {
	first, second entry
	slot          uint32
	third         float32 // weight of the third entry; +Inf if there is none
}

// newCandidate returns the candidate of a vertex. Entries that its row does not have get an infinite
// weight. An entry that leads to another rank gets the slot nowhere, and the entries behind it get
// its weight: then no more is pulled without the row.
func newCandidate(slot uint32, row []entry, nowhere uint32) candidate {
	inf := float32(math.Inf(1))
	w := candidate{first: newEntry(inf, 0), second: newEntry(inf, 0), slot: slot, third: inf}
	for i, to := range []*entry{&w.first, &w.second} {
		if i == len(row) {
			return w
		}
		if *to = row[i]; row[i].slot() > nowhere {
			*to, w.third = newEntry(row[i].weight(), nowhere), row[i].weight()
			if i == 0 {
				w.second = *to
			}
			return w
		}
	}
	if len(row) > 2 {
		w.third = row[2].weight()
	}
	return w
}

// candidateOf is the candidate of a slot. The candidate of a hub that other hosts must be told about
// always reads the row, so that it is never found by its candidate alone.
func (w *slotGraph) candidateOf(slot uint32) candidate {
	v := newCandidate(slot, w.in.row(slot), uint32(w.slots()))
	if slot >= w.hubs {
		v.third = float32(math.Inf(-1))
	}
	return v
}

// candidates are a list of candidates by columns, so that vectors of the processor load them as
// they are.
type candidates struct {
	firsts, seconds []entry
	slots           []uint32
	thirds          []float32
}

func makeCandidates(mem *arena.Arena, n int) (w candidates, err error) {
	if err = arena.MakeAll(mem, n, &w.firsts, &w.seconds); err == nil {
		w.slots, err = arena.Make[uint32](mem, n)
	}
	if err == nil {
		w.thirds, err = arena.Make[float32](mem, n)
	}
	return w, err
}

func (w *candidates) len() int { return len(w.slots) }

func (w *candidates) at(i int) candidate {
	return candidate{w.firsts[i], w.seconds[i], w.slots[i], w.thirds[i]}
}

func (w *candidates) set(i int, v candidate) {
	w.firsts[i], w.seconds[i], w.slots[i], w.thirds[i] = v.first, v.second, v.slot, v.third
}

func (w *candidates) add(v candidate) {
	w.firsts, w.seconds = append(w.firsts, v.first), append(w.seconds, v.second)
	w.slots, w.thirds = append(w.slots, v.slot), append(w.thirds, v.third)
}

// cut shortens the list to its first n candidates, or lengthens it within its room.
func (w *candidates) cut(n int) {
	w.firsts, w.seconds, w.slots, w.thirds = w.firsts[:n], w.seconds[:n], w.slots[:n], w.thirds[:n]
}

// grow makes room for n more.
func (w *candidates) grow(n int) {
	if cap(w.slots)-len(w.slots) >= n && cap(w.thirds)-len(w.thirds) >= n && cap(w.firsts)-len(w.firsts) >= n && cap(w.seconds)-len(w.seconds) >= n {
		return
	}
	w.firsts, w.seconds, w.slots, w.thirds = slices.Grow(w.firsts, n), slices.Grow(w.seconds, n), slices.Grow(w.slots, n), slices.Grow(w.thirds, n)
}

// wakeLists hold the vertices that have a row, by the octave of their lightest weight.
type wakeLists struct {
	candidates
	counts    bucket.Octaves
	firstOnly [bucket.NumOctaves]firstOnly
	labels    []uint32 // of the vertices at the ends of first entries
}

// newWakeLists lists the vertices that each goes through, in the same order within every octave. In
// the order of slots a list is read, and its distances are written, in the order of memory.
func (w *slotGraph) newWakeLists(each iter.Seq[uint32], mem *arena.Arena) (err error) {
	count := 0
	var next [bucket.NumOctaves + 1]int
	for s := range each {
		if row := w.in.row(s); len(row) > 0 {
			next[bucket.Octave(row[0].weight())+1]++
			count++
		}
	}
	lists := &w.wake
	for o := range bucket.NumOctaves {
		next[o+1] += next[o]
		lists.counts.Ends[o] = uint64(next[o+1])
	}
	if lists.candidates, err = makeCandidates(mem, count); err == nil {
		lists.labels, err = arena.Make[uint32](mem, count)
	}
	if err != nil {
		return err
	}
	for s := range each {
		row := w.in.row(s)
		if len(row) == 0 {
			continue
		}
		o := bucket.Octave(row[0].weight())
		lists.set(next[o], w.candidateOf(s))
		lists.counts.Degree[o] += uint64(len(row))
		next[o]++
	}
	for o := 1; o < bucket.NumOctaves; o++ {
		lists.counts.Degree[o] += lists.counts.Degree[o-1]
	}
	for i, e := range lists.firsts {
		lists.labels[i] = w.label[e.slot()]
	}
	lists.findFirstOnly()
	return nil
}

// newWeightCounts counts the weights of the entries of rows, and the squares of the lengths of the
// rows before a slot. It returns the heaviest weight, too.
func newWeightCounts(r *rows, each iter.Seq[uint32], slot uint32) (c bucket.Counts, heaviest float32) {
	for s := range each {
		row := r.row(s)
		if s < slot {
			c.Squares += uint64(len(row)) * uint64(len(row))
		}
		if len(row) > 0 {
			heaviest = max(heaviest, row[len(row)-1].weight())
		}
		for _, e := range row {
			c.Classes[e>>(32+bucket.ClassBits)]++
		}
		c.Entries += uint64(len(row))
	}
	return c, heaviest
}
