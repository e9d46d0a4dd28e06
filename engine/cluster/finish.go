package cluster

import (
	"math"

	"github.com/gohops/hops/internal/base/arena"
	"github.com/gohops/hops/internal/base/bitset"
	"github.com/gohops/hops/internal/base/bottomup"
	"github.com/gohops/hops/internal/base/kernel"
)

// finish makes what searches use beside the rows, and the form of the rows that messages
// are made from.
func (b *builder[L]) finish() error {
	errs := make([]error, len(b.workers))
	b.Team.Run(func(t int) { errs[t] = b.finishWorker(&b.workers[t]) })
	for t, err := range errs {
		if err != nil {
			return err
		}
		w := &b.workers[t]
		if w.form, err = newRowForm(b.opts.Rows, w, &b.Memory); err != nil {
			return err
		}
	}
	return nil
}

// finishWorker makes the bitmaps, the lists, and the heads and tails of a worker.
func (b *builder[L]) finishWorker(w *worker[L]) (err error) {
	words := bitset.Words(int64(w.count))
	for _, set := range []*bitset.Set{&w.closed, &w.visited} {
		if *set, err = arena.Make[uint64](&b.Memory, words); err != nil {
			return err
		}
	}
	if w.samples, err = arena.Make[uint32](&b.Memory, int(bottomup.SamplesLength(int64(words)))); err != nil {
		return err
	}
	w.samples.Fill(int64(w.count), w.out.degree)
	if err = b.copyLong(w); err != nil {
		return err
	}
	w.heavy.found = bitset.New(int64(len(b.heavy.labels)))
	w.heavy.parents = make([]L, len(b.heavy.labels))
	for v := range uint32(64 * words) {
		if v >= w.count || w.in.degree(v) == 0 {
			w.closed.Add(uint64(v))
		}
	}
	// Lists have room for a root that is closed, and for what kernels write past the end.
	open := 64*words - int(w.closed.Count())
	for _, list := range []*[]uint32{&w.queue, &w.found} {
		if *list, err = arena.Make[uint32](&b.Memory, open+1+kernel.Slack); err != nil {
			return err
		}
	}
	return nil
}

// findHeavyPrefixes counts the heavy neighbours at the beginning of each row and transposes
// these prefixes. It adds the entries between two heavy vertices.
func (a *adjacency[L]) findHeavyPrefixes(count uint32, h *heavy[L], between []uint64, mem *arena.Arena) (err error) {
	if a.prefix, err = arena.Make[uint16](mem, len(a.offsets)-1); err != nil {
		return err
	}
	for k := range a.prefix {
		n := 0
		for _, u := range a.neighbors[a.offsets[k]:a.offsets[k+1]] {
			if !h.has(u) {
				break
			}
			n++
		}
		a.prefix[k] = uint16(min(n, math.MaxUint16))
	}
	a.heavyColumns, err = makeColumns(len(h.labels), mem, func(yield func(i, v uint32)) { a.eachHeavyEntry(count, h, between, yield) })
	return err
}

// eachHeavyEntry yields each heavy vertex that is in a row of this worker, by index,
// with the vertex of that row.
func (a *adjacency[L]) eachHeavyEntry(count uint32, h *heavy[L], between []uint64, yield func(i, v uint32)) {
	k := 0
	a.each(count, func(v uint32, row []L) {
		for _, u := range row[:a.prefix[k]] {
			i, _ := h.number(u)
			yield(i, v)
		}
		k++
	})
	for _, x := range between {
		yield(uint32(x), count+uint32(x>>32))
	}
}
