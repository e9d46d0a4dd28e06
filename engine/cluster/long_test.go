package cluster

import (
	"testing"

	"github.com/gohops/hops/internal/base/bitset"
	"github.com/gohops/hops/internal/ranks/deal"
	"github.com/gohops/hops/internal/ranks/distributed"
)

// Long vertices examine the same entries, have the longest rows and at most their share of
// the entries, and save messages.
func TestLongVerticesSaveMessages(t *testing.T) {
	src := kronecker(t, 12)
	search := func(o Options) (examined, forward int64, m *machine[uint32]) {
		s := mustBuild(t, src, o)
		m = machineOf(s, 0)
		tree := newTree(s)
		trace, err := s.Search(t.Context(), 1, tree)
		if err != nil {
			t.Fatal(err)
		}
		validate(t, s, src, tree)
		for _, l := range trace.Levels {
			examined += l.Examined
			forward += l.Exchange.Forward
		}
		return examined, forward, m
	}
	o := Options{Ranks: 3, Threads: 2, Heavy: 1, Exchange: "messages"}
	examined, forward, _ := search(o)
	o.long = 8
	examinedToo, fewer, m := search(o)
	if examined != examinedToo {
		t.Errorf("%d entries are examined without long vertices, %d with them", examined, examinedToo)
	}
	if m.long.chosen.Count() == 0 || fewer > forward*9/10 {
		t.Errorf("%d long vertices: %d messages instead of %d", m.long.chosen.Count(), fewer, forward)
	}
}

func TestLongVerticesHaveTheLongestRows(t *testing.T) {
	vertices := []deal.Vertex{{Label: 3, Out: 10, In: 10}, {Label: 5, Out: 40, In: 2}, {Label: 9, Out: 20, In: 30}, {Label: 12, Out: 40, In: 40}}
	for room, want := range map[int64][]uint64{39: nil, 40: {1}, 80: {1, 3}, 109: {1, 3}, 110: {1, 2, 3}, 120: {0, 1, 2, 3}} {
		l := chooseLong[uint64](vertices, room)
		chosen := bitset.New(int64(len(vertices)))
		for _, i := range want {
			chosen.Add(i)
		}
		if l.chosen[0] != chosen[0] {
			t.Errorf("room for %d: %b are long, want %b", room, l.chosen[0], chosen[0])
		}
	}
}

// Copies are for many workers on one host, and within what Need says.
func TestWhereLongVerticesAre(t *testing.T) {
	const scale = 14
	src := kronecker(t, scale)
	for o, want := range map[Options]bool{
		{Ranks: 9, Threads: 1, Heavy: 8}:                      true,
		{Ranks: 3, Threads: 3, Heavy: 8}:                      true,
		{Ranks: 4, Threads: 2, Heavy: 8}:                      false,
		{Ranks: 9, Threads: 1, Hosts: 2, Heavy: 8}:            false,
		{Ranks: 9, Threads: 1, Light: true}:                   false,
		{Ranks: 2, Threads: 1, Heavy: 8, long: 1 << 30}:       false,
		{Ranks: 9, Threads: 1, Heavy: 8, narrowLimit: 1 << 9}: true,
	} {
		s := mustBuild(t, src, o)
		if got := anyLong(s); got != want {
			t.Errorf("%+v: long vertices: %v, want %v", o, got, want)
		}
		_, peak := s.Memory()
		if need := o.Need(1<<scale, 16<<scale); peak > need {
			t.Errorf("%+v: %d bytes, planned %d", o, peak, need)
		}
	}
}

func anyLong(s *distributed.Searcher) bool {
	switch m := s.Ranks[0].Machine.(type) {
	case *machine[uint32]:
		return m.long.chosen.Count() > 0
	case *machine[uint64]:
		return m.long.chosen.Count() > 0
	}
	return false
}
