package check

import (
	"unsafe"

	"github.com/gohops/hops"
)

// Pass 3 of trees and of paths in parts: a rank reads its share of the tuples and judges them by
// what it knows of their ends. On one host it knows that of all ends, and its workers go through
// the tuples by themselves, a block that fits in a first-level cache at a time. Otherwise they read
// a batch, ask for its ends, and judge it then.

// A tally is what this rank's share of the tuples has shown so far.
type tally struct {
	edges, loops int64
	bad          int64 // number of the first tuple at fault, or -1
	fault        hops.Edge
	weight       float32 // of that tuple, where weights count
}

// A stretch is some tuples that follow each other, and what is known of their ends.
type stretch[T answer] struct {
	first   int64 // number of the first tuple
	edges   []hops.Edge
	weights []float32 // none where weights do not count
	ends    []T       // two for each tuple
}

func makeStretch[T answer](tuples int, weighted bool) (s stretch[T]) {
	s.edges, s.ends = make([]hops.Edge, tuples), make([]T, 2*tuples)
	if weighted {
		s.weights = make([]float32, tuples)
	}
	return s
}

// from is a part of a stretch, as if its first tuple were another one.
func (s *stretch[T]) from(first, lo, hi int64) stretch[T] {
	part := stretch[T]{first: first + lo, edges: s.edges[lo:hi], ends: s.ends[2*lo : 2*hi]}
	if s.weights != nil {
		part.weights = s.weights[lo:hi]
	}
	return part
}

// fill reads the tuples of a stretch.
func fill[T answer](p *partTrial, s stretch[T]) error {
	err := error(nil)
	if s.weights == nil {
		err = readTuples(p.tuples.src, s.edges, s.first)
	} else {
		err = readWeighted(p.tuples.src.(hops.WeightedSource), s.edges, s.weights, s.first)
	}
	if err != nil {
		return err
	}
	return p.tuples.within(s.edges, s.first)
}

// fillAll has all workers read the first tuples of a stretch.
func fillAll[T answer](p *partTrial, s stretch[T], count int64) error {
	return lowest(p.ctx, p.team, count, blockTuples, func(_ int, lo, hi int64) error {
		return fill(p, s.from(s.first, lo, hi))
	})
}

// judgeTuples goes through this rank's share of the tuples. judge judges some of them, up to the
// first at fault, and collects those that may be tree edges, which mark is called with for
// every batch. After a fault it still answers the others; what they find may be lower.
func judgeTuples[T answer](p *partTrial, q *poll[T], weighted bool, judge func(t stretch[T], s *scratch, sum *tally), mark func(likely []hops.Edge) error) (tally, error) {
	first, end := p.share()
	sofar, look := tally{bad: -1}, lookThere(p, q, weighted)
	if q.alone {
		look = lookHere(p, q, weighted)
	}
	err := p.inBatches(int(end-first), func(lo, hi int) error {
		count := int64(hi - lo)
		if sofar.bad >= 0 {
			count = 0
		}
		at, err := look(first+int64(lo), count)
		if err != nil {
			return err
		}
		likely, err := p.inBlocks(count, &sofar, func(w int, lo, hi int64, sum *tally) error {
			t, err := at(w, lo, hi)
			if err == nil {
				judge(t, &p.scratch[w], sum)
			}
			return err
		})
		if err != nil {
			return err
		}
		return mark(likely)
	})
	if err == nil {
		total := []uint64{uint64(sofar.edges), uint64(sofar.loops)}
		err = p.ranks.Sum(total)
		sofar.edges, sofar.loops = int64(total[0]), int64(total[1])
	}
	return sofar, err
}

// A looker makes the tuples of a batch ready, and returns where a worker gets some of them.
type looker[T answer] func(first, count int64) (at func(w int, lo, hi int64) (stretch[T], error), err error)

// lookHere lets each worker read the tuples that it judges, and look up their ends.
func lookHere[T answer](p *partTrial, q *poll[T], weighted bool) looker[T] {
	rooms := make([]stretch[T], len(p.scratch))
	for w := range rooms {
		rooms[w] = makeStretch[T](blockTuples, weighted)
	}
	return func(first, _ int64) (func(w int, lo, hi int64) (stretch[T], error), error) {
		return func(w int, lo, hi int64) (stretch[T], error) {
			t := rooms[w].from(first+lo, 0, hi-lo)
			if err := fill(p, t); err != nil {
				return t, err
			}
			lookUp(t.ends, q.near, bothEnds(t.edges))
			return t, nil
		}, nil
	}
}

// lookThere reads the tuples of a batch, and asks for their ends.
func lookThere[T answer](p *partTrial, q *poll[T], weighted bool) looker[T] {
	var room stretch[T]
	return func(first, count int64) (func(w int, lo, hi int64) (stretch[T], error), error) {
		if int64(len(room.edges)) < count {
			room = makeStretch[T](int(count), weighted)
		}
		room.first = first
		if err := fillAll(p, room, count); err != nil {
			return nil, err
		}
		ends, err := q.ask(bothEnds(room.edges[:count]))
		return func(_ int, lo, hi int64) (stretch[T], error) {
			t := room.from(first, lo, hi)
			t.ends = ends[2*lo : 2*hi]
			return t, nil
		}, err
	}
}

// bothEnds are the ends of tuples, as they are in memory.
func bothEnds(edges []hops.Edge) []hops.Vertex {
	return unsafe.Slice((*hops.Vertex)(unsafe.Pointer(unsafe.SliceData(edges))), 2*len(edges))
}

// inBlocks has the workers judge a batch, and adds up what they find. It returns the tuples that
// may be tree edges: none if one is at fault.
func (p *partTrial) inBlocks(n int64, sofar *tally, judge func(w int, lo, hi int64, sum *tally) error) (likely []hops.Edge, err error) {
	sums := make([]tally, len(p.scratch))
	for w := range sums {
		p.scratch[w].likely, sums[w].bad = p.scratch[w].likely[:0], -1
	}
	err = lowest(p.ctx, p.team, n, blockTuples, func(w int, lo, hi int64) error {
		if sums[w].bad >= 0 { // this worker's later blocks do not matter
			return nil
		}
		return judge(w, lo, hi, &sums[w])
	})
	likely = p.scratch[0].likely
	for w, sum := range sums {
		sofar.edges, sofar.loops = sofar.edges+sum.edges, sofar.loops+sum.loops
		if sum.bad >= 0 && (sofar.bad < 0 || sum.bad < sofar.bad) {
			sofar.bad, sofar.fault, sofar.weight = sum.bad, sum.fault, sum.weight
		}
		if w > 0 {
			likely = append(likely, p.scratch[w].likely...)
		}
	}
	if p.scratch[0].likely = likely; sofar.bad >= 0 {
		return nil, err
	}
	return likely, err
}
