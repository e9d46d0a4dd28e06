package check

import (
	"math/bits"

	"github.com/gohops/hops"
	"github.com/gohops/hops/internal/base/bitset"
)

// members are the own vertices of a part that are in the tree, numbered in their order:
// what is kept for each of them takes nothing for the others, which may be nearly all.
type members struct {
	set    bitset.Set // by own vertex
	before []uint32   // members before each word
	count  int
}

// findMembers finds the members of this rank's part.
func (p *partTrial) findMembers() (m members) {
	m.set = bitset.New(int64(p.tree.Len()))
	p.each(p.tree.Len(), func(lo, hi int64) {
		for i := lo; i < hi; i++ {
			if p.tree.Parent(p.vertex(int(i))) != hops.NoVertex {
				m.set.Add(uint64(i))
			}
		}
	})
	m.before, m.count = m.set.Ranks(), int(m.set.Count())
	return m
}

// each calls f with all members, and their numbers, of a range of own vertices that begins with a
// word of the set.
func (m *members) each(lo, hi int64, f func(i uint64, k uint32)) {
	for w := lo / 64; w < (hi+63)/64; w++ {
		k := m.before[w]
		for word := m.set[w]; word != 0; word &= word - 1 {
			f(uint64(w)<<6+uint64(bits.TrailingZeros64(word)), k)
			k++
		}
	}
}

// number is the number of own vertex i, if it is a member.
func (m *members) number(i uint32) (k uint32, ok bool) {
	return m.set.Rank(m.before, uint64(i)), m.set.Has(uint64(i))
}

// word is that of own vertex i, 0 outside the tree.
func (p *partTrial) word(i uint32) uint32 {
	if k, ok := p.members.number(i); ok {
		return p.words[k]
	}
	return 0
}
