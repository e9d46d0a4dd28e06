package cygraph

// In a bottom-up level every vertex that was not visited looks among its neighbours
// for one of the previous level. The same four processes and the same port do it:
//
//  1. P1 reads the row words themselves, in order, instead of the queue.
//  2. P2 drops visited and empty rows. Of the others it reads a chunk of the list.
//  3. P3 reads the row words of the chunk.
//  4. P4 stops at the first of them that was visited in the previous level: it visits
//     the vertex, with the index of that entry as origin, and pushes its word. If the
//     chunk ends without one, the row goes back to P2 through a FIFO, for a chunk
//     twice as long.
//
// A row belongs to one kernel, so no vertex is found twice. At most Depth rows are
// under way in a kernel, so the FIFO of returning rows always has room. Bottom-up
// levels push the same words as top-down ones, so the next level can run in either
// direction.
type probing struct {
	depth  int
	stride uint32
	vertex uint32 // label of the next word that P1 delivers
	live   int    // rows that P2 has started and P4 has not finished

	chunk    pending       // the row and chunk that P2 is reading
	pending  fifo[pending] // rows that return to P2
	lists    fifo[pending] // rows of the elements of kernel.lists
	edges    []probe       // probes of the elements of kernel.rows
	finished bool          // a parent was found: the rest of the oldest chunk is skipped
}

// A pending row is a row of which P2 reads a chunk.
type pending struct {
	vertex       uint32
	first, count uint32 // fields of the row word
	end          uint32 // end of the chunk
}

// A probe is an entry of a pending row, whose row word P3 has requested.
type probe struct {
	pending
	at uint32 // index of the entry
}

// longestChunk is the most entries that P2 reads at a time. It limits how many are read
// in vain after the entry that names a parent.
const longestChunk = 64

func newProbing(o Options) probing {
	if !o.BottomUp {
		return probing{}
	}
	return probing{
		depth: o.Depth, stride: uint32(o.Kernels),
		pending: newFIFO[pending](o.Depth), lists: newFIFO[pending](o.Depth), edges: make([]probe, o.Depth),
	}
}

func (p *probing) emptied() probing {
	return probing{
		depth: p.depth, stride: p.stride,
		pending: p.pending.emptied(), lists: p.lists.emptied(), edges: p.edges,
	}
}

func (p *probing) begin(kernel int) { p.vertex = uint32(kernel) }

// stepUp is one cycle of the pipeline on a bottom-up level.
func (k *kernel) stepUp(open bool, r room) (moved bool) {
	returned := !k.probe.pending.empty()
	claimable := k.checkProbe(r, &moved)
	list := k.left > 0 && k.ids.room(k.m.beats)
	granted := open
	switch {
	case !open:
	case claimable:
		k.claimProbed()
	case k.held.slots > 0 && r.write:
		k.enqueue()
	case r.rows && k.ids.some() && !(list && k.yields()):
		k.fetchProbe()
	case list:
		k.fetchEntries()
		k.probe.lists.push(k.probe.chunk)
	case k.index < k.length && r.words:
		k.dequeue()
	default:
		granted = false
	}
	if k.left == 0 && k.loadPending(returned) {
		moved = true
	}
	return moved || granted
}

// loadPending gives P2 its next chunk: of a row that returned from P4, else of a new
// row.
func (k *kernel) loadPending(returned bool) bool {
	p := &k.probe
	switch {
	case returned:
		k.start(p.pending.pop())
		return true
	case !k.words.some() || p.live == p.depth:
		return false
	}
	word, vertex := k.words.pop(), p.vertex
	p.vertex += p.stride
	if count := rowCount(word); word&1 == 0 && count > 0 {
		first := wordOrigin(word)
		p.live++
		k.start(pending{vertex: vertex, first: first, count: count, end: first})
	}
	return true
}

// start makes a row's next chunk P2's list: at least the entries of one request, and
// as many as were read of the row before.
func (k *kernel) start(row pending) {
	k.at = row.end
	length := max(uint32(k.m.Burst)-k.at&uint32(k.m.Burst-1), min(row.end-row.first, longestChunk))
	row.end = min(row.end+length, row.first+row.count)
	k.left = row.end - k.at
	k.probe.chunk = row
}

// fetchProbe is P3 on a bottom-up level.
func (k *kernel) fetchProbe() {
	p := &k.probe
	row, at := *p.lists.head(), k.lists.head().at+k.taken
	id, _ := k.takeID()
	if k.taken == 0 {
		p.lists.pop()
	}
	p.edges[k.rows.issued&k.rows.mask] = probe{row, at}
	k.read(&k.rows, k.m.rowsAt+uint64(id), 1)
	k.p2Turn = true
	k.m.tally.Examined++
}

// checkProbe is the part of P4 that needs no memory request. It tells whether the
// oldest row names a parent, which claimProbed then writes.
func (k *kernel) checkProbe(r room, moved *bool) bool {
	p := &k.probe
	if r.cutting {
		if r.next {
			k.cut()
			*moved = true
		}
		return false
	}
	if !r.head {
		return false
	}
	e := &p.edges[k.rows.popped&k.rows.mask]
	if !p.finished && r.row&1 == 1 && wordLevel(r.row) == k.level-1 {
		return r.write && r.next
	}
	k.rows.pop()
	*moved = true
	if e.at+1 < e.end {
		return false
	}
	switch {
	case p.finished:
		p.finished = false
	case e.end == e.first+e.count:
		p.live--
	default:
		p.pending.push(e.pending)
	}
	return false
}

// claimProbed visits the vertex whose neighbour is the oldest row.
func (k *kernel) claimProbed() {
	p := &k.probe
	e := p.edges[k.rows.popped&k.rows.mask]
	k.rows.pop()
	p.live--
	p.finished = e.at+1 < e.end
	k.writeWord(k.m.rowsAt+uint64(e.vertex), visitedWord(e.at, k.level))
	k.port.visit = true
	k.rest = list{at: e.first, count: e.count}
	k.cut()
}

// A policy chooses the direction of the next level.
type policy struct {
	up        bool
	unvisited int64 // vertices with neighbours that were not visited
}

func newPolicy(m *machine, length uint64) policy {
	return policy{unvisited: m.connected - int64(min(length, 1))}
}

// choose compares the numbers of memory requests. A top-down level reads, for every
// entry of the next queue's words, a row word and a share of a burst of entries. A
// bottom-up level reads every row word, and makes for each unvisited vertex about two
// probes of two reads. Visiting a vertex costs the same in both directions. In
// hardware the token carries the sum of the counts beside the number of slots.
func (p *policy) choose(m *machine, length uint64) {
	p.unvisited -= m.tally.Found
	down := float64(m.tally.ahead)*(1+1/float64(m.Burst)) + float64(length)
	up := float64(m.vertices) + 4*float64(p.unvisited)
	p.up = m.BottomUp && up < down
}
