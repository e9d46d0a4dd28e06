package cpu

import (
	"math/bits"
)

// convertGrain is how many words of a bitmap, or 64 times as many entries of a
// queue, a worker takes at a time.
const convertGrain = 512

// wantQueue makes the frontier available as a list.
func (m *machine) wantQueue() {
	if m.hasQueue {
		return
	}
	m.tail.Store(0)
	m.queue = m.queue[:cap(m.queue)]
	m.run(m.phases.list)
	m.queue = m.queue[:m.tail.Load()]
	m.hasQueue = true
}

func (m *machine) listWorker(int) {
	for {
		lo, hi, ok := m.claim(int64(len(m.front)), convertGrain)
		if !ok {
			return
		}
		words := m.front[lo:hi]
		count := words.Count()
		out := m.queue[m.tail.Add(count)-count:]
		k := 0
		for i, w := range words {
			for ; w != 0; w &= w - 1 {
				out[k] = uint32(lo+int64(i))<<6 + uint32(bits.TrailingZeros64(w))
				k++
			}
		}
	}
}

// wantFront makes the frontier available as a bitmap.
func (m *machine) wantFront() {
	if m.hasFront {
		return
	}
	m.front.Clear()
	if len(m.queue) < 64*convertGrain {
		for _, v := range m.queue {
			m.front.Add(uint64(v))
		}
	} else {
		m.run(m.phases.mark)
	}
	m.hasFront = true
}

func (m *machine) markWorker(int) {
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
