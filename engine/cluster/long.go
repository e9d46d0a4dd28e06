package cluster

import (
	"cmp"
	"slices"
	"sync/atomic"

	"github.com/gohops/hops/internal/base/arena"
	"github.com/gohops/hops/internal/base/bitset"
	"github.com/gohops/hops/internal/base/kernel"
	"github.com/gohops/hops/internal/ranks/deal"
	"github.com/gohops/hops/internal/ranks/rank"
)

// Vertices with long rows that are not heavy have owners and rows like any other, and in
// the first levels of a search they lead to a good part of the graph. To read their rows is
// little work for many workers; to bring the edges to the owners of the other ends is much
// more.
//
// So with many workers on one host the longest of these rows are there twice: each worker
// has a copy of those entries that are its own vertices. In a top-down level the ranks tell
// each other which long vertices are in the frontier, and every worker follows its own
// entries of them. Nothing is posted.

const (
	// fewWorkers is the number of workers up to which there are no copies: they gain hardly
	// anything for the memory that they take (docs/design/cpu.md).
	fewWorkers = 8
	// longShare is the share of all row entries that the rows of long and heavy vertices
	// have together, at most: one in so many.
	longShare = 4
	// leastPart is how many entries of a long row each worker has at the mean, at least.
	leastPart = 64
	// longFrom is the number of entries of a frontier from which its long vertices are
	// followed: for fewer, the ranks would take longer to tell each other of them.
	longFrom = 1 << 14
)

// long are the long vertices, the same on all ranks. Vertices of the same classes that are
// not long have numbers too.
type long[L label] struct {
	index[L]
	chosen   bitset.Set // those that are long, by number
	from     int64      // entries of a frontier
	front    []uint64   // those in the frontier of a level that follows them
	followed bool       // the level under way follows them
}

// longRows are what a worker has of the long vertices.
type longRows struct {
	own bitset.Set // long ones among its vertices
	columns
}

// needLong is the memory that the copies take with so many workers and entries.
func needLong(workers, entries int64) int64 {
	if workers <= fewWorkers {
		return 0
	}
	vertices := entries/(leastPart*workers) + 1
	return 4*entries/longShare + (16+4*workers)*vertices
}

// leastLong is the number of entries of a long vertex, at least, or 0 if there are none.
func (b *builder[L]) leastLong() int {
	if b.opts.long > 0 {
		return b.opts.long
	}
	workers := b.Comm.Size() * b.Team.Size()
	if workers <= fewWorkers || b.Hosts.Count > 1 || b.Modelled || b.opts.Light {
		return 0
	}
	return leastPart * workers
}

// findLong finds the long vertices: those with the longest rows that have no more than their
// share of the entries.
func (b *builder[L]) findLong() error {
	least := b.leastLong()
	if least == 0 {
		return nil
	}
	room := b.longRoom()
	cut := b.longClass(least, room)
	vertices, err := b.From(cut)
	if err != nil {
		return err
	}
	vertices = slices.DeleteFunc(vertices, func(v deal.Vertex) bool { return b.heavy.has(L(v.Label)) })
	l := chooseLong[L](vertices, room)
	if l.chosen.Count() == 0 {
		return nil
	}
	b.long = l
	if b.long.from = longFrom; b.opts.long > 0 {
		b.long.from = 0
	}
	b.long.front, err = arena.Make[uint64](&b.Memory, len(b.long.chosen))
	return err
}

// longRoom is the number of entries that the rows of long vertices may have.
func (b *builder[L]) longRoom() int64 {
	entries, heavy := uint64(0), uint64(0)
	for class, vertices := range b.Histogram {
		entries += vertices * deal.LeastOf(class)
		if class >= b.heavy.cut {
			heavy += vertices * deal.LeastOf(class)
		}
	}
	return int64(entries/longShare) - int64(heavy)
}

// longClass is the class from which vertices may be long. The vertices of the
// lowest such class may have more entries than there is room for.
func (b *builder[L]) longClass(least int, room int64) int {
	cut := b.heavy.cut
	for cut > 1+int(deal.ClassOf(uint32(least))) && room > 0 {
		cut--
		room -= int64(b.Histogram[cut] * deal.LeastOf(cut))
	}
	return cut
}

// chooseLong makes the vertices with the most entries long, as many as there is room for.
func chooseLong[L label](vertices []deal.Vertex, room int64) (l long[L]) {
	labels, order := make([]L, len(vertices)), make([]int, len(vertices))
	entries := func(i int) int64 { return int64(max(vertices[i].Out, vertices[i].In)) }
	for i, v := range vertices {
		labels[i], order[i] = L(v.Label), i
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(entries(j), entries(i)) })
	l.index, l.chosen = newIndex(labels), bitset.New(int64(len(labels)))
	for _, i := range order {
		if room -= entries(i); room < 0 {
			break
		}
		l.chosen.Add(uint64(i))
	}
	return l
}

// copyLong copies the entries of the long rows that are vertices of a worker: those in whose
// rows the long vertices are.
func (b *builder[L]) copyLong(w *worker[L]) (err error) {
	if len(b.long.labels) == 0 {
		return nil
	}
	rows := &w.long
	if rows.own, err = arena.Make[uint64](&b.Memory, bitset.Words(int64(w.count))); err != nil {
		return err
	}
	for i := range b.long.chosen.All {
		if at := uint64(b.long.labels[i]) - w.first; at < uint64(w.count) {
			rows.own.Add(at)
		}
	}
	rows.columns, err = makeColumns(len(b.long.labels), &b.Memory, func(yield func(i, v uint32)) { w.in.eachLongEntry(w.count, &b.long, yield) })
	return err
}

// eachLongEntry yields each long vertex that is in a row of this worker, by number, with the
// vertex of that row. In a row the classes of the long vertices come after the heavy ones.
func (a *adjacency[L]) eachLongEntry(count uint32, l *long[L], yield func(i, v uint32)) {
	k := 0
	a.each(count, func(v uint32, row []L) {
		for _, u := range row[a.prefix[k]:] {
			i, ok := l.number(u)
			if !ok {
				break
			}
			if l.chosen.Has(uint64(i)) {
				yield(i, v)
			}
		}
		k++
	})
}

// tellLong tells all ranks which long vertices are in the frontier, if the level is to
// follow them.
func (m *machine[L]) tellLong() error {
	l := &m.long
	if l.followed = len(l.labels) > 0 && m.state.Edges >= l.from; !l.followed {
		return nil
	}
	clear(l.front)
	m.Team.Run(m.phases.markLong)
	return rank.Reduced(m.Comm, rank.Or, l.front)
}

// markLongWorker marks the long vertices in the queue of a worker.
func (m *machine[L]) markLongWorker(t int) {
	w := &m.workers[t]
	for _, v := range w.queue {
		if w.long.own.Has(uint64(v)) {
			i, _ := m.long.number(w.label(v))
			atomic.OrUint64(&m.long.front[i/64], 1<<(i%64))
		}
	}
}

// followLong visits the neighbours that this worker owns of the long vertices in the
// frontier.
func (w *worker[L]) followLong(l *long[L], k kernel.Kernels) {
	for i := range bitset.Set(l.front).All {
		row := w.long.column(uint32(i))
		w.tally.counts[sumExamined] += int64(len(row))
		w.takeRow(row, l.labels[i], k)
	}
}

// follows tells whether the edges from vertex v of a worker are followed by the rules for long
// vertices.
func (l *long[L]) follows(w *worker[L], v uint32) bool {
	return l.followed && w.long.own.Has(uint64(v))
}
