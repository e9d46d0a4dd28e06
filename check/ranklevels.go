package check

import (
	"fmt"
	"math/bits"
	"slices"

	"github.com/gohops/hops"
)

// findLevels is pass 2. The words hold how many steps up the ancestor is; when
// all ancestors are the root, that is the level.
func (p *partTrial) findLevels() error {
	p.members = membersOf(p.tree)
	p.words = make([]uint32, p.members.count)
	p.ancestors = make([]hops.Vertex, p.members.count)
	defer func() { p.ancestors = nil }()
	var under []uint32 // members that are not at the root yet
	k := uint32(0)
	for i := range p.members.set.All {
		v := p.vertex(int(i))
		p.ancestors[k] = p.tree.Parent(v)
		if v != p.tree.Root {
			p.words[k] = 1
			if p.ancestors[k] != p.tree.Root {
				under = append(under, k)
			}
		}
		k++
	}
	for range bits.Len64(uint64(p.n)) + 1 {
		left := []uint64{uint64(len(under))}
		if err := p.ranks.Max(left); err != nil || left[0] == 0 {
			return err
		}
		if err := p.double(under); err != nil {
			return err
		}
		under = slices.DeleteFunc(under, func(i uint32) bool { return p.ancestors[i] == p.tree.Root })
	}
	return p.cycleError(under)
}

// double is a round: it asks the ancestors of vertices for theirs. Nothing changes
// before all have been asked, so that all pairs are of the same power of two.
func (p *partTrial) double(under []uint32) error {
	steps, further := make([]uint32, len(under)), make([]hops.Vertex, len(under))
	err := p.inBatches(len(under), func(lo, hi int) error {
		labels := p.labels[:0]
		for _, i := range under[lo:hi] {
			labels = append(labels, p.ancestors[i])
		}
		p.labels = labels
		counts, err := ask(p.asker, labels, p.word)
		if err != nil {
			return err
		}
		copy(steps[lo:hi], counts)
		up, err := ask(p.asker, labels, func(i uint32) uint64 {
			k, _ := p.members.number(i) // as pass 1 has found
			return uint64(p.ancestors[k])
		})
		for k, ancestor := range up {
			further[lo+k] = hops.Vertex(ancestor)
		}
		return err
	})
	for k, i := range under {
		// A cycle is longer with every round: what counts beyond any level is
		// enough to know.
		p.words[i] = uint32(min(uint64(p.words[i])+uint64(steps[k]), tooDeep))
		p.ancestors[i] = further[k]
	}
	return err
}

// tooDeep is the number of steps that no level has.
const tooDeep = uint64(deepest-rootCode) + 1

// cycleError names the lowest vertex on a cycle: the lowest place where somebody
// who did not arrive at the root is now.
func (p *partTrial) cycleError(under []uint32) error {
	low := hops.NoVertex
	for _, i := range under {
		low = min(low, p.ancestors[i])
	}
	lowest, _, err := p.lowestOf(uint64(low), low != hops.NoVertex)
	if err != nil {
		return err
	}
	parent, err := p.parentOf(hops.Vertex(lowest))
	if err != nil {
		return err
	}
	return vertexError(Cycle, hops.Vertex(lowest), parent)
}

// packWords turns steps into words and counts the vertices of each level.
func (p *partTrial) packWords() ([]int64, error) {
	for k, steps := range p.words {
		if uint64(steps) >= tooDeep {
			return nil, fmt.Errorf("check: a tree of more than %d levels is beyond this checker", tooDeep)
		}
		p.words[k] = rootCode + steps
		p.last = max(p.last, p.words[k])
	}
	last := []uint64{uint64(p.last)}
	if err := p.ranks.Max(last); err != nil {
		return nil, err
	}
	p.last = level(last[0])
	layout := layoutOf(p.last)
	histogram := make([]uint64, int64(p.last-rootCode)+1)
	k := 0
	for i := range p.members.set.All {
		code := p.words[k]
		histogram[code-rootCode]++
		p.words[k] = layout.pack(code, uint64(p.tree.Parent(p.vertex(int(i)))))
		k++
	}
	if err := p.ranks.Sum(histogram); err != nil {
		return nil, err
	}
	levels := make([]int64, len(histogram))
	for d, count := range histogram {
		levels[d] = int64(count)
	}
	return levels, nil
}
