package cluster

import (
	"fmt"
	"slices"

	"github.com/gohops/hops/internal/arena"
)

// layRows makes room for the rows of the light vertices of this rank.
func (b *builder) layRows() error {
	for t := range b.workers {
		w := &b.workers[t]
		var err error
		if w.offsets, err = arena.Make[int64](&b.mem, int(w.count)+1); err != nil {
			return err
		}
		at := int64(0)
		for v := range w.count {
			w.offsets[v] = at
			if !b.isHeavy(w.first + v) {
				at += int64(b.entries[w.first+v])
			}
		}
		w.offsets[w.count] = at
		if w.neighbors, err = arena.Make[uint32](&b.mem, int(at)); err != nil {
			return err
		}
		w.isHeavy = make(map[uint32]uint32)
		for i, v := range b.heavy.labels {
			if v-w.first < w.count {
				w.isHeavy[v-w.first] = uint32(i)
			}
		}
		if w.filled, err = arena.Make[uint32](&b.mem, int(w.count)); err != nil {
			return err
		}
	}
	return nil
}

// lay puts an entry into a row of this worker.
func (w *worker) lay(row, neighbor uint32) error {
	if row >= w.count {
		return fmt.Errorf("a row %d, but worker %d has %d", row, w.id, w.count)
	}
	at := w.offsets[row] + int64(w.filled[row])
	if at < w.offsets[row+1] {
		w.neighbors[at] = neighbor
		w.filled[row]++
		return nil
	}
	i, ok := w.isHeavy[row]
	if !ok {
		return fmt.Errorf("more than the %d entries of vertex %d", w.filled[row], w.first+row)
	}
	w.between = append(w.between, uint64(i)<<32|uint64(neighbor))
	return nil
}

// order orders all rows by class and label of the neighbour, takes duplicates
// out and closes the gaps that they leave.
func (b *builder) order() error {
	b.team.Run(func(t int) {
		var s rowSorter
		w := &b.workers[t]
		end := int64(0)
		for v := range w.count {
			start := w.offsets[v]
			row := w.neighbors[start : start+int64(w.filled[v])]
			w.offsets[v] = end
			end += s.order(row, b.class, w.neighbors[end:])
		}
		w.offsets[w.count] = end
		slices.Sort(w.between)
		w.between = slices.Compact(w.between)
	})
	for t := range b.workers {
		w := &b.workers[t]
		arena.Free(&b.mem, w.filled)
		w.filled, w.isHeavy = nil, nil
		w.neighbors = arena.Shrink(&b.mem, w.neighbors, int(w.offsets[w.count]))
	}
	return nil
}

// A rowSorter sorts rows; it keeps its scratch space.
type rowSorter struct {
	keys, spare []uint64
}

const (
	radixFrom = 256 // the length from which rows are sorted by digits
	digits    = 1 << 10
)

// order writes row, ordered and without duplicates, to out, which may begin
// before row in the same memory, and returns its length.
func (s *rowSorter) order(row []uint32, class []uint8, out []uint32) int64 {
	s.keys = s.keys[:0]
	for _, u := range row {
		s.keys = append(s.keys, uint64(classes-1-class[u])<<32|uint64(u))
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
func (s *rowSorter) radix() {
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
