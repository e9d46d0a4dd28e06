package csr

import "github.com/gohops/hops/internal/base/prefetch"

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
	next    []uint32  // where the next entry of each bucket goes, in buffers
	buffers []uint64  // bufferEntries for each bucket: rows in the high halves, ranks in the low
	kept    []float32 // their weights
	claims  []claim   // room of this worker in each bucket
	full    bool      // a bucket had no room for what came
}

const (
	// ranksAhead is how many picks before its use a rank is fetched. It is anywhere in a
	// table that no cache near the core holds.
	ranksAhead = 64
	// pickSlack is how much more than the picks is read or written.
	pickSlack = ranksAhead + 8
)

// A pick is one end of an edge whose row is made in this round, counted from the
// round's first vertex, in its low half, and the other end in its high half.
func pick(row, other uint32) uint64 { return uint64(other)<<32 | uint64(row) }

func newBinner(b *builder, r *round) *binner {
	first, _ := b.vertices(r, 0)
	_, end := b.vertices(r, len(r.buckets)-1)
	n := len(r.buckets)
	w := &binner{
		b: b, r: r, first: uint32(first), span: uint32(end - first),
		picked:  make([]uint64, 2*blockEdges+pickSlack),
		next:    make([]uint32, n),
		buffers: make([]uint64, n*bufferEntries),
		claims:  make([]claim, n),
	}
	for k := range w.next {
		w.next[k] = uint32(k * bufferEntries)
	}
	if b.weighted != nil {
		w.weights = make([]float32, len(w.picked))
		w.kept = make([]float32, len(w.buffers))
	}
	return w
}

// add takes the entries that some edges contribute.
func (w *binner) add(some block) error {
	switch {
	case w.weights != nil:
		w.sort(w.pickWeighted(some))
	case haveShifts:
		w.sortFast(w.pick(some.pairs))
	default:
		w.sort(w.pick(some.pairs))
	}
	if w.full {
		return w.b.changed()
	}
	return nil
}

// sort puts picks, and their weights if there are any, into the buffers of their buckets.
func (w *binner) sort(picks []uint64) {
	rank, next, buffers, kept, weights, shift := w.b.rank, w.next, w.buffers, w.kept, w.weights, w.b.shift&31
	for i, p := range picks {
		if i%ranksAhead == 0 {
			prefetch.Each(rank, picks[min(i+ranksAhead, len(picks)):min(i+2*ranksAhead, len(picks))])
		}
		row, other := uint32(p), uint32(p>>32)
		k := row >> shift
		at := next[k]
		buffers[at] = uint64(row)<<32 | uint64(rank[other])
		if weights != nil {
			kept[at] = weights[i]
		}
		next[k] = at + 1
		if (at+1)%bufferEntries == 0 {
			w.flush(int(k))
		}
	}
}

// A scatter is the arguments of a kernel that does what sort does until a buffer is full.
type scatter struct {
	picks     *uint64
	at, count int // the next pick, and the number of all
	ranks     *uint32
	next      *uint32
	buffers   *uint64
	shift     uint64
	buckets   *bucket
	full      int // a bucket whose buffer is full, or -1: there are no more picks
}

// sortFast is sort by the kernel.
func (w *binner) sortFast(picks []uint64) {
	if len(picks) == 0 {
		return
	}
	s := scatter{
		picks: &picks[0], count: len(picks), ranks: &w.b.rank[0],
		next: &w.next[0], buffers: &w.buffers[0], shift: uint64(w.b.shift), buckets: &w.r.buckets[0],
	}
	for scatterAMD64(&s); s.full >= 0; scatterAMD64(&s) {
		w.flush(s.full)
	}
}

// flush moves a buffer to its bucket, which has room for as many entries as were
// counted.
func (w *binner) flush(k int) {
	from := k * bufferEntries
	n := int64(w.next[k]) - int64(from)
	w.next[k] = uint32(from)
	at, ok := w.claim(k, n)
	if !ok {
		w.full = true
		return
	}
	mask := uint64(1)<<w.b.shift - 1
	rowOf, ranks := w.b.rowOf[at:][:n], w.b.ranks[at:][:n]
	if n == bufferEntries && haveVectors {
		splitAVX512(&w.buffers[from], bufferEntries, mask, &rowOf[0], &ranks[0])
	} else {
		for i, e := range w.buffers[from:][:n] {
			rowOf[i], ranks[i] = uint16(e>>32&mask), uint32(e)
		}
	}
	if w.kept != nil {
		copy(w.b.weights[at:], w.kept[from:][:n])
	}
}

func (w *binner) flushAll() {
	for k := range w.next {
		w.flush(k)
	}
}
