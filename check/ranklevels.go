package check

import (
	"fmt"
	"math/bits"
	"slices"
	"sync/atomic"
	"unsafe"

	"github.com/gohops/hops"
	"github.com/gohops/hops/internal/base/par"
)

// findLevels is pass 2. The words hold how many steps up the ancestor is; when
// all ancestors are the root, that is the level.
func (p *partTrial) findLevels() error {
	p.members = p.findMembers()
	p.words = make([]uint32, p.members.count)
	p.ancestors = make([]hops.Vertex, p.members.count)
	defer func() { p.ancestors = nil }()
	under := listed(p.team, make([]uint32, p.tree.Len()), p.climbFrom) // members that are not at the root yet
	for round := range bits.Len64(uint64(p.n)) + 1 {
		left := []uint64{uint64(len(under))}
		if err := p.ranks.Max(left); err != nil || left[0] == 0 {
			return err
		}
		if err := p.double(under, min(1<<round, tooDeep)); err != nil {
			return err
		}
		under = listed(p.team, under, func(list []uint32, lo, hi int64) []uint32 {
			for _, k := range under[lo:hi] {
				if p.ancestors[k] != p.tree.Root {
					list = append(list, k)
				}
			}
			return list
		})
	}
	return p.cycleError(under)
}

// climbFrom makes the parents of some own vertices their ancestors, and lists those whose parent is
// not the root.
func (p *partTrial) climbFrom(list []uint32, lo, hi int64) []uint32 {
	p.members.each(lo, hi, func(i uint64, k uint32) {
		v := p.vertex(int(i))
		if p.ancestors[k] = p.tree.Parent(v); v == p.tree.Root {
			return
		}
		if p.words[k] = 1; p.ancestors[k] != p.tree.Root {
			list = append(list, k)
		}
	})
	return list
}

// listed has each worker list numbers for a range of the room that they go to, at most as many as
// that has, and returns all of them, in the order of the ranges.
func listed(team *par.Team, room []uint32, f func(list []uint32, lo, hi int64) []uint32) []uint32 {
	counts := make([]int, team.Size())
	part := func(w int) (lo, hi int64) { return par.Split(int64(len(room)), 64, w, len(counts)) }
	team.Run(func(w int) {
		lo, hi := part(w)
		counts[w] = len(f(room[lo:lo:hi], lo, hi))
	})
	end := 0
	for w, count := range counts {
		lo, _ := part(w)
		end += copy(room[end:], room[lo:][:count])
	}
	return room[:end]
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
		p.labels = grow(p.labels, hi-lo)
		labels := p.labels
		p.each(len(labels), func(a, b int64) {
			for i := a; i < b; i++ {
				labels[i] = p.ancestors[under[lo+int(i)]]
			}
		})
		heard, err := ancestor.ask(labels)
		copy(replies[lo:hi], heard)
		return err
	})
	if err != nil {
		return err
	}
	p.each(len(under), func(a, b int64) {
		for i := a; i < b; i++ {
			k, up := under[i], steps
			if p.ancestors[k] = hops.Vertex(replies[i]); replies[i] >= arrived {
				p.ancestors[k], up = p.tree.Root, replies[i]-arrived
			}
			// A cycle is longer with every round: what counts beyond any level is
			// enough to know.
			p.words[k] = uint32(min(uint64(p.words[k])+up, tooDeep))
		}
	})
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
	var deep atomic.Uint32
	p.each(len(p.words), func(lo, hi int64) {
		raise(&deep, slices.Max(p.words[lo:hi]))
	})
	last := []uint64{uint64(deep.Load())}
	if err := p.ranks.Max(last); err != nil {
		return nil, err
	}
	if last[0] >= tooDeep {
		return nil, fmt.Errorf("check: a tree of more than %d levels is beyond this checker", tooDeep)
	}
	p.last = rootCode + level(last[0])
	layout, counts := layoutOf(p.last), make(histogram, last[0]+1)
	p.each(p.tree.Len(), func(lo, hi int64) {
		var local [shallow]int64
		p.members.each(lo, hi, func(i uint64, k uint32) {
			counts.count(&local, p.words[k])
			p.words[k] = layout.pack(rootCode+p.words[k], uint64(p.tree.Parent(p.vertex(int(i)))))
		})
		counts.add(&local)
	})
	return counts, p.ranks.Sum(unsafe.Slice((*uint64)(unsafe.Pointer(unsafe.SliceData(counts))), len(counts)))
}
