package cluster

import (
	"math"
	"slices"

	"github.com/gohops/hops/internal/alltoall"
	"github.com/gohops/hops/internal/packet"
	"github.com/gohops/hops/internal/rank"
)

// bulk is the delivery in which nothing overlaps, for comparison: that of Checconi and
// Petrini's MPI version. Workers read their rows to count the edges that they have for
// each other, and make room; they read them again to list the edges; when all have
// finished, the ranks exchange counts, make room, and exchange the edges, 8 bytes each;
// then all of them are read. No claim arrives while probes are made, so that vertices
// probe all of their neighbours at once. The sender's end of an edge is numbered from
// the first vertex of its rank.
type bulk[L label] struct {
	*machine[L]
	exchange *alltoall.Exchange
	lists    [][]edgeList // of each thread, the edges for each worker

	kind        packet.Kind // of the edges that are taken
	then        func(thread int)
	count, take func(thread int) // phases as values: a method value allocates
}

func newBulk[L label](m *machine[L]) *bulk[L] {
	b := &bulk[L]{machine: m, exchange: alltoall.New(m.Comm, m.Team.Size(), &m.Memory)}
	b.count, b.take = b.countWorker, b.takeWorker
	b.lists = make([][]edgeList, len(m.workers))
	for t := range b.lists {
		b.lists[t] = make([]edgeList, m.Parts.Workers())
	}
	return b
}

func (b *bulk[L]) begin()                  {}
func (b *bulk[L]) close()                  { b.exchange.Free() }
func (b *bulk[L]) pass(int) (from, to int) { return 0, math.MaxInt }

// An edgeList is edges for one worker; the memory stays for the next level.
type edgeList struct {
	edges []uint64
	count int // of the edges that there may be
}

// countWorker reads what a worker makes edges of, and makes room for them.
func (b *bulk[L]) countWorker(t int) {
	w, lists := &b.workers[t], b.lists[t]
	switch {
	case b.kind == forward && b.claims:
		for _, h := range w.held {
			for _, e := range h.edges {
				lists[b.Parts.Owner(b.Parts.Cuts[h.sender]+e&math.MaxUint32)].count++
			}
		}
	case b.kind == forward:
		for _, v := range w.queue {
			_, light := w.out.split(v)
			b.countRow(w, light)
		}
	default:
		for _, v := range w.queue {
			b.countRow(w, w.in.row(v))
		}
	}
	for d := range lists {
		l := &lists[d]
		l.edges, l.count = slices.Grow(l.edges, l.count), 0
	}
}

func (b *bulk[L]) countRow(w *worker[L], row []L) {
	w.tally.counts[sumExamined] += int64(len(row))
	for _, u := range row {
		b.lists[w.thread][b.Parts.Owner(uint64(u))].count++
	}
}

func (b *bulk[L]) post(w *worker[L], _ packet.Kind, d int, u, v uint32) {
	l, first := &b.lists[w.thread][d], b.Parts.Cuts[b.Comm.Rank()*b.Parts.Threads]
	l.edges = append(l.edges, uint64(u)<<32|(uint64(v)+w.first-first))
}

func (b *bulk[L]) postRow(w *worker[L], v uint32, row []L) {
	for _, u := range row {
		d := b.Parts.Owner(uint64(u))
		b.post(w, forward, d, uint32(uint64(u)-b.Parts.Cuts[d]), v)
	}
}

func (b *bulk[L]) deliver(k packet.Kind, phase, then func(thread int)) {
	b.kind, b.then = k, then
	b.Team.Run(b.count)
	b.Team.Run(phase)
	if b.failed() {
		return
	}
	start := b.Now()
	if err := b.send(k); err != nil {
		b.fail(err)
		return
	}
	b.workers[0].tally.counts[sumWaiting] += int64(b.Since(start))
	b.Team.Run(b.take)
}

// send sends the edges that were listed for other ranks. Those for the own rank stay
// in the lists.
func (b *bulk[L]) send(k packet.Kind) error {
	workers := b.Parts.Workers()
	cuts, total := make([]int64, workers+1), 0
	for d := range workers {
		for t := range b.lists {
			total += len(b.leaving(t, d))
		}
		cuts[d+1] = int64(total)
	}
	out, err := b.exchange.Room(total)
	if err != nil {
		return err
	}
	at := 0
	for d := range workers {
		for t := range b.lists {
			if edges := b.leaving(t, d); len(edges) > 0 {
				at += copy(out[at:], edges)
				b.workers[t].tally.sent(k, len(edges), 8*len(edges))
				b.lists[t][d].edges = edges[:0]
			}
		}
	}
	return b.exchange.Send(out, cuts)
}

// leaving is what a thread has listed for worker d, if that is one of another rank.
func (b *bulk[L]) leaving(t, d int) []uint64 {
	if d/b.Parts.Threads == b.Comm.Rank() {
		return nil
	}
	return b.lists[t][d].edges
}

// takeWorker reads the edges for one worker.
func (b *bulk[L]) takeWorker(t int) {
	w := &b.workers[t]
	for r := range b.Comm.Size() {
		if r != b.Comm.Rank() {
			b.takeFrom(w, r, b.exchange.From(r, t))
			continue
		}
		for s := range b.lists {
			own := &b.lists[s][w.id]
			b.takeFrom(w, r, own.edges)
			own.edges = own.edges[:0]
		}
	}
	if b.then != nil {
		b.then(t)
	}
}

// takeFrom reads edges from a rank.
func (b *bulk[L]) takeFrom(w *worker[L], r int, edges []uint64) {
	first, end := b.Parts.Rank(r)
	if !b.arrive(w, b.kind, edges, r*b.Parts.Threads, uint32(end-first)) {
		b.fail(packet.NoSuchVertex(r))
	}
}

func (b *bulk[L]) asking() uint64 {
	sum := []uint64{b.askingHere()}
	if err := rank.Reduced(b.Comm, rank.Sum, sum); err != nil {
		b.fail(err)
	}
	return sum[0]
}
