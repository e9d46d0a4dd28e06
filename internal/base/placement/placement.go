// Package placement decides on which CPUs the workers of a team run.
//
// A host of several NUMA nodes is searched in parts. A part is a range of the
// vertices with the workers that own them, and its memory lies on the node that these
// workers run on. On a host with one node, and with one part, no worker is bound.
package placement

import (
	"unsafe"

	"github.com/gohops/hops/internal/base/arena"
	"github.com/gohops/hops/internal/base/par"
	"github.com/gohops/hops/internal/base/topo"
)

// A Place is where one worker runs.
type Place struct {
	Part int
	Node int       // NUMA node of the part's memory
	CPUs topo.CPUs // CPUs that the worker may run on
}

// A Placement is the places of all workers. The workers of a part have
// consecutive numbers.
type Placement []Place

// Divide places workers in parts; 0 parts means one part for each node. The nodes
// are divided among the parts in their order, and a part of several nodes keeps its
// memory on the first of them.
func Divide(nodes []topo.Node, parts, workers int) Placement {
	if parts == 0 {
		parts = len(nodes)
	}
	parts = min(parts, workers)
	p := make(Placement, workers)
	for w := range p {
		part := w * parts / workers
		first := part * len(nodes) / parts
		last := max(first+1, (part+1)*len(nodes)/parts)
		p[w] = Place{Part: part, Node: nodes[first].ID}
		for _, node := range nodes[first:last] {
			p[w].CPUs = append(p[w].CPUs, node.CPUs...)
		}
	}
	return p
}

// SeveralParts tells whether there is more than one part.
func (p Placement) SeveralParts() bool { return p[len(p)-1].Part > 0 }

// SeveralNodes tells whether two workers have their memory on different nodes.
func (p Placement) SeveralNodes() bool { return p[len(p)-1].Node != p[0].Node }

// StealOrder is the order in which a worker takes blocks of work: its own, the
// blocks of other workers of its part, then the blocks of other parts.
func (p Placement) StealOrder(worker int) []int {
	var near, far []int
	for i := range p {
		w := (worker + i) % len(p)
		if p[w].Part == p[worker].Part {
			near = append(near, w)
		} else {
			far = append(far, w)
		}
	}
	return append(near, far...)
}

// A Team is a team of workers, each bound to the CPUs of its place.
type Team struct {
	*par.Team
	Places Placement
	caller *topo.Visitor // binds the caller of Run, which is worker 0; nil on one node
}

// NewTeam starts workers on this host, in parts as Divide says. Where the host
// forbids binding, workers run anywhere.
func NewTeam(workers, parts int) (*Team, error) {
	t := &Team{Places: Divide(topo.HerePlaces(), parts, workers)}
	if !t.Places.SeveralNodes() {
		t.Team = par.NewTeam(workers, nil)
		return t, nil
	}
	var err error
	if t.caller, err = topo.NewVisitor(t.Places[0].CPUs); err != nil {
		return nil, err
	}
	t.Team = par.NewTeam(workers, func(w int) { _ = topo.Pin(t.Places[w].CPUs) })
	return t, nil
}

// Enter binds the calling goroutine to the place of worker 0 if workers are bound.
// After true, the same goroutine must call Leave.
func (t *Team) Enter() bool { return t.caller != nil && t.caller.Enter() }

// Leave undoes Enter.
func (t *Team) Leave() { t.caller.Leave() }

// Move asks the system to move a range of an array to a NUMA node. Where the system
// refuses, pages stay where they were first touched.
func Move[T any](array []T, lo, hi int64, node int) {
	if lo >= hi {
		return
	}
	size := int64(unsafe.Sizeof(array[0]))
	bytes := unsafe.Slice((*byte)(unsafe.Pointer(&array[lo])), (hi-lo)*size)
	_ = arena.Place(bytes, node)
}
