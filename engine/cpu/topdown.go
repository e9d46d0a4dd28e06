package cpu

import (
	"math/bits"
	"sync/atomic"
)

const (
	// batchSize is how many found vertices a worker collects before it claims
	// room in the queue: one contended addition for every 256 vertices.
	batchSize = 256
	// topDownGrain is how many frontier vertices a worker takes at a time.
	topDownGrain = 64
	// convertGrain is how many words of a bitmap a worker takes at a time.
	convertGrain = 512
)

// topDown looks from the frontier to its neighbours. Several workers may reach a
// vertex at once; the one whose atomic operation sets the visited bit keeps it.
func (m *machine) topDown() {
	m.wantQueue()
	m.tail.Store(0)
	m.spare = m.spare[:cap(m.spare)]
	m.parallel(m.state.Edges+m.state.Vertices, m.topDownWorker)
	m.queue, m.spare = m.spare[:m.tail.Load()], m.queue
	m.hasQueue, m.hasFront = true, false
}

func (m *machine) topDownWorker(id int) {
	var (
		me   = &m.workers[id]
		size = 0
	)
	for {
		lo := m.cursor.Add(topDownGrain) - topDownGrain
		if lo >= int64(len(m.queue)) {
			break
		}
		for _, v := range m.queue[lo:min(lo+topDownGrain, int64(len(m.queue)))] {
			row := m.graph.Row(v)
			me.examined += int64(len(row))
			for _, u := range row {
				if atomic.LoadUint64(&m.visited[u>>6])>>(u&63)&1 != 0 || !m.visited.Or(uint64(u)) {
					continue
				}
				m.parents[u] = v
				me.edges += m.graph.Degree(u)
				me.batch[size] = u
				if size++; size == batchSize {
					m.flush(me, size)
					size = 0
				}
			}
		}
	}
	m.flush(me, size)
}

// flush appends the worker's batch to the next queue.
func (m *machine) flush(me *worker, size int) {
	end := m.tail.Add(int64(size))
	copy(m.spare[end-int64(size):end], me.batch[:size])
	me.found += int64(size)
}

// wantQueue makes the frontier available as a list.
func (m *machine) wantQueue() {
	if m.hasQueue {
		return
	}
	m.tail.Store(0)
	m.queue = m.queue[:cap(m.queue)]
	m.parallel(int64(len(m.front)), m.listWorker)
	m.queue = m.queue[:m.tail.Load()]
	m.hasQueue = true
}

func (m *machine) listWorker(int) {
	for {
		lo := m.cursor.Add(convertGrain) - convertGrain
		if lo >= int64(len(m.front)) {
			return
		}
		words := m.front[lo:min(lo+convertGrain, int64(len(m.front)))]
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
