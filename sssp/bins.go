package sssp

import (
	"math"
	"slices"
)

// bin is the number of the bin of a distance. It rises with the distance.
func (m *queues[D]) bin(far D) int64 { return int64(min(float64(far)*m.perBin, 1<<52)) }

// add puts a vertex into a bin.
func (m *queues[D]) add(me *queueWorker[D], far D, slot uint32) {
	me.queued++
	if b := uint64(m.bin(far) - m.first); b < queueBins {
		me.bins[b] = append(me.bins[b], reached[D]{far, slot})
	} else {
		me.later = append(me.later, reached[D]{far, slot})
	}
}

// next moves on to the next bin that has vertices, if there is one.
func (m *queues[D]) next() bool {
	for {
		for ; m.now < m.first+queueBins; m.now++ {
			for i := range m.workers {
				if len(m.workers[i].bins[m.now-m.first]) > 0 {
					return true
				}
			}
		}
		if !m.dealOut() {
			return false
		}
	}
}

// dealOut puts the vertices beyond the last bin into bins, from their least distance on. It
// tells whether there are any.
func (m *queues[D]) dealOut() bool {
	m.first = math.MaxInt64
	for i := range m.workers {
		for _, r := range m.workers[i].later {
			if r.far == m.states[r.slot].far {
				m.first = min(m.first, m.bin(r.far))
			}
		}
	}
	if m.queued = 0; m.first == math.MaxInt64 {
		return false
	}
	m.now = m.first
	for i := range m.workers {
		w := &m.workers[i]
		list := w.later
		w.later, w.queued = list[:0], 0 // each is put back at most once, after it was read
		for _, r := range list {
			if r.far == m.states[r.slot].far {
				m.add(w, r.far, r.slot)
			}
		}
		m.queued += w.queued
	}
	return true
}

// runBin drains a bin.
func (m *queues[D]) runBin() {
	size, at := int64(0), m.now-m.first
	for i := range m.workers {
		w := &m.workers[i]
		w.waiting, w.queued = w.bins[at], 0
		w.lo, w.span = 0, uint32(m.slots())
		size += int64(len(w.waiting))
	}
	if m.alone = size <= m.solo || len(m.workers) == 1; m.alone {
		m.drainShare(0)
	} else {
		m.divide(int(size))
		m.team.Run(m.drain)
	}
	for i := range m.workers {
		m.workers[i].bins[at] = m.workers[i].bins[at][:0]
	}
	m.takeOffers()
	m.queued -= size
	for i := range m.workers {
		m.queued += m.workers[i].queued
	}
}

// takeOffers takes the distances that are offered across borders.
func (m *queues[D]) takeOffers() {
	me := &m.workers[0]
	me.lo, me.span = 0, uint32(m.slots())
	for i := range m.workers {
		w := &m.workers[i]
		for _, o := range w.offers {
			m.reach(me, o.from, o.to, o.far)
		}
		w.offers = w.offers[:0]
	}
}

const (
	// binsPerSample is how many bins are drained with the same borders: a frontier moves by its
	// width meanwhile, at most. With four bins a grid took 1.05 times as long.
	binsPerSample = 16
	// borderSample is the number of vertices in a sample: parts then differ by some percent.
	borderSample = 256
)

// borders divide the slots among the workers.
type borders struct {
	alone  bool     // one worker has all slots
	bins   int      // how many may still be drained with these borders
	splits []uint32 // first slots of all parts but the first
	sample []uint32
}

// divide gives every worker a part of the slots with about as many vertices of the bin.
func (m *queues[D]) divide(size int) {
	if m.bins--; m.bins <= 0 {
		m.bins, m.sample = binsPerSample, m.sample[:0]
		stride := size/borderSample + 1
		for i := range m.workers {
			list := m.workers[i].waiting
			for j := 0; j < len(list); j += stride {
				m.sample = append(m.sample, list[j].slot)
			}
		}
		slices.Sort(m.sample)
		for i := range m.splits {
			m.splits[i] = m.sample[len(m.sample)*(i+1)/len(m.workers)] &^ 63 // no cache line is divided
		}
	}
	lo := uint32(0)
	for i := range m.workers {
		hi := uint32(m.slots())
		if i < len(m.splits) {
			hi = m.splits[i]
		}
		m.workers[i].lo, m.workers[i].span, lo = lo, hi-lo, hi
	}
}

// drainShare drains the vertices of the bin that are in a worker's part.
func (m *queues[D]) drainShare(w int) {
	me, at := &m.workers[w], m.now-m.first
	for i := range m.workers {
		m.push(me, m.partOf(me, m.workers[i].waiting))
	}
	for done := len(me.waiting); done < len(me.bins[at]); {
		list := me.bins[at][done:]
		done += len(list)
		me.queued -= int64(len(list))
		m.push(me, list)
	}
}

// partOf returns the vertices of a list that are in a worker's part. The branch would be
// unpredictable: every entry is copied, and the count advances conditionally.
func (m *queues[D]) partOf(me *queueWorker[D], list []reached[D]) []reached[D] {
	if m.alone {
		return list
	}
	me.mine = slices.Grow(me.mine[:0], len(list)+1)
	mine, count := me.mine[:len(list)+1], 0
	for _, r := range list {
		mine[count] = r
		if r.slot-me.lo < me.span {
			count++
		}
	}
	return mine[:count]
}
