package cpu

import (
	"math/bits"
)

// convertGrain is how many words of a bitmap a worker claims at a time; of a queue,
// it claims 64 times as many entries.
const convertGrain = 512

// needQueue fills the queue with the frontier, if it is not there yet.
func (m *machine) needQueue() {
	m.joinParts()
	if m.hasQueue {
		return
	}
	m.queueEnd.Store(0)
	m.queue = m.queue[:cap(m.queue)]
	m.run(m.phases.fillQueue)
	m.counts.maps++
	m.queue = m.queue[:m.queueEnd.Load()]
	m.hasQueue = true
}

func (m *machine) fillQueueWorker(int) {
	for {
		lo, hi, ok := m.claim(int64(len(m.front)), convertGrain)
		if !ok {
			return
		}
		words := m.front[lo:hi]
		count := words.Count()
		out := m.queue[m.queueEnd.Add(count)-count:]
		k := 0
		for i, w := range words {
			for ; w != 0; w &= w - 1 {
				out[k] = uint32(lo+int64(i))<<6 + uint32(bits.TrailingZeros64(w))
				k++
			}
		}
	}
}

// savedShare is the number of row entries of a frontier, for each word of the bitmaps, from which
// a top-down level saves the visited set. A bottom-up level may come next, and wants a bitmap.
const savedShare = 4

// saveVisited copies the visited set of before a large level to next. With it a bitmap of what
// the level finds takes a pass over words in order instead of an atomic operation for each vertex.
func (m *machine) saveVisited() {
	if m.saved = m.state.Edges > savedShare*int64(len(m.visited)); m.saved {
		m.team.Run(m.phases.save)
	}
}

// needFront fills the bitmap front with the frontier, if it is not there yet.
func (m *machine) needFront() {
	if m.saved {
		m.team.Run(m.phases.difference)
		m.hasFront, m.saved = true, false
		m.counts.maps++
		return
	}
	m.joinParts()
	if m.hasFront {
		return
	}
	m.front.Clear()
	m.counts.maps++
	if len(m.queue) < 64*convertGrain {
		for _, v := range m.queue {
			m.front.Add(uint64(v))
		}
	} else {
		m.run(m.phases.fillFront)
	}
	m.hasFront = true
}

func (m *machine) saveWorker(id int) {
	me := &m.workers[id]
	copy(m.next[me.lo:me.hi], m.visited[me.lo:me.hi])
}

func (m *machine) differenceWorker(id int) {
	me := &m.workers[id]
	for w := me.lo; w < me.hi; w++ {
		m.front[w] = m.visited[w] &^ m.next[w]
	}
}

func (m *machine) fillFrontWorker(int) {
	for {
		lo, hi, ok := m.claim(int64(len(m.queue)), 64*convertGrain)
		if !ok {
			return
		}
		for _, v := range m.queue[lo:hi] {
			m.front.Or(uint64(v))
		}
	}
}
