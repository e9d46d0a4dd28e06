package cluster

import (
	"math"

	"github.com/gohops/hops/internal/alltoall"
	"github.com/gohops/hops/internal/packet"
	"github.com/gohops/hops/internal/partition"
	"github.com/gohops/hops/internal/rank"
)

// bulk is the delivery in which nothing overlaps, for comparison: that of Checconi and
// Petrini's MPI version, but that rows are read once. Workers only list the edges that
// they have for each other; when all have finished, the ranks exchange counts, make
// room, and exchange the edges, 8 bytes each; then all of them are read. The sender's
// end of an edge is numbered from the first vertex of its rank.
type bulk[L label] struct {
	*machine[L]
	exchange *alltoall.Exchange
	lists    [][]edgeList // of each thread, the edges for each worker

	kind    packet.Kind // of the edges that are taken
	then    func(thread int)
	held    [][]held         // probes that each thread is to answer
	pass    int              // of a level by probes
	reading func(thread int) // a phase as a value: a method value allocates
}

func newBulk[L label](m *machine[L]) *bulk[L] {
	b := &bulk[L]{machine: m, exchange: alltoall.New(m.Comm, m.Team.Size(), &m.Memory)}
	b.reading = b.readWorker
	b.held = make([][]held, len(m.workers))
	b.lists = make([][]edgeList, len(m.workers))
	for t := range b.lists {
		b.lists[t] = make([]edgeList, m.Parts.Workers())
		for d := range b.lists[t] {
			b.lists[t][d].first, _ = m.Parts.Rank(d / m.Parts.Threads)
		}
	}
	return b
}

func (b *bulk[L]) close() { b.exchange.Free() }

// leastRoom is the number of edges that a list has room for when it first grows.
const leastRoom = 4096

// An edgeList is edges for one worker; the memory stays for the next level.
type edgeList struct {
	edges []uint64
	count int
	first uint64 // vertices of the worker's rank are numbered from here
}

func (l *edgeList) posted() []uint64 { return l.edges[:l.count] }

func (l *edgeList) grow() {
	l.edges = append(l.edges, make([]uint64, max(leastRoom, len(l.edges)))...)
}

// post posts an edge from vertex v of worker w to u.
func (b *bulk[L]) post(w *worker[L], u uint64, v uint32) {
	l := &b.lists[w.thread][b.Parts.Owner(u)]
	if l.count == len(l.edges) {
		l.grow()
	}
	l.edges[l.count] = (u-l.first)<<32 | uint64(v)
	l.count++
}

func (b *bulk[L]) postRow(w *worker[L], v uint32, row []L) {
	lists, sender := b.lists[w.thread], uint64(w.number(v))
	for {
		row = row[listUntilFull(b.Parts, lists, row, sender):]
		if len(row) == 0 {
			return
		}
		lists[b.Parts.Owner(uint64(row[0]))].grow()
	}
}

// listUntilFull lists edges until there is no room for one, and returns their number.
// Like packet.Outbox.Pack it calls nothing.
func listUntilFull[L label](p *partition.Partition, lists []edgeList, row []L, sender uint64) int {
	owners, shift := p.Owners, p.Shift&63
	for i, u := range row {
		l := &lists[owners[uint64(u)>>shift]]
		if l.count == len(l.edges) {
			return i
		}
		l.edges[l.count] = (uint64(u)-l.first)<<32 | sender
		l.count++
	}
	return len(row)
}

func (b *bulk[L]) deliver(phase, then func(thread int)) { b.exchanged(forward, phase, then) }

// exchanged runs a phase that posts edges of a kind, and another on what has arrived.
func (b *bulk[L]) exchanged(k packet.Kind, phase, then func(thread int)) {
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
	b.kind, b.then = k, then
	b.Team.Run(b.reading)
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
				b.lists[t][d].count = 0
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
	return b.lists[t][d].posted()
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
			b.readFrom(w, r, own.posted())
			own.count = 0
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

// held are probes from a rank that wait for an answer.
type held struct {
	from  int
	edges []uint64
}

// probe runs a level by probes in passes of all ranks: the probes of all of them are
// delivered, then the claims, and then the next pass begins.
func (b *bulk[L]) probe() {
	b.Team.Run(b.openWorker)
	ask := func(t int) { b.askWorker(&b.workers[t], b.pass) }
	nothing := func(int) {}
	for b.pass = 0; !b.failed(); b.pass++ {
		b.exchanged(backward, ask, nothing)
		b.exchanged(forward, b.answerWorker, nothing)
		if b.failed() || b.asking() == 0 {
			break
		}
	}
	b.Team.Run(b.bookWorker)
}

func (b *bulk[L]) postProbe(w *worker[L], u L, v uint32) { b.post(w, uint64(u), w.number(v)) }

// answerWorker answers the probes for vertices in the frontier.
func (b *bulk[L]) answerWorker(t int) {
	w := &b.workers[t]
	for _, probes := range b.held[t] {
		first, _ := b.Parts.Rank(probes.from)
		for _, e := range probes.edges {
			if u := uint32(e >> 32); b.inFrontier(u) {
				b.post(w, first+e&math.MaxUint32, u)
			}
		}
	}
	b.held[t] = b.held[t][:0]
}

// asking is the number of vertices of all ranks that have not looked at all their
// neighbours.
func (b *bulk[L]) asking() uint64 {
	sum := []uint64{0}
	for t := range b.workers {
		sum[0] += uint64(len(b.workers[t].queue))
	}
	if err := rank.Reduced(b.Comm, rank.Sum, sum); err != nil {
		b.fail(err)
	}
	return sum[0]
}
