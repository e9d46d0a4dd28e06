package sssp

import (
	"cmp"
	"slices"
	"testing"

	"github.com/gohops/hops/internal/base/arena"
	"github.com/gohops/hops/internal/base/par"
)

// The longest rows have the first slots, by falling degree, and the others follow in the order in
// which they are woken, by label within it. A vertex without edges has the slot behind the last.
func TestSlotsAreInOrder(t *testing.T) {
	g := kronecker(t, 17)
	defer g.Close()
	var mem arena.Arena
	defer mem.Close()
	team := par.NewTeam(2, nil)
	defer team.Close()
	w := &slotGraph{}
	if err := w.number(g, team, &mem); err != nil {
		t.Fatal(err)
	}
	if w.slots() <= mostBySize {
		t.Fatalf("%d vertices: all have slots by degree", w.slots())
	}
	ordered := func(labels []uint32, key func(v uint32) int64) bool {
		return slices.IsSortedFunc(labels, func(a, b uint32) int { return cmp.Or(cmp.Compare(key(a), key(b)), cmp.Compare(a, b)) })
	}
	bySize, rest := w.label[:mostBySize], w.label[mostBySize:w.slots()]
	falling := func(v uint32) int64 { return -degree(g, v) }
	if !ordered(bySize, falling) {
		t.Error("the first slots are not by falling degree")
	}
	if !ordered(rest, func(v uint32) int64 { return int64(wakeOrder(&g.Out, v)) }) {
		t.Error("the other slots are not in the order of waking")
	}
	last := bySize[len(bySize)-1]
	for _, v := range rest {
		if falling(v) < falling(last) || falling(v) == falling(last) && v < last {
			t.Fatalf("vertex %d should have a slot before vertex %d", v, last)
		}
	}
	for v := range uint32(g.NumVertices()) {
		if s := w.slot[v]; degree(g, v) == 0 && s != uint32(w.slots()) || degree(g, v) > 0 && w.label[s] != v {
			t.Fatalf("vertex %d has slot %d", v, s)
		}
	}
}
