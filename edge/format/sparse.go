package format

import (
	"slices"

	"github.com/gohops/hops"
	"github.com/gohops/hops/graph"
	"github.com/gohops/hops/internal/base/par"
)

// Sparse names are collected in hash tables, one for each worker. A worker goes
// through all edges and takes the names that hash to its own table, so that no
// two ever touch the same one; looking at a name is cheap beside finding it.
//
//  1. collect   each worker fills its table with the names that are its own
//  2. order     all names are sorted; the place of one is its vertex
//  3. number    each worker writes the vertices of its names into its table
//  4. replace   the ends of edges are looked up, each in the table of its name

// indexSparse is index for names too far apart for a bitmap.
func (l *list) indexSparse(team *par.Team) (index, *graph.Names, error) {
	t := make(tables, team.Size())
	team.Run(func(worker int) {
		t[worker] = t.collect(l, worker)
	})
	for worker := range t {
		if err := t[worker].full; err != nil {
			return nil, nil, err
		}
	}
	sorted := sortedKeys(team, t)
	if uint64(len(sorted)) > hops.NarrowLimit {
		return nil, nil, errTooMany
	}
	team.Run(func(worker int) {
		for v, x := range sorted {
			if t.owner(x) == worker {
				t[worker].set(x, uint32(v))
			}
		}
	})
	l.vertices = hops.Vertex(len(sorted))
	return t, sortedNames(sorted), nil
}

// sortedNames makes Names of numbers in order, in 4 bytes each if they fit.
func sortedNames(sorted []uint64) *graph.Names {
	s := graph.NameSections{Count: uint64(len(sorted)), Wide: sorted}
	if sorted[len(sorted)-1]>>32 == 0 {
		s.Wide, s.Narrow = nil, make([]uint32, len(sorted))
		for v, x := range sorted {
			s.Narrow[v] = uint32(x)
		}
	}
	return namesOf(s)
}

// tables are the hash tables of all workers.
type tables []table

// owner returns whose table a name belongs to.
func (t tables) owner(x uint64) int { return int(spread(x) >> 32 * uint64(len(t)) >> 32) }

func (t tables) collect(l *list, worker int) table {
	own := newTable()
	own.fits = l.fits
	for i := range l.segments {
		s := &l.segments[i]
		for _, x := range s.narrow {
			if t.owner(uint64(x)) == worker {
				own.add(uint64(x))
			}
		}
		for _, x := range s.wide {
			if t.owner(x) == worker {
				own.add(x)
			}
		}
	}
	return own
}

// find implements index.
func (t tables) find(x uint64) (uint32, bool) { return t[t.owner(x)].find(x) }

// renumber implements index.
func (t tables) renumber(s *segment) {
	s.replaceEnds(func(x uint64) uint32 {
		v, _ := t.find(x)
		return v
	})
}

// release implements index.
func (tables) release() {}

// sortedKeys returns the names of all tables in order.
func sortedKeys(team *par.Team, tables []table) []uint64 {
	runs := make([][]uint64, len(tables))
	team.Run(func(worker int) {
		keys := tables[worker].keys()
		slices.Sort(keys)
		runs[worker] = keys
	})
	for len(runs) > 1 {
		half := (len(runs) + 1) / 2
		team.For(int64(len(runs)/2), 1, func(_ int, i, _ int64) {
			runs[i] = merge(runs[i], runs[half+int(i)])
		})
		runs = runs[:half]
	}
	return runs[0]
}

func merge(a, b []uint64) []uint64 {
	out := make([]uint64, 0, len(a)+len(b))
	for len(a) > 0 && len(b) > 0 {
		if a[0] < b[0] {
			out, a = append(out, a[0]), a[1:]
		} else {
			out, b = append(out, b[0]), b[1:]
		}
	}
	return append(append(out, a...), b...)
}

// A table is a set of names by open addressing with linear probing. A free slot
// is 0; the name 0 is kept apart.
type table struct {
	slots    []uint64
	vertices []uint32 // of the names, made by the first call of set
	shift    uint     // hash bits beyond the table
	used     int
	zero     bool
	vertex0  uint32
	fits     func(bytes int64) error // nil if memory is no matter
	full     error                   // why the table takes no more names
}

const firstTableBits = 10

func newTable() table {
	return table{slots: make([]uint64, 1<<firstTableBits), shift: 64 - firstTableBits}
}

// spread mixes the bits of a name; tables use the middle ones, the choice of a
// table the top.
func spread(x uint64) uint64 {
	x ^= x >> 32
	x *= 0xD6E8FEB86659FD93
	x ^= x >> 32
	return x * 0xD6E8FEB86659FD93
}

// slot returns where x is or would be.
func (t *table) slot(x uint64) int {
	mask := len(t.slots) - 1
	i := int(spread(x)<<16>>t.shift) & mask
	for t.slots[i] != 0 && t.slots[i] != x {
		i = (i + 1) & mask
	}
	return i
}

func (t *table) add(x uint64) {
	if x == 0 {
		t.zero = true
		return
	}
	i := t.slot(x)
	if t.slots[i] == x || t.full != nil {
		return
	}
	t.slots[i] = x
	if t.used++; t.used > len(t.slots)/2 {
		t.grow()
	}
}

func (t *table) count() int {
	if t.zero {
		return t.used + 1
	}
	return t.used
}

func (t *table) grow() {
	old := t.slots
	if t.fits != nil && len(old) >= memoryStep/16 {
		if t.full = t.fits(32 * int64(len(old))); t.full != nil { // twice the slots, vertices and sorted names
			return
		}
	}
	t.slots = make([]uint64, 2*len(old))
	t.shift--
	for _, x := range old {
		if x != 0 {
			t.slots[t.slot(x)] = x
		}
	}
}

func (t *table) keys() []uint64 {
	keys := make([]uint64, 0, t.used+1)
	if t.zero {
		keys = append(keys, 0)
	}
	for _, x := range t.slots {
		if x != 0 {
			keys = append(keys, x)
		}
	}
	return keys
}

func (t *table) set(x uint64, vertex uint32) {
	if x == 0 {
		t.vertex0 = vertex
		return
	}
	if t.vertices == nil {
		t.vertices = make([]uint32, len(t.slots))
	}
	t.vertices[t.slot(x)] = vertex
}

func (t *table) find(x uint64) (uint32, bool) {
	if x == 0 {
		return t.vertex0, t.zero
	}
	i := t.slot(x)
	if t.slots[i] != x {
		return 0, false
	}
	return t.vertices[i], true
}
