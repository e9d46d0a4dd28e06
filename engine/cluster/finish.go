package cluster

import (
	"math"

	"github.com/gohops/hops/internal/arena"
	"github.com/gohops/hops/internal/bitset"
	"github.com/gohops/hops/internal/bottomup"
	"github.com/gohops/hops/internal/par"
)

// finish makes what searches use beside the rows.
func (b *builder) finish() error {
	for t := range b.workers {
		if err := b.reserve(&b.workers[t]); err != nil {
			return err
		}
	}
	errs := make([]error, len(b.workers))
	b.Team.Run(func(t int) { errs[t] = b.finishWorker(&b.workers[t], b.filling[t].between) })
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

func (b *builder) finishWorker(w *worker, between []uint64) (err error) {
	w.findHeads()
	w.findPrefixes(&b.heavy)
	w.misses = bottomup.NewMisses()
	if err := w.newHeavyRows(&b.heavy, between, &b.Memory); err != nil {
		return err
	}
	alone := par.NewTeam(1, nil)
	defer alone.Close()
	w.rows.Tails, err = bottomup.NewTails(int64(w.count), w.row, alone, &b.Memory)
	return err
}

// reserve makes room for the bitmaps and lists of a worker.
func (b *builder) reserve(w *worker) (err error) {
	words := bitset.Words(int64(w.count))
	for _, set := range []*bitset.Set{&w.rows.More, &w.closed, &w.visited} {
		if *set, err = arena.Make[uint64](&b.Memory, words); err != nil {
			return err
		}
	}
	// Lists have room for one more: see takeRow.
	for _, list := range []*[]uint32{&w.rows.Head, &w.queue, &w.found} {
		if *list, err = arena.Make[uint32](&b.Memory, int(w.count)+1); err != nil {
			return err
		}
	}
	w.rows.Row = w.row
	w.heavy.found = bitset.New(int64(len(b.heavy.labels)))
	w.heavy.parents = make([]uint32, len(b.heavy.labels))
	w.prefix, err = arena.Make[uint16](&b.Memory, int(w.count))
	return err
}

// findHeads fills the heads and the bitmaps of the graph.
func (w *worker) findHeads() {
	for v := range w.count {
		switch row := w.row(v); len(row) {
		case 0:
			w.closed.Add(uint64(v))
			w.rows.Head[v] = w.first + v
		default:
			w.rows.More.Add(uint64(v))
			fallthrough
		case 1:
			w.rows.Head[v] = row[0]
		}
	}
	if past := uint(w.count % 64); past != 0 {
		w.closed[len(w.closed)-1] |= ^uint64(0) << past
	}
}

// findPrefixes counts the heavy neighbours at the beginning of each row.
func (w *worker) findPrefixes(h *heavy) {
	for v := range w.count {
		n := 0
		for _, u := range w.row(v) {
			if _, ok := h.index(u); !ok {
				break
			}
			n++
		}
		w.prefix[v] = uint16(min(n, math.MaxUint16))
	}
}

// newHeavyRows transposes the heavy prefixes of all rows. It adds the entries
// between two heavy vertices.
func (w *worker) newHeavyRows(h *heavy, between []uint64, mem *arena.Arena) (err error) {
	rows := &w.heavyRows
	rows.offsets = make([]uint32, len(h.labels)+2)
	w.eachHeavyEntry(h, between, func(i, _ uint32) { rows.offsets[i+2]++ })
	for i := 1; i < len(rows.offsets); i++ {
		rows.offsets[i] += rows.offsets[i-1]
	}
	if rows.entries, err = arena.Make[uint32](mem, int(rows.offsets[len(rows.offsets)-1])); err != nil {
		return err
	}
	w.eachHeavyEntry(h, between, func(i, v uint32) {
		rows.entries[rows.offsets[i+1]] = v
		rows.offsets[i+1]++
	})
	return nil
}

// eachHeavyEntry yields the edges between a heavy vertex, by index, and a vertex
// of this worker.
func (w *worker) eachHeavyEntry(h *heavy, between []uint64, yield func(i, v uint32)) {
	for v := range w.count {
		for _, u := range w.row(v)[:w.prefix[v]] {
			i, _ := h.index(u)
			yield(i, v)
		}
	}
	for _, x := range between {
		if i, ok := h.index(uint32(x)); ok {
			yield(i, w.count+uint32(x>>32))
		}
	}
}
