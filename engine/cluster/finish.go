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

func (b *builder) finishWorker(w *worker) (err error) {
	w.findHeads()
	w.misses = bottomup.NewMisses()
	alone := par.NewTeam(1, nil)
	defer alone.Close()
	w.rows.Tails, err = bottomup.NewTails(int64(w.count), w.in.row, alone, &b.Memory)
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
	w.rows.Row = w.in.row
	w.heavy.found = bitset.New(int64(len(b.heavy.labels)))
	w.heavy.parents = make([]uint32, len(b.heavy.labels))
	return nil
}

// findHeads fills the heads and the bitmaps of the graph.
func (w *worker) findHeads() {
	for v := range w.count {
		switch row := w.in.row(v); len(row) {
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
