package cygraph

// A bottom-up level turns the question round: every vertex that was not visited
// looks among its neighbours for one of the level before. The same four
// processes and the same port do it:
//
//  1. P1 reads the row words themselves, in order, instead of the queue.
//  2. P2 drops visited and empty rows. Of the others it reads a chunk of the list.
//  3. P3 reads the row words of the chunk.
//  4. P4 stops at the first of them that has the level before: it visits the
//     vertex, with the place of that entry as origin, and pushes its word. If
//     the chunk ends without one, the row goes back to P2 through a FIFO, for a
//     chunk twice as long.
//
// A row belongs to one kernel, so nothing is found twice. At most Depth rows are
// under way in a kernel, so the FIFO of returning rows always has room. The
// words that bottom-up levels push make a queue like any other: the next level
// can run either way.
type probing struct {
	depth  int
	stride uint32
	vertex uint32 // the label of the next word that P1 delivers
	live   int    // rows taken up by P2 and not settled by P4

	chunk   pending // what P2 is reading
	pending fifo[pending]
	lists   fifo[pending] // beside kernel.lists
	edges   []probe       // beside kernel.walks
	settled bool          // the rest of the oldest chunk is of no interest
}

// A pending row is one that P2 reads a chunk of.
type pending struct {
	vertex       uint32
	first, count uint32 // its word
	end          uint32 // of the chunk
}

// A probe is an entry of a pending row whose word P3 has asked for.
type probe struct {
	pending
	at uint32
}

// longestChunk bounds what is read in vain after a hit.
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

// loadPending gives P2 its next chunk: of a row that came back, else of a new one.
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

// start makes a row's next chunk P2's list: at least what one request brings,
// and as much again as was read before.
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
	k.turn = true
	k.m.tally.Examined++
}

// checkProbe is the part of P4 that needs no memory. It tells whether the oldest
// row wants to be claimed.
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
	if !p.settled && r.row&1 == 1 && wordLevel(r.row) == k.level-1 {
		return r.write && r.next
	}
	k.rows.pop()
	*moved = true
	if e.at+1 < e.end {
		return false
	}
	switch {
	case p.settled:
		p.settled = false
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
	p.settled = e.at+1 < e.end
	k.writeWord(k.m.rowsAt+uint64(e.vertex), visitedWord(e.at, k.level))
	k.port.visit = true
	k.rest = list{at: e.first, count: e.count}
	k.cut()
}

// A policy decides which way the next level runs.
type policy struct {
	up        bool
	unvisited int64 // vertices, of those that have neighbours
}

func newPolicy(m *machine, length uint64) policy {
	return policy{unvisited: m.connected - int64(min(length, 1))}
}

// choose compares requests. Top-down takes, for every entry of the next queue's
// words, a read of its row and its share of a read of entries. Bottom-up takes a
// read of every row word, and for a vertex not visited yet about two probes of
// two reads. What is found costs the same either way. In hardware the token
// carries the sum of the counts beside the number of slots.
func (p *policy) choose(m *machine, length uint64) {
	p.unvisited -= m.tally.Found
	down := float64(m.tally.ahead)*(1+1/float64(m.Burst)) + float64(length)
	up := float64(m.vertices) + 4*float64(p.unvisited)
	p.up = m.BottomUp && up < down
}
