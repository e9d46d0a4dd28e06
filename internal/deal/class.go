package deal

import (
	"math/bits"
	"slices"

	"github.com/gohops/hops/internal/par"
)

const (
	// Classes is the number of classes of vertices.
	Classes = 256
	// classSteps is the number of classes for each doubling of a degree.
	classSteps = 8
)

// ClassOf is the logarithm of a degree in eighths. Rows are ordered by it: the
// neighbour of the highest degree, within 9 %, comes first.
func ClassOf(degree uint32) uint8 {
	if degree == 0 {
		return 0
	}
	exponent := bits.Len32(degree) - 1
	fraction := uint64(degree)<<3>>exponent - classSteps
	return uint8(min(exponent*classSteps+int(fraction)+1, Classes-1))
}

// classify notes the class of every vertex, each rank of a host for its share.
func (e *Edges) classify() error {
	n := int64(len(e.Entries))
	var err error
	if e.Class, err = e.Share(e.temporary, n); err != nil {
		return err
	}
	lo, hi := par.Split(n, 64, e.Hosts.Local, e.Hosts.Mine.Size())
	e.Team.For(hi-lo, 1<<16, func(_ int, from, to int64) {
		for v := lo + from; v < lo+to; v++ {
			e.Class[v] = ClassOf(e.Entries[v])
		}
	})
	return e.Comm.Barrier()
}

// A RowSorter sorts rows; it keeps its scratch space.
type RowSorter struct {
	keys, spare []uint64
}

const (
	radixFrom = 256 // the length from which rows are sorted by digits
	digits    = 1 << 10
)

// Order writes row, ordered by class and label of the neighbour and without
// duplicates, to out and returns its length. The memory of out may begin before row
// and overlap it.
func (s *RowSorter) Order(row []uint32, class []uint8, out []uint32) int64 {
	s.keys = s.keys[:0]
	for _, u := range row {
		s.keys = append(s.keys, uint64(Classes-1-class[u])<<32|uint64(u))
	}
	if len(s.keys) < radixFrom {
		slices.Sort(s.keys)
	} else {
		s.radix()
	}
	n, last := int64(0), ^uint64(0)
	for _, k := range s.keys {
		if k != last {
			out[n] = uint32(k)
			n++
		}
		last = k
	}
	return n
}

// radix sorts keys of 40 bits in four passes.
func (s *RowSorter) radix() {
	s.spare = slices.Grow(s.spare[:0], len(s.keys))[:len(s.keys)]
	for shift := 0; shift < 40; shift += 10 {
		var next [digits]int
		for _, k := range s.keys {
			next[k>>shift%digits]++
		}
		at := 0
		for d, n := range next {
			next[d] = at
			at += n
		}
		for _, k := range s.keys {
			d := k >> shift % digits
			s.spare[next[d]] = k
			next[d]++
		}
		s.keys, s.spare = s.spare, s.keys
	}
}
