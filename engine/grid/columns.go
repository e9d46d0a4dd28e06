package grid

import (
	"errors"
	"math/bits"

	"github.com/gohops/hops/internal/base/arena"
)

// The columns of a block are made of its rows, by a band of these on each thread. A thread
// searches columns of its own band only; a device has one set of columns, to which all
// bands add.

// fillBands makes the columns of every band. All ranks of a host do so at the same time,
// so that nothing is made for it beside the columns themselves: their ends are first the
// numbers of entries, and then where the next entry goes.
func (m *machine) fillBands() error {
	errs := make([]error, len(m.bands))
	m.Team.Run(func(t int) { errs[t] = m.fillBand(&m.bands[t]) })
	return errors.Join(errs...)
}

func (m *machine) fillBand(b *band) (err error) {
	if b.columns, err = newWords(m.numbered(), &m.Memory); err != nil {
		return err
	}
	s := &b.columns
	for v, end := m.rowsOf(b); v < end; v++ {
		for _, u := range m.block.rows.row(v) {
			s.full.Add(uint64(u))
			s.first[u>>6]++
		}
	}
	if err = s.sum(mostNarrow, &m.Memory); err != nil {
		return err
	}
	if s.narrow != nil {
		placeBand(m, b, s.narrow)
	} else {
		placeBand(m, b, s.wide)
	}
	return nil
}

// placeBand fills in the entries of the columns of a band, and where each column ends.
func placeBand[E uint16 | uint32](m *machine, b *band, ends []E) {
	s := &b.columns
	first, end := m.rowsOf(b)
	for v := first; v < end; v++ {
		for _, u := range m.block.rows.row(v) {
			ends[s.index(u)]++
		}
	}
	k := 0
	for _, full := range s.full {
		next := E(0)
		for range bits.OnesCount64(full) {
			next, ends[k] = next+ends[k], next
			k++
		}
	}
	for v := first; v < end; v++ {
		for _, u := range m.block.rows.row(v) {
			k := s.index(u)
			s.entries[s.firstOf(u>>6)+int64(ends[k])] = v
			ends[k]++
		}
	}
}

// fillColumns makes the columns of the whole block.
func (m *machine) fillColumns() (err error) {
	filled, errs := make([][]uint32, len(m.bands)), make([]error, len(m.bands)) // for each band, entries of a column before its own
	m.Team.Run(func(t int) { filled[t], errs[t] = m.countColumns(&m.bands[t]) })
	counts, err := arena.Make[uint32](&m.Memory, int(m.numbered()))
	defer func() {
		for _, of := range append(filled, counts) {
			arena.Free(&m.Memory, of)
		}
	}()
	if err := errors.Join(append(errs, err)...); err != nil {
		return err
	}
	m.Team.For(m.numbered(), countGrain, func(_ int, lo, hi int64) {
		for u := lo; u < hi; u++ {
			for _, of := range filled {
				of[u], counts[u] = counts[u], counts[u]+of[u]
			}
		}
	})
	if m.block.columns, err = newRows(counts, mostNarrow, &m.Memory); err != nil {
		return err
	}
	m.Team.Run(func(t int) {
		for v, end := m.rowsOf(&m.bands[t]); v < end; v++ {
			for _, u := range m.block.rows.row(v) {
				m.block.columns.fullRow(u>>6, u&63)[filled[t][u]] = v
				filled[t][u]++
			}
		}
	})
	return nil
}

// countGrain is the number of columns whose counts a thread adds up at a time.
const countGrain = 1 << 14

// countColumns counts the entries of each column in the rows of a band.
func (m *machine) countColumns(b *band) ([]uint32, error) {
	counts, err := arena.Make[uint32](&m.Memory, int(m.numbered()))
	if err != nil {
		return nil, err
	}
	for v, end := m.rowsOf(b); v < end; v++ {
		for _, u := range m.block.rows.row(v) {
			counts[u]++
		}
	}
	return counts, nil
}

func (m *machine) rowsOf(b *band) (first, end uint32) {
	return uint32(min(64*b.lo, int64(m.count))), uint32(min(64*b.hi, int64(m.count)))
}
