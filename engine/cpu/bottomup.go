package cpu

import "math/bits"

// bottomUpGrain is how many words of the visited bitmap, 64 vertices each, a
// worker takes at a time.
const bottomUpGrain = 64

// bottomUp looks from every unvisited vertex for a neighbour in the frontier. A
// worker owns whole words of the bitmaps, so that nothing here is atomic.
func (m *machine) bottomUp() {
	m.wantFront()
	m.parallel(int64(len(m.visited)), m.bottomUpWorker)
	m.front, m.next = m.next, m.front
	m.hasQueue, m.hasFront = false, true
}

func (m *machine) bottomUpWorker(id int) {
	me := &m.workers[id]
	for {
		lo := m.cursor.Add(bottomUpGrain) - bottomUpGrain
		if lo >= int64(len(m.visited)) {
			return
		}
		for w := lo; w < min(lo+bottomUpGrain, int64(len(m.visited))); w++ {
			found := m.bottomUpWord(w, me)
			m.next[w] = found
			m.visited[w] |= found
			me.found += int64(bits.OnesCount64(found))
		}
	}
}

// bottomUpWord returns the bits of the vertices of word w that found a parent.
func (m *machine) bottomUpWord(w int64, me *worker) (found uint64) {
	for open := ^m.visited[w]; open != 0; open &= open - 1 {
		bit := bits.TrailingZeros64(open)
		v := uint32(w)<<6 + uint32(bit)
		if p, ok := m.findParent(v, me); ok {
			m.parents[v] = p
			me.edges += m.graph.Degree(v)
			found |= 1 << bit
		}
	}
	return found
}

// findParent returns the first neighbour of v that is in the frontier.
func (m *machine) findParent(v uint32, me *worker) (uint32, bool) {
	me.examined++
	if head := m.graph.Head[v]; m.front.Has(uint64(head)) {
		return head, true
	}
	row := m.graph.Row(v)
	for i, u := range row[1:] {
		if m.front.Has(uint64(u)) {
			me.examined += int64(i) + 1
			return u, true
		}
	}
	me.examined += int64(len(row)) - 1
	return 0, false
}

// wantFront makes the frontier available as a bitmap.
func (m *machine) wantFront() {
	if m.hasFront {
		return
	}
	m.front.Clear()
	for _, v := range m.queue {
		m.front.Add(uint64(v))
	}
	m.hasFront = true
}
