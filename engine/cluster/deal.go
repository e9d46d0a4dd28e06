package cluster

import (
	"fmt"

	"github.com/gohops/hops"
	"github.com/gohops/hops/internal/arena"
	"github.com/gohops/hops/internal/par"
)

// dealEdges is how many edges each worker deals in one step. Its entries, at
// most two of 8 bytes for each edge, wait for the end of the step.
const dealEdges = 1 << 15

// A layout says where entries go.
type layout interface {
	// route appends the entries of some edges, with the workers that they are
	// for.
	route(edges []hops.Edge, to []routed) []routed
	// place takes entries that have arrived for a worker of this rank.
	place(thread int, entries []uint64) error
}

// A routed entry is 64 bits for some worker.
type routed struct {
	worker uint32
	entry  uint64
}

// A dealer is one worker's side of dealing.
type dealer struct {
	edges   []hops.Edge
	entries []routed
	counts  []int64 // of the entries for each worker, then where they go
}

// deal reads the edges of this rank and sends their entries to where they belong.
// The entries of a step stand in the order of the workers they are for, and of
// the workers they come from.
func (b *builder) deal(to layout) error {
	workers, threads := b.comm.Size()*b.team.Size(), b.team.Size()
	dealers := make([]dealer, threads)
	for t := range dealers {
		dealers[t] = dealer{edges: make([]hops.Edge, dealEdges), counts: make([]int64, workers)}
	}
	out, err := arena.Make[uint64](&b.mem, 2*dealEdges*threads)
	if err != nil {
		return err
	}
	defer arena.Free(&b.mem, out)
	in := newExchanger(b.Rank)
	defer in.free()
	for _, step := range b.dealSteps() {
		b.team.Run(func(t int) { b.route(to, &dealers[t], step, t) })
		cuts := positions(dealers, workers)
		b.team.Run(func(t int) { dealers[t].pack(out) })
		if err := in.exchange(out, cuts); err != nil {
			return err
		}
		b.team.Run(func(t int) { b.place(to, in, t) })
	}
	if err := b.failed.Load(); err != nil {
		return *err
	}
	return nil
}

// dealSteps divides the edges of this rank into as many steps as the others
// have.
func (b *builder) dealSteps() (steps [][2]int64) {
	most := (b.src.NumEdges() + int64(b.comm.Size()) - 1) / int64(b.comm.Size())
	size := int64(dealEdges * b.team.Size())
	for lo := int64(0); lo < most; lo += size {
		steps = append(steps, [2]int64{min(b.first+lo, b.end), min(b.first+lo+size, b.end)})
	}
	return steps
}

// route reads a worker's share of a step and finds out where its entries go.
// After a failure it goes on with nothing: the other ranks count on this one
// until the end.
func (b *builder) route(to layout, d *dealer, step [2]int64, t int) {
	lo, hi := par.Split(step[1]-step[0], 1, t, b.team.Size())
	clear(d.counts)
	d.entries = d.entries[:0]
	if b.failed.Load() != nil {
		return
	}
	edges := d.edges[:hi-lo]
	if err := readEdges(b.src, edges, step[0]+lo); err != nil {
		b.failed.CompareAndSwap(nil, &err)
		return
	}
	d.entries = to.route(edges, d.entries)
	for i := range d.entries {
		d.counts[d.entries[i].worker]++
	}
}

// positions turns counts into positions, and returns where the entries of each
// worker start.
func positions(dealers []dealer, workers int) []int64 {
	cuts, at := make([]int64, workers+1), int64(0)
	for w := range workers {
		cuts[w] = at
		for t := range dealers {
			n := dealers[t].counts[w]
			dealers[t].counts[w] = at
			at += n
		}
	}
	cuts[workers] = at
	return cuts
}

func (d *dealer) pack(out []uint64) {
	for i := range d.entries {
		e := &d.entries[i]
		out[d.counts[e.worker]] = e.entry
		d.counts[e.worker]++
	}
}

func (b *builder) place(to layout, in *exchanger, t int) {
	for r := range b.comm.Size() {
		if err := to.place(t, in.from(r, t)); err != nil {
			err = fmt.Errorf("cluster: from rank %d: %w", r, err)
			b.failed.CompareAndSwap(nil, &err)
			return
		}
	}
}

// byVertex is the layout with one dimension: an entry goes to the owner of its
// row, as the row within the owner's range and the neighbour.
type byVertex struct{ *builder }

// route leaves the entry of a heavy vertex out: it is stored with the other end,
// unless that is heavy too.
func (b byVertex) route(edges []hops.Edge, to []routed) []routed {
	for _, e := range edges {
		u, v := uint32(e.U), uint32(e.V)
		if u == v {
			continue
		}
		heavyU, heavyV := b.isHeavy(u), b.isHeavy(v)
		if !heavyU || heavyV {
			to = append(to, b.entry(u, v))
		}
		if !heavyV || heavyU {
			to = append(to, b.entry(v, u))
		}
	}
	return to
}

func (b byVertex) entry(row, neighbor uint32) routed {
	w := b.parts.owner(row)
	return routed{uint32(w), uint64(row-b.parts.cuts[w])<<32 | uint64(neighbor)}
}

func (b byVertex) place(thread int, entries []uint64) error {
	w := &b.workers[thread]
	for _, x := range entries {
		if err := w.lay(uint32(x>>32), uint32(x)); err != nil {
			return err
		}
	}
	return nil
}
