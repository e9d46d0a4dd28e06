package grid

import "github.com/gohops/hops/internal/ranks/partition"

// numbers are the numbers of the vertices in their columns. A column has the vertices of
// its pieces, one after the other, and each piece starts a word. In rows of blocks, in
// frontiers and in marks a vertex is its number in the column, which takes 32 bits; only
// the tree has labels.
type numbers struct {
	parts   *partition.Partition
	columns int
	starts  []uint64 // number of the first vertex of each rank's piece, in its column
	// labels[j] has, for each granule of column j, what a label there is above its
	// number.
	labels [][]uint64
}

func newNumbers(p *partition.Partition, rows, columns int) numbers {
	n := numbers{p, columns, make([]uint64, rows*columns), make([][]uint64, columns)}
	for j := range columns {
		start, words := uint64(0), int64(0)
		for i := range rows {
			lo, hi := p.Words(i*columns + j)
			words += hi - lo
		}
		n.labels[j] = make([]uint64, 0, uint64(64*words)>>p.Shift+1)
		for i := range rows {
			piece := i*columns + j
			lo, hi := p.Words(piece)
			n.starts[piece] = start
			end := start + 64*uint64(hi-lo)
			for uint64(len(n.labels[j]))<<p.Shift < end {
				n.labels[j] = append(n.labels[j], p.Cuts[piece]-start)
			}
			start = end
		}
	}
	return n
}

// of is the number of a vertex in its column.
func (n *numbers) of(v uint64) uint32 {
	owner := n.parts.Owner(v)
	return uint32(n.starts[owner] + v - n.parts.Cuts[owner])
}

// label is the label of a number in column j.
func (n *numbers) label(j int, number uint32) uint64 {
	return uint64(number) + n.labels[j][uint64(number)>>n.parts.Shift]
}
