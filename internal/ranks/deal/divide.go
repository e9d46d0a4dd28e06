package deal

import (
	"fmt"

	"github.com/gohops/hops"
	"github.com/gohops/hops/internal/base/arena"
	"github.com/gohops/hops/internal/ranks/alltoall"
	"github.com/gohops/hops/internal/ranks/rank"
)

// Divide divides the vertices among the ranks, each of which has so many workers, by
// work: the entries of vertices of a class from cut on belong to no rank. It sets the
// member's Parts, and the counts and classes of the vertices of this rank.
func (e *Edges) Divide(cut, threads int) error {
	home := e.counting.home
	weights := make([]uint64, len(home.Owners))
	first, _ := home.Rank(e.Comm.Rank())
	for i, n := range e.counted(0) {
		if int(ClassOf(n)) < cut {
			weights[(first+uint64(i))>>home.Shift] += uint64(n)
		}
	}
	if err := rank.Reduced(e.Comm, rank.Sum, weights); err != nil {
		return err
	}
	e.Parts = home.Weighed(weights, e.Comm.Size()*threads, threads)
	if most := e.Parts.Most(); most > hops.NarrowLimit {
		return fmt.Errorf("%s: a rank has %d vertices and can number %d: use more ranks", e.Engine, most, uint64(hops.NarrowLimit))
	}
	var err error
	if e.Entries, err = e.move(0); err != nil {
		return err
	}
	e.Out = e.Entries
	if e.Directed {
		if e.Out, err = e.move(1); err != nil {
			return err
		}
	}
	e.Count(-e.countedBytes())
	if err := e.counting.close(); err != nil {
		return err
	}
	return e.classify()
}

// countedBytes is the shared memory of the counts that this rank has counted as its own.
func (e *Edges) countedBytes() int64 {
	if e.Hosts.Leader {
		return e.counting.size
	}
	return 0
}

// move sends the counts of a list to the owners of the vertices and returns the counts of
// this rank's vertices. Both divisions are in the order of the vertices, so that counts that arrive
// in the order of ranks are in the order of vertices.
func (e *Edges) move(list int) ([]uint32, error) {
	home, me := e.counting.home, e.Comm.Rank()
	first, end := home.Rank(me)
	cuts := make([]int64, e.Comm.Size()+1)
	for r := range e.Comm.Size() {
		_, last := e.Parts.Rank(r)
		cuts[r+1] = int64(min(max(last, first), end)-first+1) / 2 // two to a word
	}
	exchange := alltoall.New(e.Comm, 1, &e.Memory)
	defer exchange.Free()
	mine := arena.View[uint64](arena.Bytes(e.counting.lists[list][e.counting.mine:][:(end-first+1)&^1]))
	if err := exchange.Send(mine, cuts); err != nil {
		return nil, err
	}
	lo, hi := e.Parts.Rank(me)
	return arena.View[uint32](arena.Bytes(exchange.Keep()))[:hi-lo], nil
}

// classify notes the classes of the vertices of this rank, where the ranks of its host
// find them.
func (e *Edges) classify() (err error) {
	var total int64
	e.classAt, total = e.hostPlaces(e.Parts)
	if e.class, err = e.Share(e.temporary, total); err != nil {
		return err
	}
	mine := e.own(e.Comm.Rank())
	e.Team.For(int64(len(e.Entries)), 1<<16, func(_ int, lo, hi int64) {
		for i := lo; i < hi; i++ {
			mine[i] = ClassOf(e.Entries[i])
		}
	})
	return e.Comm.Barrier()
}

// own is the classes of the vertices of a rank of this host.
func (e *Edges) own(r int) []uint8 {
	first, end := e.Parts.Rank(r)
	return e.class[e.classAt[r*e.Parts.Threads]+int64(first):][:end-first]
}

// A Vertex is what all ranks know of a vertex.
type Vertex struct {
	Label   uint64
	Out, In uint64 // entries, duplicates included
}

// From tells all ranks about the vertices of the classes from cut on, in ascending
// order. They are few.
func (e *Edges) From(cut int) ([]Vertex, error) {
	first, _ := e.Parts.Rank(e.Comm.Rank())
	var mine []Vertex
	for i, class := range e.own(e.Comm.Rank()) {
		if int(class) >= cut {
			mine = append(mine, Vertex{first + uint64(i), uint64(e.Out[i]), uint64(e.In(uint32(i)))})
		}
	}
	counts := make([]uint64, e.Comm.Size())
	counts[e.Comm.Rank()] = uint64(len(mine))
	if err := rank.Reduced(e.Comm, rank.Sum, counts); err != nil {
		return nil, err
	}
	at, total := uint64(0), uint64(0)
	for r, n := range counts {
		if total += n; r < e.Comm.Rank() {
			at += n
		}
	}
	told := make([]uint64, 3*total)
	for i, v := range mine {
		copy(told[3*(int(at)+i):], []uint64{v.Label, v.Out, v.In})
	}
	if err := rank.Reduced(e.Comm, rank.Sum, told); err != nil {
		return nil, err
	}
	all := make([]Vertex, total)
	for i := range all {
		all[i] = Vertex{told[3*i], told[3*i+1], told[3*i+2]}
	}
	return all, nil
}
