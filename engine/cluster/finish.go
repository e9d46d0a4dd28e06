package cluster

import (
	"math"

	"github.com/gohops/hops/internal/arena"
	"github.com/gohops/hops/internal/bitset"
	"github.com/gohops/hops/internal/par"
	"github.com/gohops/hops/internal/tails"
)

// finish makes what searches use beside the rows.
func (b *builder) finish() error {
	for t := range b.workers {
		if err := b.reserve(&b.workers[t]); err != nil {
			return err
		}
	}
	errs := make([]error, len(b.workers))
	b.team.Run(func(t int) {
		w := &b.workers[t]
		w.findHeads()
		w.findPrefixes(&b.heavy)
		if errs[t] = w.newHeavyRows(&b.heavy, &b.mem); errs[t] == nil {
			w.tails, errs[t] = tails.New(int64(w.count), w.row, par.NewTeam(1, nil), &b.mem)
		}
		w.probe = tails.NewList()
	})
	for t, err := range errs {
		if err != nil {
			return err
		}
		w := &b.workers[t]
		if w.form, err = newRowForm(b.opts.Rows, w, &b.mem); err != nil {
			return err
		}
		if b.opts.Sync == "bulk" {
			w.bulk = make([]edgeList, b.parts.workers())
			for d := range w.bulk {
				w.bulk[d].first = b.parts.cuts[d]
			}
		}
		b.connected += 64*w.words() - w.closed.Count()
		b.entryCount += w.offsets[w.count]
	}
	return nil
}

func (b *builder) reserve(w *worker) (err error) {
	words := bitset.Words(int64(w.count))
	for _, set := range []*bitset.Set{&w.long, &w.closed, &w.visited} {
		if *set, err = arena.Make[uint64](&b.mem, words); err != nil {
			return err
		}
	}
	// Lists have room for one more: see takeRow.
	for _, list := range []*[]uint32{&w.head, &w.queue, &w.found} {
		if *list, err = arena.Make[uint32](&b.mem, int(w.count)+1); err != nil {
			return err
		}
	}
	w.heavy.found = bitset.New(int64(len(b.heavy.labels)))
	w.heavy.parents = make([]uint32, len(b.heavy.labels))
	w.prefix, err = arena.Make[uint16](&b.mem, int(w.count))
	return err
}

// findHeads fills head and the bitmaps of the graph.
func (w *worker) findHeads() {
	for v := range w.count {
		switch row := w.row(v); len(row) {
		case 0:
			w.closed.Add(uint64(v))
			w.head[v] = w.first + v
		default:
			w.long.Add(uint64(v))
			fallthrough
		case 1:
			w.head[v] = row[0]
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

// newHeavyRows turns the heavy prefixes of all rows around.
func (w *worker) newHeavyRows(h *heavy, mem *arena.Arena) (err error) {
	rows := &w.heavyRows
	rows.offsets = make([]uint32, len(h.labels)+2)
	w.eachHeavyEntry(h, func(i, _ uint32) { rows.offsets[i+2]++ })
	for i := 1; i < len(rows.offsets); i++ {
		rows.offsets[i] += rows.offsets[i-1]
	}
	if rows.entries, err = arena.Make[uint32](mem, int(rows.offsets[len(rows.offsets)-1])); err != nil {
		return err
	}
	w.eachHeavyEntry(h, func(i, v uint32) {
		rows.entries[rows.offsets[i+1]] = v
		rows.offsets[i+1]++
	})
	w.between = nil
	return nil
}

// eachHeavyEntry yields the edges between a heavy vertex, by index, and a vertex
// of this worker.
func (w *worker) eachHeavyEntry(h *heavy, yield func(i, v uint32)) {
	for v := range w.count {
		for _, u := range w.row(v)[:w.prefix[v]] {
			i, _ := h.index(u)
			yield(i, v)
		}
	}
	for _, x := range w.between {
		if i, ok := h.index(uint32(x)); ok {
			yield(i, w.count+uint32(x>>32))
		}
	}
}
