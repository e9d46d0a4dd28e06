package cluster

import (
	"math"

	"github.com/gohops/hops/internal/arena"
	"github.com/gohops/hops/internal/bitset"
	"github.com/gohops/hops/internal/bottomup"
)

// finish makes what searches use beside the rows, and the form of the rows that messages
// are made from.
func (b *builder) finish() error {
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
func (b *builder) finishWorker(w *worker) (err error) {
	words := bitset.Words(int64(w.count))
	for _, set := range []*bitset.Set{&w.closed, &w.visited} {
		if *set, err = arena.Make[uint64](&b.Memory, words); err != nil {
			return err
		}
	}
	// Lists have room for one more: see takeRow.
	for _, list := range []*[]uint32{&w.queue, &w.found} {
		if *list, err = arena.Make[uint32](&b.Memory, int(w.count)+1); err != nil {
			return err
		}
	}
	w.misses = bottomup.NewMisses()
	w.heavy.found = bitset.New(int64(len(b.heavy.labels)))
	w.heavy.parents = make([]uint32, len(b.heavy.labels))
	for v := range uint32(64 * words) {
		if v >= w.count || w.in.degree(v) == 0 {
			w.closed.Add(uint64(v))
		}
	}
	w.rows, err = bottomup.NewRows(int64(w.count), w.in.row, &b.Memory)
	return err
}

// findHeavyPrefixes counts the heavy neighbours at the beginning of each row and transposes
// these prefixes. It adds the entries between two heavy vertices.
func (a *adjacency) findHeavyPrefixes(count uint32, h *heavy, between []uint64, mem *arena.Arena) (err error) {
	if a.prefix, err = arena.Make[uint16](mem, int(count)); err != nil {
		return err
	}
	for v := range count {
		n := 0
		for _, u := range a.row(v) {
			if _, ok := h.index(u); !ok {
				break
			}
			n++
		}
		a.prefix[v] = uint16(min(n, math.MaxUint16))
	}
	rows := &a.heavyRows
	rows.offsets = make([]uint32, len(h.labels)+2)
	a.eachHeavyEntry(h, between, func(i, _ uint32) { rows.offsets[i+2]++ })
	for i := 1; i < len(rows.offsets); i++ {
		rows.offsets[i] += rows.offsets[i-1]
	}
	if rows.entries, err = arena.Make[uint32](mem, int(rows.offsets[len(rows.offsets)-1])); err != nil {
		return err
	}
	a.eachHeavyEntry(h, between, func(i, v uint32) {
		rows.entries[rows.offsets[i+1]] = v
		rows.offsets[i+1]++
	})
	return nil
}

// eachHeavyEntry yields each heavy vertex that is in a row of this worker, by index,
// with the vertex of that row.
func (a *adjacency) eachHeavyEntry(h *heavy, between []uint64, yield func(i, v uint32)) {
	for v, n := range a.prefix {
		for _, u := range a.row(uint32(v))[:n] {
			i, _ := h.index(u)
			yield(i, uint32(v))
		}
	}
	for _, x := range between {
		if i, ok := h.index(uint32(x)); ok {
			yield(i, uint32(len(a.prefix))+uint32(x>>32))
		}
	}
}
