package cygraph

// A kernel is four processes in a row, one memory port and a station on the
// ring. All fields are registers: a cycle reads them as the last one left them.
type kernel struct {
	m  *machine
	id int

	// Of the level.
	level  uint32 // that this level's finds will have
	up     bool   // the level runs bottom-up
	length uint64 // of what P1 reads
	source uint64 // address of it
	target uint64 // address of the next queue

	index uint64 // P1: the next slot to read
	words lane   // row words for P2

	at, left uint32 // P2: the next entry of the list, and how many remain
	origin   uint32 // P2: what a find from this list gets as origin
	ids      lane   // words of entries for P3
	lists    fifo[list]

	taken uint32 // P3: entries of the oldest list already asked for
	rows  lane   // row words for P4
	walks []walk // what P3 asked for, beside the rows

	rest  list         // P4: what remains of a row that is being cut
	asked verdict      // P4: what the filter said about the oldest row
	next  fifo[uint64] // words set aside for the next queue

	demand uint32      // words set aside and not reserved yet
	held   reservation // the one being used
	given  reservation // one made in this cycle, good from the next

	probe probing // in place of P2's list and of walks on bottom-up levels

	port   request
	turn   bool   // P2's turn at the port, P3 having had the last
	openAt uint64 // the first cycle in which the multiplexer may grant again
	seq    uint64 // requests given to the memory
	writes lane   // acknowledgements under way

	wake uint64 // nothing can happen before this cycle, unless the token comes
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
	visit   bool  // the write is that of a row word
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
		probe: newProbing(m.Options),
	}
}

// reset empties the FIFOs and sets every register back.
func (k *kernel) reset() {
	*k = kernel{
		m: k.m, id: k.id, wake: never,
		words: k.words.emptied(), ids: k.ids.emptied(), rows: k.rows.emptied(), writes: k.writes.emptied(),
		lists: k.lists.emptied(), next: k.next.emptied(), walks: k.walks,
		probe: k.probe.emptied(),
	}
}

// begin is what the start of a level does; the first level has only the root in
// its queue.
func (k *kernel) begin(first bool, length uint64, up bool) {
	k.level++
	if first {
		k.level = 2
	}
	k.up, k.length, k.index = up, length, uint64(k.id)
	k.source, k.target = k.m.queue(k.level), k.m.queue(k.level+1)
	if up {
		k.source, k.length = k.m.rowsAt, uint64(k.m.vertices)
		k.probe.begin(k.id)
	}
	k.wake = k.m.now + 1
}

// idle means that nothing is left to do in this level. A word that waits for a
// reservation is in next, so it counts.
func (k *kernel) idle() bool {
	return k.index >= k.length && k.words.empty() && k.left == 0 && k.ids.empty() &&
		k.rows.empty() && k.rest.count == 0 && k.next.empty() && k.writes.empty() && k.probe.live == 0
}

// meet is what a station does with the token: it reserves a slot for every word
// set aside, unless an earlier reservation is still being used.
func (k *kernel) meet(t *token) {
	t.idle = t.idle && k.idle()
	if k.wantsSlots() {
		k.given = reservation{uint64(t.count), k.demand}
		t.count += k.demand
		k.demand = 0
	}
}

func (k *kernel) wantsSlots() bool { return k.held.slots == 0 && k.demand > 0 }

// settle makes the reservation usable at the end of the cycle.
func (k *kernel) settle() {
	if k.given.slots > 0 {
		k.held, k.given = k.given, reservation{}
		k.wake = k.m.now + 1
	}
}

// step is one cycle. Room and the oldest row are taken as they are before
// anything moves; a response of this cycle is seen in the next one.
func (k *kernel) step() {
	m := k.m
	moved := k.send()
	open := !k.port.valid && m.now >= k.openAt
	r := k.look()
	if k.up {
		moved = k.stepUp(open, r) || moved
	} else {
		moved = k.stepDown(open, r) || moved
	}
	moved = k.receive() || moved
	switch {
	case moved || k.port.valid || m.now < k.openAt || k.asked == refused:
		k.wake = m.now + 1
	default:
		k.wake = min(k.words.due(), k.ids.due(), k.rows.due(), k.writes.due())
	}
}

// room is what a cycle may fill, judged at its start.
type room struct {
	words, rows, next, write bool
	cutting                  bool
	asked                    verdict
	head                     bool   // there is an oldest row
	row                      uint64 // it
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
