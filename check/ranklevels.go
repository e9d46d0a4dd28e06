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
	p.words = make([]uint32, p.tree.Len())
	p.ancestors = make([]hops.Vertex, p.tree.Len())
	defer func() { p.ancestors = nil }()
	var under []uint32 // own vertices that are not at the root yet
	for i := range p.words {
		v := p.vertex(i)
		p.ancestors[i] = p.tree.Parent(v)
		if p.ancestors[i] != hops.NoVertex && v != p.tree.Root {
			p.words[i] = 1
			if p.ancestors[i] != p.tree.Root {
				under = append(under, uint32(i))
			}
		}
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
		counts, err := ask(p.asker, labels, func(i uint32) uint32 { return p.words[i] })
		if err != nil {
			return err
		}
		copy(steps[lo:hi], counts)
		up, err := ask(p.asker, labels, func(i uint32) uint64 { return uint64(p.ancestors[i]) })
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
	for i, steps := range p.words {
		if uint64(steps) >= tooDeep {
			return nil, fmt.Errorf("check: a tree of more than %d levels is beyond this checker", tooDeep)
		}
		if p.tree.Parent(p.vertex(i)) != hops.NoVertex {
			p.words[i] = rootCode + steps
			p.last = max(p.last, p.words[i])
		}
	}
	last := []uint64{uint64(p.last)}
	if err := p.ranks.Max(last); err != nil {
		return nil, err
	}
	p.last = level(last[0])
	layout := layoutOf(p.last)
	histogram := make([]uint64, int64(p.last-rootCode)+1)
	for i, code := range p.words {
		if code != 0 {
			histogram[code-rootCode]++
			p.words[i] = layout.pack(code, uint64(p.tree.Parent(p.vertex(i))))
		}
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
