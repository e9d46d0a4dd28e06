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

// A dealer is one worker's side of dealing.
type dealer struct {
	edges  []hops.Edge
	counts []int64 // of the entries for each worker, then where they go
}

// deal sends every entry to the owner of its row. Entries of a step stand in the
// order of the workers they are for, and of the workers they come from, each a
// row within its owner's range, and a neighbour.
func (b *builder) deal() error {
	if err := b.layRows(); err != nil {
		return err
	}
	workers, threads := b.parts.workers(), b.team.Size()
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
		b.team.Run(func(t int) { b.count(&dealers[t], step, t) })
		cuts := positions(dealers, workers)
		b.team.Run(func(t int) { b.pack(&dealers[t], out) })
		if err := in.exchange(out, cuts); err != nil {
			return err
		}
		b.team.Run(func(t int) { b.place(in, &b.workers[t], t) })
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

// count reads a worker's share of a step and counts its entries.
func (b *builder) count(d *dealer, step [2]int64, t int) {
	lo, hi := par.Split(step[1]-step[0], 1, t, b.team.Size())
	d.edges = d.edges[:hi-lo]
	clear(d.counts)
	if b.failed.Load() != nil {
		d.edges = d.edges[:0]
		return
	}
	if err := readEdges(b.src, d.edges, step[0]+lo); err != nil {
		b.failed.CompareAndSwap(nil, &err)
		d.edges = d.edges[:0]
	}
	b.each(d.edges, func(owner int, _, _ uint32) { d.counts[owner]++ })
}

// each yields the entries of some edges. That of a heavy vertex is left out: it
// is stored with the other end, unless that is heavy too.
func (b *builder) each(edges []hops.Edge, yield func(owner int, row, neighbor uint32)) {
	for _, e := range edges {
		u, v := uint32(e.U), uint32(e.V)
		if u == v {
			continue
		}
		heavyU, heavyV := b.isHeavy(u), b.isHeavy(v)
		if !heavyU || heavyV {
			yield(b.parts.owner(u), u, v)
		}
		if !heavyV || heavyU {
			yield(b.parts.owner(v), v, u)
		}
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

func (b *builder) pack(d *dealer, out []uint64) {
	b.each(d.edges, func(owner int, row, neighbor uint32) {
		out[d.counts[owner]] = uint64(row-b.parts.cuts[owner])<<32 | uint64(neighbor)
		d.counts[owner]++
	})
}

// place puts the entries for one worker into their rows.
func (b *builder) place(in *exchanger, w *worker, t int) {
	for r := range b.comm.Size() {
		for _, x := range in.from(r, t) {
			if err := w.lay(uint32(x>>32), uint32(x)); err != nil {
				err = fmt.Errorf("cluster: from rank %d: %w", r, err)
				b.failed.CompareAndSwap(nil, &err)
				return
			}
		}
	}
}
