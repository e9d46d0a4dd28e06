package sssp

import (
	"iter"
	"math"
	"math/bits"
	"sync/atomic"

	"github.com/gohops/hops/graph"
	"github.com/gohops/hops/internal/base/arena"
)

// A contraction makes the crossings and chains of a graph.
type contraction struct {
	chains
	graph     *graph.Graph
	slot      []uint32 // by label: of crossings their slots, of bends any but none when their chain is known
	crossings []uint32 // labels, by slot
	rows      []entry  // of the crossings
	vias      []uint32
	ends      []int // of the rows
	inexact   bool  // a sum of weights is too large
}

// contract leaves the bends out of the rows and fills quads with what is left. All vertices have slots until
// then, and crossings stay in that order. It returns false if the sum of a chain is not exact.
func (r *shortRows) contract(g *graph.Graph, mem *arena.Arena) (done bool, err error) {
	order := r.label[:r.slots()]
	c := contraction{graph: g}
	if c.slot, err = arena.Make[uint32](mem, len(r.slot)); err != nil {
		return false, err
	}
	if err = c.makeRoom(order, mem); err != nil {
		return false, err
	}
	c.findChains(order)
	if c.inexact {
		for _, array := range [][]uint32{c.slot, c.bends, c.before, c.place, c.bendAt} {
			arena.Free(mem, array)
		}
		return false, nil
	}
	c.placeBends(len(r.slot))
	label, err := arena.Make[uint32](mem, len(c.crossings)+1)
	if err != nil {
		return false, err
	}
	label[copy(label, c.crossings)] = none
	arena.Free(mem, r.label)
	arena.Free(mem, r.slot)
	r.label, r.slot, r.entries, r.chains = label, c.slot, int64(len(c.rows)), &c.chains
	return true, r.fillCrossings(&c, mem)
}

// makeRoom numbers the crossings, and makes room for the bends.
func (c *contraction) makeRoom(order []uint32, mem *arena.Arena) (err error) {
	for v := range c.slot {
		c.slot[v] = none
	}
	for _, v := range order {
		if !isBend(c.graph, v) {
			c.addCrossing(v)
		}
	}
	bends := len(order) - len(c.crossings)
	err = arena.MakeAll(mem, bends, &c.bends, &c.before, &c.place, &c.bendAt)
	c.bends, c.before = c.bends[:0], c.before[:0]
	return err
}

func (c *contraction) addCrossing(v uint32) {
	c.slot[v] = uint32(len(c.crossings))
	c.crossings = append(c.crossings, v)
}

// findChains follows the chains from all crossings on. Of a ring of bends one becomes a crossing.
func (c *contraction) findChains(order []uint32) {
	for _, v := range c.crossings {
		c.followRow(v)
	}
	for _, v := range order {
		if c.slot[v] == none {
			c.addCrossing(v)
			c.followRow(v)
		}
	}
	c.list = append(c.list, chain{first: uint32(len(c.bends))})
}

// followRow makes the row of a crossing, and the chains that begin there and that nobody has followed yet.
func (c *contraction) followRow(v uint32) {
	from, start := &c.graph.Out, len(c.rows)
	for at := from.Offsets[v]; at < from.Offsets[v+1]; at++ {
		first := from.Neighbors[at]
		end, sum := c.follow(v, first, uint64(from.Weights[at]))
		if end != v {
			c.addEntry(start, newEntry(float32(sum), c.slot[end]), first)
		}
		c.inexact = c.inexact || sum >= exactSums
	}
	c.ends = append(c.ends, len(c.rows))
}

// addEntry adds an entry to the row that begins at start. Of several chains to one crossing the lightest stays:
// vectors write the distances of all ends of a quad at once.
func (c *contraction) addEntry(start int, e entry, via uint32) {
	for i := start; i < len(c.rows); i++ {
		if c.rows[i].slot() == e.slot() {
			if e < c.rows[i] {
				c.rows[i], c.vias[i] = e, via
			}
			return
		}
	}
	c.rows, c.vias = append(c.rows, e), append(c.vias, via)
}

// follow goes along a chain from a crossing to the next and returns that and the sum of the weights. It
// adds the bends if they are new.
func (c *contraction) follow(start, v uint32, sum uint64) (end uint32, all uint64) {
	from, before, added, first := &c.graph.Out, start, c.slot[v] == none, uint32(len(c.bends))
	for v != start && isBend(c.graph, v) {
		if added {
			c.slot[v] = first
			c.bends, c.before = append(c.bends, v), append(c.before, uint32(sum))
		}
		at := from.Offsets[v]
		if from.Neighbors[at] == before {
			at++
		}
		before, v, sum = v, from.Neighbors[at], sum+uint64(from.Weights[at])
	}
	if added {
		c.list = append(c.list, chain{ends: [2]uint32{c.slot[start], c.slot[v]}, first: first, sum: uint32(sum)})
		c.longest = max(c.longest, uint32(sum))
	}
	return v, sum
}

const (
	// windowBits are the low bits of labels within which the places of bends are in the order of chains: the
	// result is written from a window of 512 KiB, which stays in a second-level cache. With half of it
	// the bends of a graph of two million vertices took 1.4 times as long to be given their distances, since
	// these are written in as many streams as there are windows. There are 2⁷ at most: with more of
	// them, windows are larger.
	windowBits  = 16
	mostWindows = 7
)

// placeBends numbers the places of bends, and gives them slots behind those of crossings.
func (c *contraction) placeBends(labels int) {
	shift := max(windowBits, bits.Len(uint(labels))-mostWindows)
	next := make([]uint32, labels>>shift+2)
	for _, v := range c.bends {
		next[v>>shift+1]++
	}
	for i := range next[1:] {
		next[i+1] += next[i]
	}
	c.place, c.bendAt = c.place[:len(c.bends)], c.bendAt[:len(c.bends)]
	for i, v := range c.bends {
		at := &next[v>>shift]
		c.place[i], c.bendAt[*at] = *at, uint32(i)
		c.slot[v] = uint32(len(c.crossings)) + 1 + *at
		*at++
	}
	for v, s := range c.slot {
		if s == none { // it has no edges
			c.slot[v] = uint32(len(c.crossings))
		}
	}
}

// fillCrossings writes the quads of the crossings.
func (r *shortRows) fillCrossings(c *contraction, mem *arena.Arena) (err error) {
	rests, start := 0, 0
	for _, end := range c.ends {
		rests, start = rests+quadsBehind(int64(end-start)), end
	}
	if r.quads, err = arena.Make[quad](mem, r.slots()+rests); err != nil {
		return err
	}
	if c.via, err = arena.Make[[4]uint32](mem, len(r.quads)); err != nil {
		return err
	}
	r.chains.via = c.via
	r.width = max(usualWeight(c.weights()), math.SmallestNonzeroFloat32)
	used := atomic.Int64{}
	used.Store(int64(r.slots()))
	start = 0
	for s, end := range c.ends {
		r.fill(uint32(s), c.rows[start:end], &used)
		at := uint32(s)
		for vias := c.vias[start:end]; len(vias) > 0; at = r.quads[at][3].slot() {
			vias = vias[copy(c.via[at][:4-r.quads[at].links()], vias):]
		}
		start = end
	}
	return nil
}

// weights goes through the weights of all rows.
func (c *contraction) weights() iter.Seq[float32] {
	return func(yield func(float32) bool) {
		for _, e := range c.rows {
			if !yield(e.weight()) {
				return
			}
		}
	}
}
