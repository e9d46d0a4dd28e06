package format

import (
	"fmt"
	"math/bits"
	"sync/atomic"

	"github.com/gohops/hops"
	"github.com/gohops/hops/graph"
	"github.com/gohops/hops/internal/base/arena"
	"github.com/gohops/hops/internal/base/par"
)

// Numbers with gaps are made compact without changing their order: the smallest
// name becomes vertex 0, the next one vertex 1.
//
// A bitmap marks the names that occur, where it is not larger than the edges
// themselves; the vertex of a name is the number of marks before it. Else
// a hash table holds them: see sparse.go.

// namesPerEnd is up to how many names, present or not, there may be for each
// end of an edge. The bitmap and its counts then take 4 bytes for each end, which
// is what the end itself takes.
const namesPerEnd = 16

// An index knows the vertices of names.
type index interface {
	// find returns the vertex of a name, and whether there is one.
	find(name uint64) (uint32, bool)
	// renumber replaces the ends of edges, which are names that are there.
	renumber(s *segment)
	// release gives its memory back.
	release()
}

// compact renumbers the vertices of the list so that none is without an edge,
// and returns their names: nil if they stay what they were.
func (l *list) compact(team *par.Team) (*graph.Names, error) {
	found, names, err := l.index(team)
	if err != nil {
		return nil, err
	}
	defer found.release()
	if names != nil {
		l.each(team, found.renumber)
	}
	return names, nil
}

// index collects the names of the list and counts them as vertices. The names
// are nil if they are the numbers from 0 on.
func (l *list) index(team *par.Team) (index, *graph.Names, error) {
	largest := l.largest()
	if isSparse(largest, l.NumEdges()) {
		return l.indexSparse(team)
	}
	m, err := l.mark(team, largest)
	if err != nil {
		return nil, nil, err
	}
	count := m.rank()
	if count > hops.NarrowLimit {
		m.release()
		return nil, nil, errTooMany
	}
	l.vertices = hops.Vertex(count)
	if count == largest+1 {
		return m, nil, nil
	}
	return m, m.names(count, largest), nil
}

// isSparse tells whether names up to the largest are too many for arrays that have
// an entry for each, at so many edges.
func isSparse(largest uint64, edges int64) bool {
	return largest/namesPerEnd > uint64(max(2*edges, 1024))
}

// largest returns the largest name.
func (l *list) largest() (largest uint64) {
	for i := range l.segments {
		largest = max(largest, l.segments[i].largest)
	}
	return largest
}

// each has the team work on all segments.
func (l *list) each(team *par.Team, work func(s *segment)) {
	team.For(int64(len(l.segments)), 1, func(_ int, k, _ int64) { work(&l.segments[k]) })
}

// marks is a bitmap with counts.
type marks struct {
	groups []group
	memory *arena.Arena
}

// release implements index.
func (m marks) release() { _ = m.memory.Close() }

// A group is 64 names.
type group struct {
	present uint64
	before  uint64 // names that are present in earlier groups
}

func (l *list) mark(team *par.Team, largest uint64) (marks, error) {
	m := marks{memory: new(arena.Arena)}
	var err error
	if m.groups, err = arena.Make[group](m.memory, int(largest/64)+1); err != nil {
		return m, fmt.Errorf("format: %w", err)
	}
	l.each(team, func(s *segment) {
		for _, x := range s.narrow {
			m.add(uint64(x))
		}
		for _, x := range s.wide {
			m.add(x)
		}
	})
	return m, nil
}

// add marks a name. Most are marked already, so it looks first.
func (m marks) add(x uint64) {
	word, bit := &m.groups[x/64].present, uint64(1)<<(x%64)
	if atomic.LoadUint64(word)&bit == 0 {
		atomic.OrUint64(word, bit)
	}
}

// rank counts the marks and returns how many there are.
func (m marks) rank() (total uint64) {
	for i := range m.groups {
		m.groups[i].before = total
		total += uint64(bits.OnesCount64(m.groups[i].present))
	}
	return total
}

// vertex returns the number of marks before that of x.
func (m marks) vertex(x uint64) uint32 {
	g := &m.groups[x/64]
	return uint32(g.before) + uint32(bits.OnesCount64(g.present&(1<<(x%64)-1)))
}

// renumber implements index.
func (m marks) renumber(s *segment) {
	if s.wide != nil {
		s.replaceEnds(m.vertex)
		return
	}
	for i, x := range s.narrow {
		s.narrow[i] = m.vertex(uint64(x))
	}
}

// find implements index.
func (m marks) find(x uint64) (uint32, bool) {
	if x/64 >= uint64(len(m.groups)) || m.groups[x/64].present>>(x%64)&1 == 0 {
		return 0, false
	}
	return m.vertex(x), true
}

// names returns the marked names in order.
func (m marks) names(count, largest uint64) *graph.Names {
	if first := largest + 1 - count; m.vertex(first) == 0 {
		return namesOf(graph.NameSections{Count: count, First: first})
	}
	if largest>>32 == 0 {
		return namesOf(graph.NameSections{Count: count, Narrow: collect[uint32](m, count)})
	}
	return namesOf(graph.NameSections{Count: count, Wide: collect[uint64](m, count)})
}

func collect[T uint32 | uint64](m marks, count uint64) []T {
	out := make([]T, 0, count)
	for i, g := range m.groups {
		for set := g.present; set != 0; set &= set - 1 {
			out = append(out, T(i*64+bits.TrailingZeros64(set)))
		}
	}
	return out
}

// namesOf makes Names of arrays that fit together.
func namesOf(s graph.NameSections) *graph.Names {
	l, err := graph.NamesFrom(s)
	if err != nil {
		panic("format: " + err.Error()) // a mistake in this package
	}
	return l
}

var errTooMany = fmt.Errorf("more than %d vertices", uint64(hops.NarrowLimit))
