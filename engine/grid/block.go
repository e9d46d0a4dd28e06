package grid

import (
	"github.com/gohops/hops/internal/base/arena"
	"github.com/gohops/hops/internal/base/bitset"
	"github.com/gohops/hops/internal/base/bottomup"
	"github.com/gohops/hops/internal/ranks/rank"
)

// rowsOfBlock are this rank's part of the matrix as bottom-up levels read it.
type rowsOfBlock struct {
	rows sparseRows // for each vertex of the row, the vertices of the column that lead to it
	// home has the vertices whose neighbour of the highest degree is in this column.
	home bitset.Set
	look *bottomup.Rows // nil where most rows are empty
	// columns are the same entries, of a block that a device searches: see band for threads.
	columns sparseRows
	// lengths has the number of entries of each row of a block that its device has made, of
	// which the host has nothing else but home.
	lengths []uint32
}

// length is the number of entries of row v.
func (b *rowsOfBlock) length(v uint32) int64 {
	if b.lengths != nil {
		return int64(b.lengths[v])
	}
	return b.rows.length(v)
}

// hypersparse: where less than one row in so many is full, the block has no heads and
// tails, and only full rows take more than a bit.
const hypersparse = 8

// homeChunk is the number of vertices of the row for which homes are chosen at a time.
const homeChunk = 1 << 16

// chooseHomes finds for each vertex of the row the rank of the row that has its
// neighbour of the highest degree. Among equals the first one is taken, counted from
// a column that differs from vertex to vertex. It is told the class of the first entry of
// each row here.
func (m *machine) chooseHomes(heads []uint8) (err error) {
	if m.block.home, err = arena.Make[uint64](&m.Memory, bitset.Words(int64(m.count))); err != nil {
		return err
	}
	all, err := arena.Make[uint8](&m.Memory, homeChunk*m.columns)
	if err != nil {
		return err
	}
	defer arena.Free(&m.Memory, all)
	defer arena.Free(&m.Memory, heads)
	parts := make([]rank.Span, m.columns)
	for j := range int64(m.columns) {
		parts[j] = rank.Span{Lo: j * homeChunk, Hi: (j + 1) * homeChunk}
	}
	for first := int64(0); first < int64(m.count); first += homeChunk {
		chunk := min(homeChunk, int64(m.count)-first)
		mine := all[parts[m.j].Lo:parts[m.j].Hi]
		for k := range chunk {
			mine[k] = heads[first+k]
		}
		if err := m.row.Gather(all, parts); err != nil {
			return err
		}
		for k := range chunk {
			if mine[k] > 0 && m.isHome(all, k, mine[k]) {
				m.block.home.Add(uint64(first + k))
			}
		}
	}
	return nil
}

// isHome tells whether this rank has the first of the neighbours with the highest
// class of vertex k of a chunk. Its own neighbour has the given class.
func (m *machine) isHome(all []uint8, k int64, class uint8) bool {
	me := orderOf(m.j, k, m.columns)
	for j := range m.columns {
		c := all[int64(j)*homeChunk+k]
		if c > class || c == class && orderOf(j, k, m.columns) < me {
			return false
		}
	}
	return true
}

// orderOf is the place of column j in the order that vertex k counts columns in.
func orderOf(j int, k int64, columns int) int64 {
	return (int64(j) + k) % int64(columns)
}
