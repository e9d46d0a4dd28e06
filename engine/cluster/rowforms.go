package cluster

import (
	"github.com/gohops/hops/internal/base/arena"
	"github.com/gohops/hops/internal/base/bitset"
)

// A rowForm is a form of the rows that messages are made from. All forms yield the
// same rows in the same order; they differ in what it costs to find them.
//
//	coarse   every row starts with a header, the vertex and the length, which is
//	         also the way to the next header; an index has one entry for every 64
//	         vertices, so that those with nothing to do are skipped with the word
//	         of the bitmap that says so
//	skip     the same without the index: from header to header to the end
//	list     pairs of vertices, all of which are read
//
// Checconi and Petrini compare these three. By default there is none of them, and the
// index of every vertex finds a row at once.
type rowForm[L label] interface {
	// scan yields the rows of the vertices in set, which has as many words as the
	// worker's bitmaps. It returns the number of headers, or pairs, that it has read.
	scan(set bitset.Set, yield func(v uint32, row []L)) (passed int64)
}

// newRowForm makes the form of that name, and nil by default.
func newRowForm[L label](name string, w *worker[L], mem *arena.Arena) (rowForm[L], error) {
	switch name {
	case "coarse", "skip":
		return newCoarse(w, name == "coarse", mem)
	case "list":
		return newList(w, mem)
	}
	return nil, nil
}

// A coarse has a header before the entries of each row that is not empty: the
// vertex, and the length.
type coarse[L label] struct {
	words []L
	index []int64 // of the first header of each group, and the end; or nil
}

func newCoarse[L label](w *worker[L], index bool, mem *arena.Arena) (*coarse[L], error) {
	size := len(w.out.neighbors)
	for v := range w.count {
		if w.out.degree(v) > 0 {
			size += 2
		}
	}
	words, err := arena.Make[L](mem, size)
	if err != nil {
		return nil, err
	}
	c := &coarse[L]{words: words}
	at := int64(0)
	for v := range w.count {
		if v%64 == 0 && index {
			c.index = append(c.index, at)
		}
		if row := w.out.row(v); len(row) > 0 {
			words[at], words[at+1] = L(v), L(len(row))
			at += 2 + int64(copy(words[at+2:], row))
		}
	}
	if index {
		c.index = append(c.index, at)
	}
	return c, nil
}

func (c *coarse[L]) scan(set bitset.Set, yield func(v uint32, row []L)) (passed int64) {
	if c.index == nil {
		return c.follow(0, int64(len(c.words)), set, yield)
	}
	for i, word := range set {
		if word != 0 {
			passed += c.follow(c.index[i], c.index[i+1], set, yield)
		}
	}
	return passed
}

// follow goes from header to header.
func (c *coarse[L]) follow(at, end int64, set bitset.Set, yield func(v uint32, row []L)) (passed int64) {
	for at < end {
		passed++
		v, start := uint32(c.words[at]), at+2
		at = start + int64(c.words[at+1])
		if set.Has(uint64(v)) {
			yield(v, c.words[start:at])
		}
	}
	return passed
}

// A list has every edge as a pair, vertex first.
type list[L label] struct{ pairs []pair[L] }

type pair[L label] struct {
	v uint32
	u L
}

func newList[L label](w *worker[L], mem *arena.Arena) (*list[L], error) {
	pairs, err := arena.Make[pair[L]](mem, len(w.out.neighbors))
	if err != nil {
		return nil, err
	}
	i := 0
	w.out.each(w.count, func(v uint32, row []L) {
		for _, u := range row {
			pairs[i] = pair[L]{v, u}
			i++
		}
	})
	return &list[L]{pairs}, nil
}

func (l *list[L]) scan(set bitset.Set, yield func(v uint32, row []L)) int64 {
	var row []L
	for i, p := range l.pairs {
		if !set.Has(uint64(p.v)) {
			continue
		}
		row = append(row, p.u)
		if i+1 == len(l.pairs) || l.pairs[i+1].v != p.v {
			yield(p.v, row)
			row = row[:0]
		}
	}
	return int64(len(l.pairs))
}
