package deal

import (
	"fmt"
	"slices"

	"github.com/gohops/hops"
	"github.com/gohops/hops/internal/base/par"
	"github.com/gohops/hops/internal/ranks/alltoall"
)

// Each worker deals so many edges in one step. Their entries, at most two for each edge,
// wait for the end of the step.
const (
	mostEdges  = 1 << 15
	leastEdges = 1 << 10
	leastSteps = 64 // as far as there are so many edges: then a step takes little beside the rows
)

// stepEdges is the same on all ranks.
func (e *Edges) stepEdges() int {
	each := e.edges / int64(leastSteps*e.Comm.Size()*e.Team.Size())
	return int(min(max(each, leastEdges), mostEdges))
}

// A Layout says where entries go.
type Layout interface {
	// Route appends the entries of some edges, with the workers that they are
	// for.
	Route(edges []hops.Edge, to []Routed) []Routed
	// Place takes entries that have arrived for a thread of this rank.
	Place(thread int, entries []uint64) error
}

// A WeightedLayout says where the entries of edges with weights go.
type WeightedLayout interface {
	RouteWeighted(edges []hops.Edge, weights []float32, to []Routed) []Routed
	Place(thread int, entries []uint64) error
}

// A Routed entry is 64 bits for a worker, the threads of all ranks in order.
type Routed struct {
	Worker uint32
	Entry  uint64
}

// A dealer is one worker's side of dealing.
type dealer struct {
	edges   []hops.Edge
	weights []float32
	entries []Routed
	counts  []int64 // of the entries for each worker, then where they go
}

// Deal reads the edges of this rank and sends their entries to where they belong.
// The entries of a step stand in the order of the workers they are for, and of
// the workers they come from.
func (e *Edges) Deal(to Layout) error {
	return e.deal(to.Place, func(d *dealer, edges []hops.Edge, off int64) error {
		err := e.read(edges, nil, off)
		if err == nil {
			d.entries = to.Route(edges, d.entries)
		}
		return err
	})
}

// DealWeighted is Deal for a source that has weights.
func (e *Edges) DealWeighted(to WeightedLayout) error {
	return e.deal(to.Place, func(d *dealer, edges []hops.Edge, off int64) error {
		d.weights = slices.Grow(d.weights[:0], len(edges))[:len(edges)]
		err := e.read(edges, d.weights, off)
		if err == nil {
			d.entries = to.RouteWeighted(edges, d.weights, d.entries)
		}
		return err
	})
}

// A router reads edges and appends their entries to the dealer's.
type router func(d *dealer, edges []hops.Edge, off int64) error

type placer func(thread int, entries []uint64) error

func (e *Edges) deal(place placer, route router) error {
	workers, threads := e.Comm.Size()*e.Team.Size(), e.Team.Size()
	dealers := make([]*dealer, threads)
	for t := range dealers {
		dealers[t] = &dealer{edges: make([]hops.Edge, e.stepEdges()), entries: make([]Routed, 0, 2*e.stepEdges()), counts: make([]int64, workers)}
	}
	exchange := alltoall.New(e.Comm, threads, &e.Memory)
	defer exchange.Free()
	for step := range e.steps {
		e.Team.Run(func(t int) { e.route(route, dealers[t], step, t) })
		cuts := positions(dealers, workers)
		out, err := exchange.Room(int(cuts[workers]))
		if err != nil {
			return err
		}
		e.Team.Run(func(t int) { dealers[t].pack(out) })
		exchange.Stop = e.failed.Load() != nil || e.ctx.Err() != nil
		if err := exchange.Send(out, cuts); err != nil {
			return err
		}
		if exchange.Stopped() {
			return e.failure() // InTurn tells all ranks of a cancellation
		}
		e.Team.Run(func(t int) { e.place(place, exchange, t) })
	}
	return e.finishPass()
}

// steps yields the edges of this rank in as many steps as the others have.
func (e *Edges) steps(yield func(step [2]int64) bool) {
	most := (e.edges + int64(e.Comm.Size()) - 1) / int64(e.Comm.Size())
	size := int64(e.stepEdges() * e.Team.Size())
	for lo := int64(0); lo < most; lo += size {
		if !yield([2]int64{min(e.first+lo, e.end), min(e.first+lo+size, e.end)}) {
			return
		}
	}
}

// route reads a worker's share of a step and finds out where its entries go.
// After a failure it goes on with nothing, until all ranks know of it.
func (e *Edges) route(route router, d *dealer, step [2]int64, t int) {
	lo, hi := par.Split(step[1]-step[0], 1, t, e.Team.Size())
	clear(d.counts)
	d.entries = d.entries[:0]
	if e.failed.Load() != nil {
		return
	}
	edges := d.edges[:hi-lo]
	if err := route(d, edges, step[0]+lo); err != nil {
		e.fail(err)
		return
	}
	for i := range d.entries {
		d.counts[d.entries[i].Worker]++
	}
}

// positions turns counts into positions, and returns where the entries of each
// worker start.
func positions(dealers []*dealer, workers int) []int64 {
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

// pack writes the entries to their places, and leaves these in place of the entries.
func (d *dealer) pack(out []uint64) {
	for i := range d.entries {
		e := &d.entries[i]
		at := d.counts[e.Worker]
		d.counts[e.Worker]++
		out[at], e.Entry = e.Entry, uint64(at)
	}
}

func (e *Edges) place(place placer, in *alltoall.Exchange, t int) {
	for r := range e.Comm.Size() {
		if err := place(t, in.From(r, t)); err != nil {
			e.fail(fmt.Errorf("%s: from rank %d: %w", e.Engine, r, err))
			return
		}
	}
}
