package cluster

import (
	"math"
	"slices"

	"github.com/gohops/hops/internal/ranks/alltoall"
	"github.com/gohops/hops/internal/ranks/packet"
)

// bulk is the delivery of Checconi and Petrini's MPI version, in which nothing overlaps, for
// comparison. Workers read their rows to count the edges that they have for
// each other, and make room; they read them again to list the edges; when all have
// finished, the ranks exchange counts, make room, and exchange the edges, 8 bytes each;
// then all of them are read. No claim arrives while probes are made, so that vertices
// probe all of their neighbours at once.
type bulk[L label] struct {
	*machine[L]
	exchange *alltoall.Exchange
	lists    [][]edgeList // of each thread, the edges for each worker

	kind           packet.Kind // of the edges that are taken
	then           func(thread int)
	held           [][]held         // probes that each thread is to answer
	count, reading func(thread int) // phases as values: a method value allocates
}

// held are probes from a rank that wait for an answer.
type held struct {
	from  int
	edges []uint64
}

func newBulk[L label](m *machine[L]) *bulk[L] {
	b := &bulk[L]{machine: m, exchange: alltoall.New(m.Comm, m.Team.Size(), &m.Memory)}
	b.count, b.reading = b.countWorker, b.readWorker
	b.held = make([][]held, len(m.workers))
	b.lists = make([][]edgeList, len(m.workers))
	for t := range b.lists {
		b.lists[t] = make([]edgeList, m.Parts.Workers())
	}
	return b
}

func (b *bulk[L]) close() { b.exchange.Free() }

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
		for _, h := range b.held[t] {
			first, _ := b.Parts.Rank(h.from)
			for _, e := range h.edges {
				lists[b.Parts.Owner(first+e&math.MaxUint32)].count++
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

// post posts an edge from a vertex of worker w, by its number in the rank, to u.
func (b *bulk[L]) post(w *worker[L], u uint64, v uint32) {
	d := b.Parts.Owner(u)
	first, _ := b.Parts.Rank(d / b.Parts.Threads)
	l := &b.lists[w.thread][d]
	l.edges = append(l.edges, (u-first)<<32|uint64(v))
}

func (b *bulk[L]) postRow(w *worker[L], v uint32, row []L) {
	for _, u := range row {
		b.post(w, uint64(u), w.number(v))
	}
}

func (b *bulk[L]) postProbe(w *worker[L], u L, v uint32) { b.post(w, uint64(u), w.number(v)) }

func (b *bulk[L]) deliver(phase, then func(thread int)) { b.exchanged(forward, phase, then) }

// probe runs a level by probes in which all of them are delivered, and then the claims.
func (b *bulk[L]) probe() {
	b.Team.Run(b.openWorker)
	b.exchanged(backward, func(t int) { b.askWorker(&b.workers[t], 0, math.MaxInt) }, func(int) {})
	b.exchanged(forward, b.answerWorker, b.phases.book)
}

// answerWorker answers the probes for vertices in the frontier.
func (b *bulk[L]) answerWorker(t int) {
	for _, probes := range b.held[t] {
		first, _ := b.Parts.Rank(probes.from)
		for _, e := range probes.edges {
			if u := uint32(e >> 32); b.inFrontier(u) {
				b.post(&b.workers[t], first+e&math.MaxUint32, u)
			}
		}
	}
	b.held[t] = b.held[t][:0]
}

// exchanged runs a phase that posts edges of a kind, brings them to their owners, and
// runs another on those.
func (b *bulk[L]) exchanged(k packet.Kind, phase, then func(thread int)) {
	if b.failed() {
		return
	}
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
	b.Team.Run(b.reading)
}

// send sends the edges that were listed for other ranks. Edges for the own rank stay
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
	if err := b.exchange.Send(out, cuts); err != nil {
		return err
	}
	b.before.Packed += 8 * int64(total+len(b.exchange.All()))
	return nil
}

// leaving is what a thread has listed for worker d, if that is one of another rank.
func (b *bulk[L]) leaving(t, d int) []uint64 {
	if d/b.Parts.Threads == b.Comm.Rank() {
		return nil
	}
	return b.lists[t][d].edges
}

// readWorker reads the edges for one worker.
func (b *bulk[L]) readWorker(t int) {
	w := &b.workers[t]
	for r := range b.Comm.Size() {
		if r != b.Comm.Rank() {
			b.readFrom(w, r, b.exchange.From(r, t))
			continue
		}
		for s := range b.lists {
			own := &b.lists[s][w.id]
			b.readFrom(w, r, own.edges)
			own.edges = own.edges[:0]
		}
	}
	b.then(t)
}

// readFrom takes forward edges from a rank, and keeps probes.
func (b *bulk[L]) readFrom(w *worker[L], r int, edges []uint64) {
	ok := packet.Exist(edges, b.ends(r))
	if ok && b.kind == forward {
		ok = b.take(w, edges, r)
	} else if ok {
		b.held[w.thread] = append(b.held[w.thread], held{r, edges})
	}
	if !ok {
		b.fail(packet.NoSuchVertex(r))
	}
}
