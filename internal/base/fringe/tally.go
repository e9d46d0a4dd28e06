package fringe

import (
	"context"
	"math/bits"

	"github.com/gohops/hops/internal/base/bitset"
)

// A Tally counts the vertices of the fringe that a search finds in each level.
type Tally struct {
	fringe *Fringe
	change []int64  // difference of the count of each level to that of the level before
	path   []uint32 // from a root in the fringe to its anchor
	now    []spot
	next   []spot
}

// A spot is a vertex of a root's branch that a climb has come to.
type spot struct {
	v, from uint32
	turn    uint32 // the last vertex of the path that is on the way to v
}

// NewTally returns a tally of a search that has found nothing.
func NewTally(f *Fringe) *Tally { return &Tally{fringe: f} }

// Begin starts a search.
func (t *Tally) Begin() { t.change, t.path = t.change[:0], t.path[:0] }

// add counts so many vertices in each of some levels.
func (t *Tally) add(level, levels uint32, count int64) {
	if end := int(level + levels); end >= len(t.change) {
		t.change = append(t.change, make([]int64, end+1-len(t.change))...)
	}
	t.change[level] += count
	t.change[level+levels] -= count
}

// Climb goes from a root in the fringe to its anchor, which it returns with the number of
// hops, and counts the branch of the root. What hangs on the anchor beside it is counted
// when Note comes to the anchor.
func (t *Tally) Climb(ctx context.Context, root uint32) (anchor, hops uint32, err error) {
	f := t.fringe
	for v := root; v != None; v = f.Up[v] {
		t.path = append(t.path, v)
	}
	hops = uint32(len(t.path) - 1)
	anchor = t.path[hops]
	t.now = append(t.now[:0], spot{v: root, from: None})
	for depth := uint32(0); len(t.now) > 0; depth++ {
		if err := ctx.Err(); err != nil {
			return 0, 0, err
		}
		t.next = t.next[:0]
		for _, at := range t.now {
			t.add(depth, 1, 1)
			t.add(2*hops+depth-2*at.turn, 1, -1) // where Note counts it, from the anchor down
			for _, u := range f.rows.Row(at.v) {
				if u == at.from || !f.In.Has(uint64(u)) {
					continue
				}
				to := spot{u, at.v, at.turn}
				if t.path[at.turn] == at.v && u == t.path[at.turn+1] {
					to.turn++
				}
				t.next = append(t.next, to)
			}
		}
		t.now, t.next = t.next, t.now
	}
	return anchor, hops, nil
}

// Note counts what hangs on the anchors among some vertices of one level.
func (t *Tally) Note(vertices []uint32, level uint32) {
	for _, v := range vertices {
		if t.fringe.anchors.Has(uint64(v)) {
			t.addAnchor(v, level)
		}
	}
}

// NoteSet is Note for a set of vertices.
func (t *Tally) NoteSet(vertices bitset.Set, level uint32) {
	for i, w := range t.fringe.anchors {
		for w &= vertices[i]; w != 0; w &= w - 1 {
			t.addAnchor(uint32(i)<<6+uint32(bits.TrailingZeros64(w)), level)
		}
	}
}

func (t *Tally) addAnchor(v, level uint32) {
	f := t.fringe
	i := f.index(v)
	t.add(level+1, 1, int64(f.leaves[i]))
	for _, r := range f.runs[f.first[i]:f.first[i+1]] {
		t.add(level+r.depth, r.length, 1)
	}
}

// Levels returns the number of vertices of the fringe in each level, up to the last
// that has any. It is valid until the next search.
func (t *Tally) Levels() []int64 {
	sum, end := int64(0), 0
	for i, c := range t.change {
		sum += c
		t.change[i] = sum
		if sum != 0 {
			end = i + 1
		}
	}
	return t.change[:end]
}

// Turn sets the parents on the path of a climb, which leads away from the root. It does
// nothing after a search whose root was not in the fringe.
func (t *Tally) Turn(parents []uint32) {
	for i, v := range t.path {
		parents[v] = t.path[max(i-1, 0)]
	}
}
