package grid

import "errors"

// The columns of a block are made of its rows, by a band of these on each thread. A thread
// searches columns of its own band only; a device has one set of columns, to which all
// bands add.

// fillBands makes the columns of every band.
func (m *machine) fillBands() error {
	errs := make([]error, len(m.bands))
	m.Team.Run(func(t int) {
		b := &m.bands[t]
		counts := m.countColumns(b)
		if b.columns, errs[t] = newSparseRows(counts, wholeLap, &m.Memory); errs[t] == nil {
			clear(counts)
			m.placeColumns(b, &b.columns, counts)
		}
	})
	return errors.Join(errs...)
}

// fillColumns makes the columns of the whole block.
func (m *machine) fillColumns() (err error) {
	filled := make([][]uint32, len(m.bands)) // for each band, entries of a column before its own
	m.Team.Run(func(t int) { filled[t] = m.countColumns(&m.bands[t]) })
	counts := make([]uint32, m.numbered())
	m.Team.For(m.numbered(), countGrain, func(_ int, lo, hi int64) {
		for u := lo; u < hi; u++ {
			for _, of := range filled {
				of[u], counts[u] = counts[u], counts[u]+of[u]
			}
		}
	})
	if m.block.columns, err = newSparseRows(counts, wholeLap, &m.Memory); err != nil {
		return err
	}
	m.Team.Run(func(t int) { m.placeColumns(&m.bands[t], &m.block.columns, filled[t]) })
	return nil
}

// countGrain is the number of columns whose counts a thread adds up at a time.
const countGrain = 1 << 14

// countColumns counts the entries of each column in the rows of a band.
func (m *machine) countColumns(b *band) []uint32 {
	counts := make([]uint32, m.numbered())
	for v, end := m.rowsOf(b); v < end; v++ {
		for _, u := range m.block.rows.row(v) {
			counts[u]++
		}
	}
	return counts
}

// placeColumns adds the rows of a band to columns that have so many entries already.
func (m *machine) placeColumns(b *band, columns *sparseRows, filled []uint32) {
	for v, end := m.rowsOf(b); v < end; v++ {
		for _, u := range m.block.rows.row(v) {
			column := columns.index(u>>6, u&63)
			columns.entries[columns.offset(column)+int64(filled[u])] = v
			filled[u]++
		}
	}
}

func (m *machine) rowsOf(b *band) (first, end uint32) {
	return uint32(min(64*b.lo, int64(m.count))), uint32(min(64*b.hi, int64(m.count)))
}
