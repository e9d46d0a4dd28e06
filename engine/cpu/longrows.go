package cpu

import "slices"

// cutRows numbers the pieces of the long rows.
func (m *machine) cutRows() {
	m.cuts = append(m.cuts[:0], 0)
	for i, v := range m.heavy[:m.heavies.Load()] {
		m.cuts = append(m.cuts, m.cuts[i]+(m.graph.Out.Degree(v)+heavyRow-1)/heavyRow)
	}
}

// pieceWorker reads pieces of long rows.
func (m *machine) pieceWorker(id int) {
	me := &m.workers[id]
	for {
		for ; me.share.lo < me.share.hi; me.share.lo++ {
			if v, row := m.piece(me.share.lo); !m.collect(v, row, me) {
				return
			}
		}
		var ok bool
		if me.share.lo, me.share.hi, ok = m.claim(m.cuts[len(m.cuts)-1], 4); !ok {
			me.share = work{}
			return
		}
	}
}

// piece returns the piece of that number, and the vertex whose row it is from.
func (m *machine) piece(number int64) (v uint32, row []uint32) {
	i, _ := slices.BinarySearch(m.cuts, number+1)
	v = m.heavy[i-1]
	row = m.graph.Out.Row(v)[(number-m.cuts[i-1])*heavyRow:]
	return v, row[:min(heavyRow, len(row))]
}
