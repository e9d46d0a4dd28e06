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
	slot      []uint32 // by label: the slot of a crossing; of an inner vertex none until its chain was followed
	crossings []uint32 // labels, by slot
	rows      []entry  // of the crossings
	vias      []uint32
	ends      []int // of the rows
	inexact   bool  // a sum of weights is too large
}

// contract removes the inner vertices and fills the segments of the crossings. All vertices have
// slots before, and crossings keep their order. It returns false if the sum of a chain is not exact.
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
		for _, array := range [][]uint32{c.slot, c.inner, c.before, c.position, c.innerAt} {
			arena.Free(mem, array)
		}
		return false, nil
	}
	c.placeInner(len(r.slot))
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

// makeRoom numbers the crossings, and makes room for the inner vertices.
func (c *contraction) makeRoom(order []uint32, mem *arena.Arena) (err error) {
	for v := range c.slot {
		c.slot[v] = none
	}
	for _, v := range order {
		if !isInner(c.graph, v) {
			c.addCrossing(v)
		}
	}
	inner := len(order) - len(c.crossings)
	err = arena.MakeAll(mem, inner, &c.inner, &c.before, &c.position, &c.innerAt)
	c.inner, c.before = c.inner[:0], c.before[:0]
	return err
}

func (c *contraction) addCrossing(v uint32) {
	c.slot[v] = uint32(len(c.crossings))
	c.crossings = append(c.crossings, v)
}

// findChains follows the chains from all crossings on. Of a ring of inner vertices one becomes a crossing.
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
	c.list = append(c.list, chain{first: uint32(len(c.inner))})
}

// followRow makes the row of a crossing, and the chains from it that were not followed yet.
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

// addEntry adds an entry to the row that begins at start. Of several chains between two crossings
// it keeps the lightest: vectors write the distances at the ends of all entries of a segment at
// once, and may not write one distance twice.
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

// follow goes along a chain from a crossing and returns the crossing at the other end, with the sum
// of the weights. It adds the inner vertices if they are new.
func (c *contraction) follow(start, v uint32, sum uint64) (end uint32, all uint64) {
	from, before, added, first := &c.graph.Out, start, c.slot[v] == none, uint32(len(c.inner))
	for v != start && isInner(c.graph, v) {
		if added {
			c.slot[v] = first
			c.inner, c.before = append(c.inner, v), append(c.before, uint32(sum))
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
	// A window is a range of 2^windowBits labels. Inner vertices are ordered by window, and within
	// one by chain. The result of a window is read from 512 KiB, which stay in a second-level cache.
	// With windows of half the size giving inner vertices their distances took 1.4 times as long on a
	// graph of two million vertices, since every window is a stream of writes. Windows are larger
	// where there would be more than 2^mostWindows.
	windowBits  = 16
	mostWindows = 7
)

// placeInner gives inner vertices their positions, and slots behind the slots of crossings.
func (c *contraction) placeInner(labels int) {
	shift := max(windowBits, bits.Len(uint(labels))-mostWindows)
	next := make([]uint32, labels>>shift+2)
	for _, v := range c.inner {
		next[v>>shift+1]++
	}
	for i := range next[1:] {
		next[i+1] += next[i]
	}
	c.position, c.innerAt = c.position[:len(c.inner)], c.innerAt[:len(c.inner)]
	for i, v := range c.inner {
		at := &next[v>>shift]
		c.position[i], c.innerAt[*at] = *at, uint32(i)
		c.slot[v] = uint32(len(c.crossings)) + 1 + *at
		*at++
	}
	for v, s := range c.slot {
		if s == none { // it has no edges
			c.slot[v] = uint32(len(c.crossings))
		}
	}
}

// fillCrossings writes the segments of the crossings.
func (r *shortRows) fillCrossings(c *contraction, mem *arena.Arena) (err error) {
	rests, start := 0, 0
	for _, end := range c.ends {
		rests, start = rests+segmentsBehind(int64(end-start)), end
	}
	if r.segments, err = arena.Make[segment](mem, r.slots()+rests); err != nil {
		return err
	}
	if c.via, err = arena.Make[[4]uint32](mem, len(r.segments)); err != nil {
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
		for vias := c.vias[start:end]; len(vias) > 0; at = r.segments[at][3].slot() {
			vias = vias[copy(c.via[at][:4-r.segments[at].links()], vias):]
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
