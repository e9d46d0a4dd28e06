package fringe

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/gohops/hops/graph"
	"github.com/gohops/hops/internal/base/arena"
	"github.com/gohops/hops/internal/base/bitset"
	"github.com/gohops/hops/internal/testing/oracle"
)

// drawRows draws a small graph that has trees, and a few edges that make cycles.
func drawRows(t *rapid.T) *graph.Rows {
	n := rapid.IntRange(1, 40).Draw(t, "n")
	joined := make([]map[uint32]bool, n)
	for v := range joined {
		joined[v] = map[uint32]bool{}
	}
	join := func(u, v int) {
		if u != v {
			joined[u][uint32(v)], joined[v][uint32(u)] = true, true
		}
	}
	for v := 1; v < n; v++ {
		if rapid.IntRange(0, 9).Draw(t, "whether a tree goes on") > 0 {
			join(v, rapid.IntRange(max(0, v-5), v-1).Draw(t, "parent"))
		}
	}
	for range rapid.IntRange(0, 4).Draw(t, "edges more") {
		join(rapid.IntRange(0, n-1).Draw(t, "u"), rapid.IntRange(0, n-1).Draw(t, "v"))
	}
	rows := &graph.Rows{Offsets: []int64{0}}
	for _, others := range joined {
		for u := range uint32(n) {
			if others[u] {
				rows.Neighbors = append(rows.Neighbors, u)
			}
		}
		rows.Offsets = append(rows.Offsets, int64(len(rows.Neighbors)))
	}
	return rows
}

func levels(rows *graph.Rows, root uint32) []int32 {
	level, _ := oracle.BFS(len(rows.Offsets)-1, oracle.Heads(rowsOf(rows)), root)
	return level
}

func rowsOf(rows *graph.Rows) (all [][]uint32) {
	for v := range uint32(len(rows.Offsets) - 1) {
		all = append(all, rows.Row(v))
	}
	return all
}

// core has the vertices that are left when vertices with fewer than two neighbours are taken away
// until there are none: what lies on a cycle or between two.
func core(rows *graph.Rows) []bool {
	all := rowsOf(rows)
	left := slices.Repeat([]bool{true}, len(all))
	for again := true; again; {
		again = false
		for v, row := range all {
			near := 0
			for _, u := range row {
				if left[u] {
					near++
				}
			}
			if left[v] && near < 2 {
				left[v], again = false, true
			}
		}
	}
	return left
}

func newFringe(t *rapid.T, rows *graph.Rows, least int64) *Fringe {
	var mem arena.Arena
	t.Cleanup(func() { _ = mem.Close() })
	f, err := New(rows, least, &mem)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// The fringe is what the center reaches outside the core, and in a tree all but the center. Up is the only
// neighbour that is nearer to the center.
func TestFringeIsWhatHangs(t *testing.T) {
	met := 0
	rapid.Check(t, func(t *rapid.T) {
		rows := drawRows(t)
		f := newFringe(t, rows, 1)
		if f == nil {
			return
		}
		met++
		inner, level := core(rows), levels(rows, f.Center)
		count := int64(0)
		for v := range inner {
			hangs := level[v] >= 0 && !inner[v] && uint32(v) != f.Center
			if f.In.Has(uint64(v)) != hangs || (f.Up[v] != None) != hangs {
				t.Fatalf("vertex %d: in the fringe %v, up %d, want %v", v, f.In.Has(uint64(v)), f.Up[v], hangs)
			}
			if hangs {
				count++
				nearer := slices.DeleteFunc(slices.Clone(rows.Row(uint32(v))), func(u uint32) bool { return level[u] != level[v]-1 })
				if !slices.Equal(nearer, []uint32{f.Up[v]}) {
					t.Fatalf("vertex %d: up is %d, nearer are %v", v, f.Up[v], nearer)
				}
			}
		}
		if f.Count != count {
			t.Fatalf("%d in the fringe, want %d; center %d", f.Count, count, f.Center)
		}
		for v := range inner {
			if inner[v] && rows.Degree(uint32(v)) > rows.Degree(f.Center) {
				t.Fatalf("vertex %d of the core has more neighbours than the center %d", v, f.Center)
			}
		}
		if newFringe(t, rows, count) == nil || newFringe(t, rows, count+1) != nil {
			t.Fatalf("a fringe of %d is there from another number on", count)
		}
	})
	if met == 0 {
		t.Error("no graph had a fringe")
	}
}

// A search of the rest, with a tally of the fringe, counts each level as a whole search does, and with
// Up and Turn all parents are one level nearer to the root.
func TestTallyCountsAsAWholeSearch(t *testing.T) {
	climbed := 0
	rapid.Check(t, func(t *rapid.T) {
		rows := drawRows(t)
		f := newFringe(t, rows, 1)
		if f == nil {
			return
		}
		tally := NewTally(f)
		for root := range uint32(len(f.Up)) { // one tally for all: nothing is left of a search
			level := levels(rows, root)
			if level[f.Center] < 0 {
				continue
			}
			tally.Begin()
			if f.In.Has(uint64(root)) {
				climbed++
				anchor, hops, err := tally.Climb(t.Context(), root)
				if err != nil || f.In.Has(uint64(anchor)) || int32(hops) != level[anchor] {
					t.Fatalf("from %d: anchor %d after %d hops, %v", root, anchor, hops, err)
				}
			}
			var want []int64
			asSet := root%2 == 0
			for depth := range slices.Max(level) + 1 {
				var found []uint32
				set, count := bitset.New(int64(len(level))), int64(0)
				for v, l := range level {
					if l == depth && f.In.Has(uint64(v)) {
						count++
					} else if l == depth {
						found = append(found, uint32(v))
						set.Add(uint64(v))
					}
				}
				if asSet {
					tally.NoteSet(set, uint32(depth))
				} else {
					tally.Note(found, uint32(depth))
				}
				want = append(want, count)
			}
			for len(want) > 0 && want[len(want)-1] == 0 {
				want = want[:len(want)-1]
			}
			if got := tally.Levels(); !slices.Equal(got, want) {
				t.Fatalf("from %d: %v in the levels, want %v", root, got, want)
			}
			parents := slices.Clone(f.Up)
			tally.Turn(parents)
			for v, p := range parents {
				if f.In.Has(uint64(v)) && uint32(v) != root && (level[p] != level[v]-1 || !slices.Contains(rows.Row(uint32(v)), p)) {
					t.Fatalf("from %d: vertex %d on level %d has the parent %d on level %d", root, v, level[v], p, level[p])
				}
			}
			if f.In.Has(uint64(root)) && parents[root] != root {
				t.Fatalf("the root %d has the parent %d", root, parents[root])
			}
		}
	})
	if climbed == 0 {
		t.Error("no root was in a fringe")
	}
}
