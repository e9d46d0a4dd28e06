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
	for round := range bits.Len64(uint64(p.n)) + 1 {
		left := []uint64{uint64(len(under))}
		if err := p.ranks.Max(left); err != nil || left[0] == 0 {
			return err
		}
		if err := p.double(under, min(1<<round, tooDeep)); err != nil {
			return err
		}
		under = slices.DeleteFunc(under, func(i uint32) bool { return p.ancestors[i] == p.tree.Root })
	}
	return p.cycleError(under)
}

// arrived marks the reply of a vertex whose ancestor is the root: its level is below. Others
// reply with their ancestors, who all are as many steps up.
const arrived = 1 << 63

// double is a round: it asks the ancestors of vertices for theirs, which are so many steps up
// unless they are the root. Nothing changes before all have been asked.
func (p *partTrial) double(under []uint32, steps uint64) error {
	replies := make([]uint64, len(under))
	ancestor, err := newPoll(p, func(i uint32) uint64 {
		k, ok := p.members.number(i)
		switch {
		case !ok: // whom nobody asks, as pass 1 has found
			return 0
		case p.ancestors[k] == p.tree.Root:
			return arrived | uint64(p.words[k])
		}
		return uint64(p.ancestors[k])
	})
	if err != nil {
		return err
	}
	err = p.inBatches(len(under), func(lo, hi int) error {
		labels := p.labels[:0]
		for _, i := range under[lo:hi] {
			labels = append(labels, p.ancestors[i])
		}
		p.labels = labels
		heard, err := ancestor.ask(labels)
		copy(replies[lo:hi], heard)
		return err
	})
	if err != nil {
		return err
	}
	for k, i := range under {
		up := steps
		if p.ancestors[i] = hops.Vertex(replies[k]); replies[k] >= arrived {
			p.ancestors[i], up = p.tree.Root, replies[k]-arrived
		}
		// A cycle is longer with every round: what counts beyond any level is
		// enough to know.
		p.words[i] = uint32(min(uint64(p.words[i])+up, tooDeep))
	}
	return nil
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
