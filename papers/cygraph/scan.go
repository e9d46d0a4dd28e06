package cygraph

import "math/bits"

// Betkaoui is the design of Betkaoui et al. (2012), with which the paper compares
// CyGraph. The CyGraph paper says that it is level-synchronous and loops over all
// vertices sequentially on every level; it gives no other detail. This model fills the
// gaps in favour of the earlier design:
//
//  1. P1 reads the bitmap of the current level and clears words that are not zero.
//  2. The loop tests one vertex after another, Options.Loop of them a cycle on each FPGA.
//     Vertices of the bitmap go on: P1 reads both ends of their rows, as algorithm 1 does.
//  3. P2 reads the entries of the row.
//  4. P3 reads the word of the visited bitmap in which an entry has its bit.
//  5. P4 tests the bit. If clear, P4 sets it, sets the bit in the bitmap of the next
//     level, and writes the visited word: three writes. The memory sets a bit with one
//     request, without a race.
//
// Memory, port, FIFOs and the ring are those of CyGraph. The token counts the updates of
// a level; a level without any is the last. Vertices are dealt out to the kernels in
// turn, and each kernel has the bits of its own vertices in words of its own.
const Betkaoui = "betkaoui"

// scanning is the state of a kernel of Betkaoui's design; it stays zero in CyGraph.
type scanning struct {
	interval uint64 // cycles from one test of the loop to the next

	word    uint64 // bits of the oldest bitmap word that the loop has not reached
	holding bool
	base    uint32 // bitmap index of the word's first bit
	at      int    // bits of the word that the loop has passed
	due     uint64 // the cycle in which the loop reaches a set bit or the end of the word
	clear   uint64 // address of a word to clear, plus one
	reached uint64 // words that the loop has taken

	vertices fifo[uint32] // vertices of the current level
	second   bool         // the first end of the oldest vertex's row was requested
	ends     lane         // both ends of rows
	written  int          // writes made for the oldest claim
}

func newScanning(o Options) scanning {
	if o.Design != Betkaoui {
		return scanning{}
	}
	return scanning{interval: uint64(o.Kernels / o.FPGAs / o.Loop), vertices: newFIFO[uint32](o.Depth), ends: newLane(o.Depth)}
}

func (s *scanning) emptied() scanning {
	return scanning{interval: s.interval, vertices: s.vertices.emptied(), ends: s.ends.emptied()}
}

func (s *scanning) idle() bool {
	return !s.holding && s.clear == 0 && s.vertices.empty() && s.ends.empty()
}

// wake returns the first cycle in which the loop or a response has something to do.
func (s *scanning) wake() uint64 {
	if s.holding && !s.vertices.full() {
		return min(s.due, s.ends.due())
	}
	return s.ends.due()
}

// bit returns the word of a vertex in a bitmap, relative to its start, and the bit.
func (im *image) bit(v uint32, kernels int) (word, mask uint64) {
	index := v / uint32(kernels)
	return uint64(v)%uint64(kernels)*im.share + uint64(index/64), 1 << (index % 64)
}

// beginScan starts a level of Betkaoui's design.
func (k *kernel) beginScan() {
	im := &k.m.image
	k.index, k.length, k.scan.reached = 0, im.share, 0
	k.source = im.frontierAt[k.level&1] + uint64(k.id)*im.share
	k.target = im.frontierAt[(k.level+1)&1]
}

// stepScan simulates one cycle of Betkaoui's design.
func (k *kernel) stepScan(open bool, r room) (moved bool) {
	s := &k.scan
	claimable := k.checkBit(r, &moved)
	granted := open
	switch {
	case !open:
	case claimable:
		k.mark()
	case r.rows && k.ids.some():
		k.fetchBit()
	case k.left > 0 && k.ids.room(1):
		k.fetchEntries()
	case !s.vertices.empty() && s.ends.room(1):
		k.fetchEnd()
	case s.clear > 0 && r.write:
		k.writeWord(s.clear-1, 0)
		s.clear = 0
	case k.index < k.length && r.words:
		k.read(&k.words, k.source+k.index, 1)
		k.index++
	default:
		granted = false
	}
	if k.left == 0 && s.ends.arrived-s.ends.popped >= 2 {
		k.load(s.ends.pop())
		s.ends.pop() // the other end says what the count of a row word says
		moved = true
	}
	return k.loop() || moved || granted
}

// loop tests the next vertex, or takes the next word of the bitmap.
func (k *kernel) loop() bool {
	s := &k.scan
	switch {
	case !s.holding && s.clear == 0 && k.words.some():
		s.word, s.holding, s.at = k.words.pop(), true, 0
		s.base = uint32(s.reached) * 64
		if s.word != 0 {
			s.clear = k.source + s.reached + 1
		}
		s.reached++
		s.due = k.m.now + 1
	case s.holding && k.m.now >= s.due && !s.vertices.full():
		if s.word == 0 {
			s.holding = false
			return true
		}
		s.vertices.push((s.base+uint32(bits.TrailingZeros64(s.word)))*uint32(k.m.Kernels) + uint32(k.id))
		s.word &= s.word - 1
	default:
		return false
	}
	next := bits.TrailingZeros64(s.word) // 64 at the end of the word
	s.due = max(s.due, k.m.now) + uint64(next-s.at)*s.interval
	s.at = next
	return true
}

// fetchEnd reads one end of a vertex's row, and then the other.
func (k *kernel) fetchEnd() {
	s := &k.scan
	k.read(&s.ends, k.m.rowsAt+uint64(*s.vertices.head()), 1)
	if s.second = !s.second; !s.second {
		s.vertices.pop()
	}
}

// fetchBit is P3: it reads the visited bit of an entry.
func (k *kernel) fetchBit() {
	id, l := k.takeID()
	k.walks[k.rows.issued&k.rows.mask] = walk{id, l.origin}
	word, _ := k.m.bit(id, k.m.Kernels)
	k.read(&k.rows, k.m.visitedAt+word, 1)
	k.m.tally.Examined++
}

// checkBit drops a visited entry, or tells whether the oldest can be marked.
func (k *kernel) checkBit(r room, moved *bool) bool {
	if !r.head {
		return false
	}
	if _, mask := k.m.bit(k.oldest().id, k.m.Kernels); r.row&mask != 0 {
		k.rows.pop()
		*moved = true
		return false
	}
	return r.write
}

// mark is P4: it makes one of the three writes of an update.
func (k *kernel) mark() {
	e := k.oldest()
	word, mask := k.m.bit(e.id, k.m.Kernels)
	switch k.scan.written {
	case 0:
		k.writeWord(k.m.visitedAt+word, mask)
		k.port.set = true
	case 1:
		k.writeWord(k.target+word, mask)
		k.port.set = true
	default:
		k.writeWord(k.m.statusAt+uint64(e.id), visitedWord(e.origin, k.level))
		k.port.visit = true
		k.rows.pop()
		k.demand++
		k.m.tally.Pushed++
		k.scan.written = -1
	}
	k.scan.written++
}
