package check

import (
	"math/bits"

	"github.com/gohops/hops"
	"github.com/gohops/hops/internal/bitset"
)

// members are the own vertices of a part that are in the tree, numbered in their order:
// what is kept for each of them takes nothing for the others, which may be nearly all.
type members struct {
	set    bitset.Set // by own vertex
	before []uint32   // members before each word
	count  int
}

// membersOf finds the members of a part of a tree.
func membersOf(t *hops.Tree) (m members) {
	m.set = bitset.New(int64(t.Len()))
	m.before = make([]uint32, len(m.set))
	for i := range t.Len() {
		if i%64 == 0 {
			m.before[i/64] = uint32(m.count)
		}
		if t.Parent(t.First+hops.Vertex(i)) != hops.NoVertex {
			m.set.Add(uint64(i))
			m.count++
		}
	}
	return m
}

// number is the number of own vertex i, if it is a member.
func (m *members) number(i uint32) (k uint32, ok bool) {
	word, bit := m.set[i/64], uint64(1)<<(i%64)
	return m.before[i/64] + uint32(bits.OnesCount64(word&(bit-1))), word&bit != 0
}

// word is that of own vertex i, 0 outside the tree.
func (p *partTrial) word(i uint32) uint32 {
	if k, ok := p.members.number(i); ok {
		return p.words[k]
	}
	return 0
}
