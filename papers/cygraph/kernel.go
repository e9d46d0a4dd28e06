package cygraph

// A kernel is a pipeline of four processes with one memory port and one station on
// the ring. All fields are registers: a cycle reads the values of the previous cycle.
type kernel struct {
	m  *machine
	id int

	// The current level.
	level  uint32 // level number of the vertices that it finds
	up     bool   // the level runs bottom-up
	length uint64 // words that P1 reads, by all kernels together
	source uint64 // address of the first of them
	target uint64 // address of the next queue

	index uint64 // P1: the next slot to read
	words lane   // row words for P2

	at, left uint32 // P2: the next entry of the list, and how many remain
	origin   uint32 // P2: origin of vertices that are found through this list
	ids      lane   // words of entries for P3
	lists    fifo[list]

	taken uint32 // P3: entries of the oldest list that it has requested
	rows  lane   // row words for P4
	walks []walk // edges of the elements of rows

	rest  list         // P4: rest of a row that is being split
	asked verdict      // P4: the filter's answer about the oldest row
	next  fifo[uint64] // words for the next queue

	demand uint32      // elements of next without a reserved slot
	held   reservation // the reservation in use
	given  reservation // a reservation made in this cycle, valid from the next on

	flushing bool // the memory port has taken the flush of this level
	flushed  bool // and has answered it: the kernel is idle

	probe probing  // state of bottom-up levels
	scan  scanning // state of Betkaoui's design

	port   request
	p2Turn bool   // P3 had the port last, so with Turns P2 has priority
	openAt uint64 // the first cycle in which the multiplexer may grant again
	seq    uint64 // number of requests sent to the memory
	writes lane   // acknowledgements under way

	wake uint64 // nothing can happen before this cycle, unless the token arrives
}

// A list is a piece of a row.
type list struct {
	at, count uint32
	origin    uint32
}

// A reservation is a number of slots of the next queue from some slot on.
type reservation struct {
	slot  uint64
	slots uint32
}

// A walk goes along one edge, from the list with this origin to a vertex.
type walk struct {
	id, origin uint32
}

// A request is what the port's register holds.
type request struct {
	valid   bool
	write   bool
	flush   bool  // the port is asked to answer when all writes are acknowledged
	visit   bool  // the write is a visited word
	set     bool  // the write sets bits and leaves the others
	lane    *lane // where the response goes
	words   int
	address uint64
	data    uint64
}

func newKernel(m *machine, id int) kernel {
	d := m.Depth
	return kernel{
		m: m, id: id, wake: never,
		words: newLane(d), ids: newLane(d), rows: newLane(d), writes: newLane(d),
		lists: newFIFO[list](d), next: newFIFO[uint64](d), walks: make([]walk, d),
		probe: newProbing(m.Options), scan: newScanning(m.Options),
	}
}

// reset empties the FIFOs and sets every register back.
func (k *kernel) reset() {
	*k = kernel{
		m: k.m, id: k.id, wake: never,
		words: k.words.emptied(), ids: k.ids.emptied(), rows: k.rows.emptied(), writes: k.writes.emptied(),
		lists: k.lists.emptied(), next: k.next.emptied(), walks: k.walks,
		probe: k.probe.emptied(), scan: k.scan.emptied(),
	}
}

// begin starts a level; the queue of the first level holds only the root.
func (k *kernel) begin(first bool, length uint64, up bool) {
	k.level++
	if first {
		k.level = 2
	}
	k.up, k.length, k.index = up, length, uint64(k.id)
	k.flushed = false
	k.source, k.target = k.m.queue(k.level), k.m.queue(k.level+1)
	if up {
		k.source, k.length = k.m.rowsAt, uint64(k.m.vertices)
		k.probe.begin(k.id)
	}
	if k.m.Design == Betkaoui {
		k.beginScan()
	}
	k.wake = k.m.now + 1
}

// done tells whether every process has finished what the one before it has: each has
// processed as many items as were issued to it. A kernel whose words wait for a
// reservation is not done: they are in next.
func (k *kernel) done() bool {
	return k.index >= k.length && k.words.empty() && k.left == 0 && k.ids.empty() &&
		k.rows.empty() && k.rest.count == 0 && k.next.empty() && k.probe.live == 0 && k.scan.idle()
}

// passToken updates the token as it passes the kernel: it reserves a slot for every word
// in next, unless an earlier reservation is still in use.
func (k *kernel) passToken(t *token) {
	t.idle = t.idle && k.flushed
	if k.m.Design == Betkaoui {
		t.count += k.demand
		k.demand = 0
	}
	if k.wantsSlots() {
		k.given = reservation{uint64(t.count), k.demand}
		t.count += k.demand
		k.demand = 0
	}
}

func (k *kernel) wantsSlots() bool { return k.held.slots == 0 && k.demand > 0 }

// applyReservation makes a new reservation valid at the end of the cycle.
func (k *kernel) applyReservation() {
	if k.given.slots > 0 {
		k.held, k.given = k.given, reservation{}
		k.wake = k.m.now + 1
	}
}

// step simulates one cycle. Decisions depend on the state at the start of the cycle; a
// response that arrives in this cycle is visible in the next one.
func (k *kernel) step() {
	m := k.m
	done := k.done()
	moved := k.answerFlush()
	moved = k.send() || moved
	open := !k.port.valid && m.now >= k.openAt
	r := k.look()
	switch {
	case m.Design == Betkaoui:
		moved = k.stepScan(open, r) || moved
	case k.up:
		moved = k.stepUp(open, r) || moved
	default:
		moved = k.stepDown(open, r) || moved
	}
	if done && open && !k.flushing && !k.flushed {
		k.port = request{valid: true, flush: true}
		k.openAt = m.now + uint64(m.Pace)
	}
	moved = k.receive() || moved
	switch {
	case moved || k.port.valid || m.now < k.openAt || k.asked == refused:
		k.wake = m.now + 1
	default:
		k.wake = min(k.words.due(), k.ids.due(), k.rows.due(), k.writes.due(), k.scan.wake())
	}
}

// A room is the state at the start of a cycle that decisions depend on.
type room struct {
	words, rows, next, write bool // the FIFO has room
	cutting                  bool // P4 is splitting a row
	asked                    verdict
	head                     bool   // rows is not empty
	row                      uint64 // the oldest of rows
}

func (k *kernel) look() room {
	r := room{
		words: k.words.room(1), rows: k.rows.room(1), next: !k.next.full(), write: k.writes.room(1),
		cutting: k.rest.count > 0, asked: k.asked, head: k.rows.some(),
	}
	if r.head {
		r.row = k.rows.head()
	}
	return r
}
