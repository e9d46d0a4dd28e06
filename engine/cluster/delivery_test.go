package cluster

import (
	"testing"

	"github.com/gohops/hops"
	"github.com/gohops/hops/edge"
)

// On a path, every level has few entries: one thread runs it, and the others stay asleep.
// With no such limit all threads run.
func TestOneThreadRunsLevelsOfFewEntries(t *testing.T) {
	const n = 300
	path, err := edge.NewGrid(n, 1)
	if err != nil {
		t.Fatal(err)
	}
	for few, want := range map[int64]bool{0: false, -1: true} {
		for _, ranks := range []int{1, 2} {
			s := mustBuild(t, path, Options{Ranks: ranks, Threads: 2, Exchange: "messages", few: few})
			team := false
			for r, x := range s.Ranks {
				a := x.Machine.(*machine[uint32]).delivery.(*asynchronous[uint32])
				run := a.run
				a.run = func(thread int) {
					if r == 0 && thread == 0 {
						team = true
					}
					run(thread)
				}
			}
			tree := newTree(s)
			if _, err := s.Search(t.Context(), 0, tree); err != nil {
				t.Fatal(err)
			}
			if team != want {
				t.Errorf("%d ranks, limit %d: all threads ran: %v, want %v", ranks, few, team, want)
			}
			for v := range hops.Vertex(n - 1) {
				if p := tree.Parent(v + 1); p != v {
					t.Fatalf("%d ranks, limit %d: parent of %d is %d", ranks, few, v+1, p)
				}
			}
		}
	}
}
