package deal

import (
	"math/bits"

	"github.com/gohops/hops/internal/base/arena"
	"github.com/gohops/hops/internal/ranks/alltoall"
	"github.com/gohops/hops/internal/ranks/rank"
)

// Rows are rows that OrderRows orders; each thread orders its own.
type Rows[L Label] interface {
	// Next returns the next row of a thread, and false after the last one. The row is
	// read before Next is called again.
	Next(thread int) (row []L, more bool)
	// Locate tells which vertex a thread's row means by an entry.
	Locate(entry L) (worker int, vertex uint64)
	// Ordered takes the row after the last that it took: by falling class and then by
	// ascending entry, without duplicates, and with the class of the first entry.
	Ordered(thread int, keys Keys)
}

// Keys are an ordered row.
type Keys []uint64

// Class is the class of the first entry, and 0 in an empty row.
func (k Keys) Class() uint8 {
	if len(k) == 0 {
		return 0
	}
	return classOf(k[0])
}

// Put writes the entries of an ordered row.
func Put[L Label](k Keys, row []L) {
	for i, x := range k {
		row[i] = L(labelOf(x))
	}
}

// An orderer is one thread's side of ordering.
type orderer struct {
	dealer
	keys   []uint64 // of rows, one after the other
	ends   []int    // of the rows
	asking []int    // the key that each question is about
	sorter rowSorter
	more   bool
}

// OrderRows orders rows whose entries are below limit.
func OrderRows[L Label](e *Edges, rows Rows[L], limit uint64) error {
	threads := make([]orderer, e.Team.Size())
	for t := range threads {
		threads[t].counts, threads[t].keys = make([]int64, e.Parts.Workers()), make([]uint64, 0, e.stepEdges())
		threads[t].sorter.label = uint(bits.Len64(limit))
	}
	exchange := alltoall.New(e.Comm, e.Parts.Threads, &e.Memory)
	defer exchange.Free()
	for more := true; more; {
		e.Team.Run(func(t int) { collect(e, &threads[t], rows, t) })
		if e.Hosts.Count > 1 {
			if err := e.ask(threads, exchange); err != nil {
				return err
			}
		}
		e.Team.Run(func(t int) { deliver(&threads[t], rows, t) })
		var err error
		if more, err = e.anyMore(threads); err != nil {
			return err
		}
	}
	return nil
}

// anyMore tells whether a thread of any rank has more rows. Ranks of one host send
// nothing and need not go on together.
func (e *Edges) anyMore(threads []orderer) (bool, error) {
	more := []uint64{0}
	for t := range threads {
		if threads[t].more {
			more[0] = 1
		}
	}
	if e.Hosts.Count == 1 {
		return more[0] > 0, nil
	}
	err := rank.Reduced(e.Comm, rank.Max, more)
	return more[0] > 0, err
}

// collect takes rows until they have as many entries as a step of Deal has edges, and looks the
// classes up that this host has.
func collect[L Label](e *Edges, o *orderer, rows Rows[L], t int) {
	o.keys, o.ends, o.asking, o.entries = o.keys[:0], o.ends[:0], o.asking[:0], o.entries[:0]
	clear(o.counts)
	for len(o.keys) < e.stepEdges() {
		var row []L
		if row, o.more = rows.Next(t); !o.more {
			return
		}
		for _, x := range row {
			w, v := rows.Locate(x)
			class := uint8(0)
			if at := e.classAt[w]; at != elsewhere {
				class = e.class[at+int64(v)]
			} else {
				o.asking = append(o.asking, len(o.keys))
				o.entries = append(o.entries, Routed{uint32(w), v - e.Parts.Cuts[w]})
				o.counts[w]++
			}
			o.keys = append(o.keys, key(uint64(x), class))
		}
		o.ends = append(o.ends, len(o.keys))
	}
}

// ask asks the owners on other hosts for classes. All ranks take part.
func (e *Edges) ask(threads []orderer, exchange *alltoall.Exchange) error {
	dealers := make([]*dealer, len(threads))
	total := 0
	for t := range threads {
		dealers[t] = &threads[t].dealer
		total += len(threads[t].entries)
	}
	cuts := positions(dealers, e.Parts.Workers())
	out, err := exchange.Room(total)
	if err != nil {
		return err
	}
	e.Team.Run(func(t int) { dealers[t].pack(out) })
	if err := exchange.Send(out, cuts); err != nil {
		return err
	}
	replies := make([]byte, 0, len(exchange.All()))
	for r := range e.Comm.Size() {
		for t := range e.Parts.Threads {
			w := e.Comm.Rank()*e.Parts.Threads + t
			class := e.class[e.classAt[w]+int64(e.Parts.Cuts[w]):][:e.Parts.Count(w)]
			for _, v := range exchange.From(r, t) {
				replies = append(replies, class[v])
			}
		}
	}
	answers, err := exchange.Answer(replies)
	if err != nil {
		return err
	}
	defer arena.Free(&e.Memory, answers)
	e.Team.Run(func(t int) {
		o := &threads[t]
		for i, k := range o.asking { // pack has left the place of each question
			o.keys[k] = key(labelOf(o.keys[k]), answers[o.entries[i].Entry])
		}
	})
	return nil
}

// deliver orders the rows that were taken.
func deliver[L Label](o *orderer, rows Rows[L], t int) {
	start := 0
	for _, end := range o.ends {
		rows.Ordered(t, o.sorter.sort(o.keys[start:end]))
		start = end
	}
}
