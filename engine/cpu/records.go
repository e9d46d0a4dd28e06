package cpu

import (
	"sync/atomic"

	"github.com/gohops/hops/internal/base/arena"
	"github.com/gohops/hops/internal/base/fringe"
	"github.com/gohops/hops/internal/base/kernel"
)

// A record is the row of a vertex once more, if it is short: see kernel.RecordSize.
type record = [kernel.RecordSize]uint32

const (
	// recordShare is the least share of short rows, in parts of four, for which records
	// are made. Records take 16 bytes a vertex, and gain where whole levels have short
	// rows: roads, grids, chains. Of a Kronecker graph's vertices half have short rows.
	recordShare = 3
	recordGrain = 1 << 14 // vertices at a time
)

// makeShortcuts makes what searches of a graph with mostly short rows take less time
// with: the fringe, if most vertices are in it, and records otherwise.
func (m *machine) makeShortcuts() (err error) {
	n := int64(m.graph.NumVertices())
	var short atomic.Int64
	m.team.For(n, recordGrain, func(_ int, lo, hi int64) {
		count := int64(0)
		for v := lo; v < hi; v++ {
			if d := m.graph.Out.Degree(uint32(v)); d > 0 && d <= kernel.RecordSize {
				count++
			}
		}
		short.Add(count)
	})
	if 4*short.Load() < recordShare*m.domain.vertices || m.domain.vertices == 0 {
		return nil
	}
	if err := m.makeFringe(); m.fringe != nil || err != nil {
		return err
	}
	return m.makeRecords()
}

// needShortcuts is the bytes that makeShortcuts takes at most for n vertices and so many
// entries.
func needShortcuts(n, entries int64) int64 {
	need := n * 4 * kernel.RecordSize
	if mayHang(n, entries) {
		need = max(need, fringe.Need(n))
	}
	return need
}

func (m *machine) makeRecords() (err error) {
	n := int64(m.graph.NumVertices())
	if m.records, err = arena.Make[record](&m.mem, int(n)); err != nil {
		return err
	}
	m.team.For(n, recordGrain, func(_ int, lo, hi int64) {
		for v := lo; v < hi; v++ {
			kernel.FillRecord(&m.records[v], uint32(v), m.graph.Out.Row(uint32(v)))
		}
	})
	return nil
}
