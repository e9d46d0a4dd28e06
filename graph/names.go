package graph

import (
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"math/bits"
	"math/rand/v2"
	"slices"
	"strconv"

	"github.com/gohops/hops"
)

// Names is the map between the vertices 0 … n-1 of a graph and what its file
// calls them. It is immutable and safe for concurrent use. A nil *Names is the
// map of a graph whose names are the numbers themselves.
//
// It consists of a few flat arrays, so that it can lie in a mapped file and be
// used there. There are four kinds, by which array is not empty:
//
//	none     name = First + vertex                           0 bytes a vertex
//	Narrow   numbers below 2³², strictly ascending           4
//	Wide     numbers of 64 bits, strictly ascending          8
//	Ends     text; name v is Text[Ends[v-1]:Ends[v]]         its length, 8, and
//	         Table finds it by hash                          between 5⅓ and 10⅔
type Names struct {
	NameSections
}

// NameSections are the arrays that make up Names. They must not be changed
// while the Names are in use.
type NameSections struct {
	Count uint64 // of vertices
	First uint64 // of the kind without an array; of text, the key of the hash

	Narrow []uint32
	Wide   []uint64

	Text  []byte
	Ends  []uint64
	Table []uint32 // vertex+1 by hash of the name, 0 where free; linear probing
}

// NamesFrom returns the Names that lie in the given arrays, without a copy. It
// checks their lengths only, so as to be done in no time; whatever else the
// arrays hold, no method panics.
func NamesFrom(s NameSections) (*Names, error) {
	kinds := 0
	for _, length := range []int{len(s.Narrow), len(s.Wide), len(s.Ends)} {
		if length > 0 {
			kinds++
			if uint64(length) != s.Count {
				return nil, fmt.Errorf("graph: %d names for %d vertices", length, s.Count)
			}
		}
	}
	switch {
	case kinds > 1:
		return nil, errors.New("graph: names of more than one kind")
	case len(s.Ends) == 0 && len(s.Table) > 0:
		return nil, errors.New("graph: a table of names, but no names")
	case len(s.Ends) > 0 && (len(s.Table) <= len(s.Ends) || len(s.Table)&(len(s.Table)-1) != 0):
		return nil, fmt.Errorf("graph: a table of %d entries for %d names", len(s.Table), len(s.Ends))
	case kinds == 0 && s.Count > 0 && s.First+(s.Count-1) < s.First:
		return nil, fmt.Errorf("graph: %d names from %d on exceed 64 bits", s.Count, s.First)
	}
	return &Names{s}, nil
}

// TextNames returns Names made of text: name v is text[ends[v-1]:ends[v]].
// The arrays are not copied. Two equal names are an error.
func TextNames(text []byte, ends []uint64) (*Names, error) {
	if uint64(len(ends)) >= hops.NarrowLimit {
		return nil, fmt.Errorf("graph: %d names, at most %d can be text", len(ends), uint64(hops.NarrowLimit)-1)
	}
	if len(ends) == 0 {
		return &Names{}, nil
	}
	size := 1 << bits.Len(uint(len(ends))*4/3) // at most three quarters full
	l := &Names{NameSections{Count: uint64(len(ends)), Text: text, Ends: ends, Table: make([]uint32, size)}}
	for {
		even, err := l.fillTable()
		if err != nil {
			return nil, err
		}
		if even {
			return l, nil
		}
		l.First = rand.Uint64()
		clear(l.Table)
	}
}

// fillTable puts all names into an empty table. It gives up, and reports false, where the
// names collide more often than names at random do: a file can be made so that its
// names collide under a key that is known. The first key is 0, so that what is written
// of ordinary names is the same each time.
func (l *Names) fillTable() (even bool, err error) {
	const probesPerName, few = 16, 1024 // 2.5 are expected of a table that is three quarters full
	probes, start := uint64(0), uint64(0)
	mask := uint64(len(l.Table) - 1)
	for v, end := range l.Ends {
		if end < start || end > uint64(len(l.Text)) {
			return false, fmt.Errorf("graph: name %d ends at %d, not within %d … %d", v, end, start, len(l.Text))
		}
		name := l.Text[start:end]
		slot, found := l.probe(name)
		if found {
			return false, fmt.Errorf("graph: vertices %d and %d are both called %q", l.Table[slot]-1, v, name)
		}
		if probes += (slot - hashName(name, l.First)) & mask; probes > probesPerName*l.Count+few {
			return false, nil
		}
		l.Table[slot] = uint32(v) + 1
		start = end
	}
	return true, nil
}

// Sections returns the arrays that the Names are made of.
func (l *Names) Sections() NameSections { return l.NameSections }

// Len is the number of vertices.
func (l *Names) Len() hops.Vertex { return hops.Vertex(l.Count) }

// IsText tells whether names are text rather than numbers.
func (l *Names) IsText() bool { return l != nil && len(l.Ends) > 0 }

// Name returns the name of v, as text whatever its kind.
func (l *Names) Name(v hops.Vertex) string {
	return string(l.AppendName(make([]byte, 0, 24), v))
}

// AppendName appends the name of v to dst.
func (l *Names) AppendName(dst []byte, v hops.Vertex) []byte {
	if l == nil {
		return strconv.AppendUint(dst, uint64(v), 10)
	}
	if l.IsText() {
		return append(dst, l.text(uint64(v))...)
	}
	return strconv.AppendUint(dst, l.number(uint64(v)), 10)
}

func (l *Names) number(v uint64) uint64 {
	switch {
	case len(l.Narrow) > 0:
		return uint64(l.Narrow[v])
	case len(l.Wide) > 0:
		return l.Wide[v]
	default:
		return l.First + v
	}
}

// text returns the bytes of name v: none if the ends are not in order, which
// can only be in a damaged file, or if there is no such vertex.
func (l *Names) text(v uint64) []byte {
	if v >= uint64(len(l.Ends)) {
		return nil
	}
	start := uint64(0)
	if v > 0 {
		start = l.Ends[v-1]
	}
	end := l.Ends[v]
	if start > end || end > uint64(len(l.Text)) {
		return nil
	}
	return l.Text[start:end]
}

// Lookup returns the vertex with the given name and whether there is one. A nil
// *Names does not know how many vertices there are: it takes any number.
func (l *Names) Lookup(name string) (hops.Vertex, bool) {
	if l.IsText() {
		slot, found := l.probe([]byte(name))
		if !found {
			return hops.NoVertex, false
		}
		return hops.Vertex(l.Table[slot] - 1), true
	}
	number, err := strconv.ParseUint(name, 10, 64)
	if err != nil {
		return hops.NoVertex, false
	}
	return l.LookupNumber(number)
}

// LookupNumber is Lookup for names that are numbers.
func (l *Names) LookupNumber(name uint64) (hops.Vertex, bool) {
	var i int
	found := true
	switch {
	case l == nil:
		return hops.Vertex(name), hops.Vertex(name) != hops.NoVertex
	case len(l.Narrow) > 0:
		i, found = slices.BinarySearchFunc(l.Narrow, name, func(x uint32, y uint64) int {
			return cmp.Compare(uint64(x), y)
		})
	case len(l.Wide) > 0:
		i, found = slices.BinarySearch(l.Wide, name)
	case l.IsText() || name < l.First || name-l.First >= l.Count:
		found = false
	default:
		return hops.Vertex(name - l.First), true
	}
	if !found {
		return hops.NoVertex, false
	}
	return hops.Vertex(i), true
}

// probe returns the slot of the table that holds the name, or the free one
// where it would be.
func (l *Names) probe(name []byte) (slot uint64, found bool) {
	mask := uint64(len(l.Table) - 1)
	slot = hashName(name, l.First) & mask
	for range l.Table {
		v := l.Table[slot]
		if v == 0 {
			return slot, false
		}
		if string(l.text(uint64(v-1))) == string(name) {
			return slot, uint64(v) <= l.Count
		}
		slot = (slot + 1) & mask
	}
	return 0, false // a damaged table without a free slot
}

// hashName is part of the format of stored tables: it must not change. Eight
// bytes at a time are multiplied in, and the high half, where the product is
// well mixed, is folded onto the low one.
func hashName(name []byte, key uint64) uint64 {
	factor := 0x9E3779B97F4A7C15 ^ key&^1
	h := uint64(len(name)) * factor
	for len(name) >= 8 {
		h = mix(h^binary.LittleEndian.Uint64(name), factor)
		name = name[8:]
	}
	var last uint64
	for i, c := range name {
		last |= uint64(c) << (8 * i)
	}
	return mix(h^last, factor)
}

func mix(x, factor uint64) uint64 {
	high, low := bits.Mul64(x^factor>>1, factor)
	return high ^ low
}
