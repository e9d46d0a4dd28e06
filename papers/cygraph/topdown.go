package cygraph

// stepDown simulates one cycle of the published pipeline. The first of P4, P3, P2 and
// P1 that has a request gets the port.
func (k *kernel) stepDown(open bool, r room) (moved bool) {
	claimable := k.check(r, &moved)
	list := k.left > 0 && k.ids.room(k.m.beats)
	granted := open
	switch {
	case !open:
	case claimable:
		k.claim(r.row)
	case k.held.slots > 0 && r.write:
		k.enqueue()
	case r.rows && k.ids.some() && !(list && k.yields()):
		k.fetchRow()
	case list:
		k.fetchEntries()
	case k.index < k.length && r.words:
		k.dequeue()
	default:
		granted = false
	}
	if k.left == 0 && k.words.some() {
		k.load(k.words.pop())
		moved = true
	}
	return moved || granted
}

// yields tells whether P3 leaves the port to P2.
func (k *kernel) yields() bool { return k.m.Turns && k.p2Turn }

// dequeue is P1: it reads a word of the current queue.
func (k *kernel) dequeue() {
	k.read(&k.words, k.source+k.index, 1)
	k.index += uint64(k.m.Kernels)
}

// load gives P2 its next list, in the cycle in which the previous one ends.
func (k *kernel) load(word uint64) {
	k.at, k.left = uint32(word>>32), uint32(word)>>1
	k.origin = k.at
}

// fetchEntries is P2: it reads entries up to the end of the list or of the burst.
func (k *kernel) fetchEntries() {
	burst := uint32(k.m.Burst)
	take := min(k.left, burst-k.at&(burst-1))
	k.lists.push(list{at: k.at, count: take, origin: k.origin})
	k.read(&k.ids, k.m.entriesAt+uint64(k.at/2), int((k.at+take-1)/2-k.at/2+1))
	k.at += take
	k.left -= take
	k.p2Turn = false
}

// fetchRow is P3: it reads the row word of an entry.
func (k *kernel) fetchRow() {
	id, l := k.takeID()
	k.walks[k.rows.issued&k.rows.mask] = walk{id, l.origin}
	k.read(&k.rows, k.m.rowsAt+uint64(id), 1)
	k.p2Turn = true
	k.m.tally.Examined++
}

// takeID unpacks the next entry; a word is popped with its last entry.
func (k *kernel) takeID() (id uint32, from list) {
	from = *k.lists.head()
	at := from.at + k.taken
	id = uint32(k.ids.head() >> (32 * (at & 1)))
	k.taken++
	last := k.taken == from.count
	if last || at&1 == 1 {
		k.ids.pop()
	}
	if last {
		k.lists.pop()
		k.taken = 0
	}
	return id, from
}

// check is the part of P4 that needs no memory request: it drops a visited row and
// splits a long row that was claimed. It tells whether the oldest row can be claimed.
func (k *kernel) check(r room, moved *bool) bool {
	switch {
	case r.cutting:
		if r.next {
			k.cut()
			*moved = true
		}
		return false
	case !r.head:
		return false
	case r.row&1 == 1 || r.asked == known:
		k.rows.pop()
		k.asked = unasked
		*moved = true
		return false
	case k.m.filters != nil && r.asked != fresh:
		k.asked = k.ask(k.oldest().id)
		*moved = *moved || k.asked != refused
		return false
	}
	return r.write && (r.next || rowCount(r.row) == 0)
}

func (k *kernel) oldest() walk { return k.walks[k.rows.popped&k.rows.mask] }

// claim is P4: it writes the visited word to the row, and puts the old word into next.
func (k *kernel) claim(row uint64) {
	e := k.oldest()
	k.rows.pop()
	k.asked = unasked
	k.writeWord(k.m.rowsAt+uint64(e.id), visitedWord(e.origin, k.level))
	k.port.visit = true
	k.rest = list{at: uint32(row >> 32), count: rowCount(row)}
	if k.rest.count > 0 {
		k.cut()
	}
}

// cut puts the next piece of a claimed row into next: the whole row, unless rows are
// split.
func (k *kernel) cut() {
	piece := k.rest.count
	if s := uint32(k.m.Split); s > 0 {
		piece = min(piece, s)
	}
	k.next.push(rowWord(k.rest.at, piece))
	k.demand++
	k.m.tally.ahead += int64(piece)
	k.rest.at += piece
	k.rest.count -= piece
}

// enqueue is P4: it writes a word to its slot. A slot beyond the end of the queue is not
// written; the master sees the overflow in the token.
func (k *kernel) enqueue() {
	word := k.next.pop()
	if k.held.slot < k.m.capacity {
		k.writeWord(k.target+k.held.slot, word)
	}
	k.held.slot++
	k.held.slots--
	k.m.tally.Pushed++
}
