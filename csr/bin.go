package csr

import (
	"github.com/gohops/hops"
	"github.com/gohops/hops/internal/prefetch"
)

// ranksAhead is how many picks the ranks are fetched for at a time, while those
// before them are sorted.
const ranksAhead = 64

// A binner is one worker's side of a round's sorting into buckets: a small
// buffer for each, so that what is written to memory is written in order, and
// room in a bucket is claimed for many entries at once.
type binner struct {
	b     *builder
	r     *round
	first uint32 // vertex of the round
	span  uint32 // vertices of the round

	picked  []uint64
	weights []float32 // of what was picked; nil without weights
	length  []uint8   // of each bucket's buffer
	buffers entries
	full    bool // a bucket had no room for what came
}

// A pick is one end of an edge whose row is made in this round, counted from the
// round's first vertex, in its low half, and the other end in its high half.
func pick(row, other uint32) uint64 { return uint64(other)<<32 | uint64(row) }

func newBinner(b *builder, r *round) *binner {
	first, _ := b.vertices(r, 0)
	_, end := b.vertices(r, len(r.buckets)-1)
	n := len(r.buckets)
	w := &binner{
		b: b, r: r, first: uint32(first), span: uint32(end - first),
		picked:  make([]uint64, 2*blockEdges+1),
		length:  make([]uint8, n),
		buffers: entries{rowOf: make([]uint16, n*bufferEntries), ranks: make([]uint32, n*bufferEntries)},
	}
	if b.weighted != nil {
		w.weights = make([]float32, len(w.picked))
		w.buffers.weights = make([]float32, n*bufferEntries)
	}
	return w
}

// add takes the entries that some edges contribute. The rank of the other end is
// anywhere in a table that no cache near the core holds, so these are fetched.
func (w *binner) add(edges []hops.Edge, weights []float32) error {
	rest, of := w.pick(edges), w.weights
	if of != nil {
		w.pickWeights(edges, weights)
	}
	for len(rest) > 0 {
		some := rest[:min(ranksAhead, len(rest))]
		rest = rest[len(some):]
		prefetch.Each(w.b.rank, rest[:min(ranksAhead, len(rest))])
		w.sort(some, of)
		of = of[min(len(of), len(some)):]
	}
	if w.full {
		return w.b.changed()
	}
	return nil
}

// sort puts picks, and their weights if there are any, into the buffers of their
// buckets.
func (w *binner) sort(picks []uint64, weights []float32) {
	shift := uint(w.b.shift)
	for i, p := range picks {
		row, other := uint32(p), uint32(p>>32)
		k := row >> shift
		at := k*bufferEntries + uint32(w.length[k])
		w.buffers.rowOf[at] = uint16(row & (1<<shift - 1))
		w.buffers.ranks[at] = w.b.rank[other]
		if weights != nil {
			w.buffers.weights[at] = weights[i]
		}
		if w.length[k]++; w.length[k] == bufferEntries {
			w.flush(int(k))
		}
	}
}

// pick returns the ends that belong to this round. Whether one does is as good
// as random, so that every end is written and only the count depends on it.
func (w *binner) pick(edges []hops.Edge) []uint64 {
	if w.b.sides != both {
		return w.pickSide(edges)
	}
	n := 0
	for _, e := range edges {
		u, v := uint32(e.U), uint32(e.V)
		w.picked[n] = pick(u-w.first, v)
		n += below(u-w.first, w.span) & differ(u, v)
		w.picked[n] = pick(v-w.first, u)
		n += below(v-w.first, w.span) & differ(u, v)
	}
	return w.picked[:n]
}

// pickSide is pick where an edge has an entry at one of its ends only.
func (w *binner) pickSide(edges []hops.Edge) []uint64 {
	n := 0
	for _, e := range edges {
		u, v := uint32(e.U), uint32(e.V)
		if w.b.sides == into {
			u, v = v, u
		}
		w.picked[n] = pick(u-w.first, v)
		n += below(u-w.first, w.span) & differ(u, v)
	}
	return w.picked[:n]
}

// pickWeights puts the weight of every pick beside it.
func (w *binner) pickWeights(edges []hops.Edge, weights []float32) {
	n := 0
	for i, e := range edges {
		u, v := uint32(e.U), uint32(e.V)
		if w.b.sides != into {
			w.weights[n] = weights[i]
			n += below(u-w.first, w.span) & differ(u, v)
		}
		if w.b.sides != outOf {
			w.weights[n] = weights[i]
			n += below(v-w.first, w.span) & differ(u, v)
		}
	}
}

// below is 1 if a < b, else 0, without a branch.
func below(a, b uint32) int { return int((uint64(a) - uint64(b)) >> 63) }

// differ is 1 if a ≠ b, else 0, without a branch.
func differ(a, b uint32) int { return int((uint64(a^b) + 1<<32 - 1) >> 32) }

// flush moves a buffer to its bucket, which has room for as many entries as were
// counted.
func (w *binner) flush(k int) {
	n := int64(w.length[k])
	bk := &w.r.buckets[k]
	w.length[k] = 0
	at := bk.start + bk.filled.Add(n) - n
	if at+n > w.r.end(k) {
		w.full = true
		return
	}
	from := w.buffers.part(int64(k)*bufferEntries, n)
	copy(w.b.rowOf[at:], from.rowOf)
	copy(w.b.ranks[at:], from.ranks)
	if from.weights != nil {
		copy(w.b.weights[at:], from.weights)
	}
}

func (w *binner) flushAll() {
	for k := range w.length {
		w.flush(k)
	}
}
