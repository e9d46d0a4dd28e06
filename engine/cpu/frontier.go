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

// needFront fills the bitmap front with the frontier, if it is not there yet.
func (m *machine) needFront() {
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
