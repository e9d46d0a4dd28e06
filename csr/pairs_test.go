package csr

import (
	"context"
	"strings"
	"testing"

	"github.com/gohops/hops"
	"github.com/gohops/hops/internal/base/arena"
	"github.com/gohops/hops/internal/base/par"
)

// inMemory is a list that can only be read in place.
type inMemory struct {
	list
	pairs []uint64
}

func newInMemory(l list) inMemory {
	m := inMemory{list: l}
	for _, e := range l.edges {
		m.pairs = append(m.pairs, uint64(e.V)<<32|uint64(e.U))
	}
	return m
}

func (m inMemory) EdgesAt([]hops.Edge, int64) (int, error) { panic("edges were copied") }
func (m inMemory) PairsAt(off int64, n int) []uint64       { return m.pairs[off:][:n] }

func TestPairsAreReadInPlace(t *testing.T) {
	l := skewed(5000, 60_000)
	for _, workers := range []int{1, 3} {
		checkAgainstRows(t, build(t, newInMemory(l), workers), rows(l))
		checkDirected(t, build(t, hops.Directed(newInMemory(l)), workers), l)
	}
}

func TestPairsOutsideTheGraph(t *testing.T) {
	checkPairsOutside(t)
	withoutTiling(func() { checkPairsOutside(t) })
}

func checkPairsOutside(t *testing.T) {
	for _, e := range []hops.Edge{{U: 1, V: 9}, {U: 9, V: 1}} {
		l := list{n: 9, edges: make([]hops.Edge, 3*blockEdges)}
		l.edges[2*blockEdges+5] = e
		_, err := Build(context.Background(), newInMemory(l), 1)
		if err == nil || !strings.Contains(err.Error(), "edge 8197 joins") || !strings.Contains(err.Error(), "only 9 vertices") {
			t.Errorf("error %v", err)
		}
	}
}

// Counters of many workers would take more memory than the rows of a list this short: they
// share theirs.
func TestSharedCounters(t *testing.T) {
	l := skewed(5000, 6000)
	checkAgainstRows(t, build(t, l, 16), rows(l))
	checkDirected(t, build(t, hops.Directed(l), 16), l)
}

// A worker's own counter of 8 bits does not hide that the sum has more than 32.
func TestOwnCountersDoNotWrap(t *testing.T) {
	l := list{2, make([]hops.Edge, 1000)}
	for i := range l.edges {
		l.edges[i] = hops.Edge{U: 1, V: 0}
	}
	team := par.NewTeam(1, nil)
	defer team.Close()
	for room, fits := range map[uint32]bool{1000: true, 999: false, 767: false, 300: false} {
		b := builder{Graph: build(t, list{n: 2}, 1), mem: &arena.Arena{}, ctx: context.Background(), src: l, team: team, n: 2}
		b.Tuples, b.count = l.NumEdges(), []uint32{0 - room, 0} // so many more fit
		b.count[0]--
		if err := b.countEntries(); (err == nil) != fits {
			t.Errorf("room for %d of 1000 edges: error %v", room, err)
		}
	}
}
