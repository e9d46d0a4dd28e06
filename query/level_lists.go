package query

import (
	"math/bits"

	"github.com/gohops/hops"
	"github.com/gohops/hops/internal/base/par"
)

// listGrain is how many vertices of a level a worker takes at a time: few enough to share
// out the long rows of hubs.
const listGrain = 128

// levelLists have the vertices of every level for a group of eight roots. A vertex that
// several roots have in one level is in the list of that level once, with a bit for each
// of them. Lists are in ascending order.
type levelLists struct {
	begins   []int // of each level, and the end
	vertices []uint32
	roots    []uint8
	places   [][]int // for each worker, where its next vertex of each level goes
}

func lowestBit(b uint8) uint { return uint(bits.TrailingZeros8(b)) }

func (l *levelLists) count() int { return len(l.begins) - 1 }

// at returns the vertices of a level, and for each the roots that have it there. There are
// none after the last level.
func (l *levelLists) at(level int) ([]uint32, []uint8) {
	if level >= l.count() {
		return nil, nil
	}
	lo, hi := l.begins[level], l.begins[level+1]
	return l.vertices[lo:hi], l.roots[lo:hi]
}

// sort makes the lists for the roots from first on. Every worker has a range of vertices:
// it counts the vertices of each level, and then writes them from its prefix-sum offset.
func (l *levelLists) sort(d *hops.Depths, first int, team *par.Team) {
	levels := 1 << len(d.Bits)
	l.places = make([][]int, team.Size())
	team.Run(func(worker int) {
		counts := make([]int, levels)
		eachLevel(d, first, worker, team.Size(), func(_ uint32, level int, _ uint8) { counts[level]++ })
		l.places[worker] = counts
	})
	l.begins = l.begins[:0]
	sum := 0
	for level := range levels {
		begin := sum
		for _, places := range l.places {
			places[level], sum = sum, sum+places[level]
		}
		if sum == begin {
			break // levels without a vertex are the last ones
		}
		l.begins = append(l.begins, begin)
	}
	l.begins = append(l.begins, sum)
	if cap(l.vertices) < sum {
		l.vertices, l.roots = make([]uint32, sum), make([]uint8, sum)
	}
	l.vertices, l.roots = l.vertices[:sum], l.roots[:sum]
	team.Run(func(worker int) {
		places := l.places[worker]
		eachLevel(d, first, worker, team.Size(), func(v uint32, level int, roots uint8) {
			l.vertices[places[level]], l.roots[places[level]] = v, roots
			places[level]++
		})
	})
}

// eachLevel calls do for the vertices of a worker and every level that they have from the
// roots of the group, with the roots that have them there.
func eachLevel(d *hops.Depths, first, worker, workers int, do func(v uint32, level int, roots uint8)) {
	lo, hi := par.Split(int64(d.Len()), 1, worker, workers)
	for v := lo; v < hi; v++ {
		for left := uint8(d.Reached[v] >> first); left != 0; {
			level, same, i := 0, left, lowestBit(left)
			for k, words := range d.Bits {
				digit := uint8(words[v] >> first)
				if digit>>i&1 != 0 {
					level |= 1 << k
				} else {
					digit = ^digit
				}
				same &= digit
			}
			do(uint32(v), level, same)
			left &^= same
		}
	}
}
