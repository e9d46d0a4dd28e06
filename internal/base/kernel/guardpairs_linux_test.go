package kernel

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// unclaimed are the parents of n vertices of which others have found some.
func unclaimed(r *rand.Rand, n int) []uint32 {
	parents := make([]uint32, n)
	for v := range parents {
		parents[v] = ^uint32(0)
		if r.IntN(3) == 0 {
			parents[v] = uint32(r.IntN(n))
		}
	}
	return parents
}

func TestBidsStayInBounds(t *testing.T) {
	eachGuarded(t, func(t *testing.T, r *rand.Rand, g guarded) {
		n := 64 * (1 + r.IntN(8))
		offsets, neighbors := randomRows(r, n)
		queue, visited, parents := randomLabels(r, 1+r.IntN(60), n), randomSet(r, n, r.Float64()), unclaimed(r, n)
		room := r.IntN(n)
		run := func(k Kernels, queue []uint32, offsets []int64, neighbors []uint32, visited, pairs []uint64, parents []uint32) Advance {
			a := Advance{
				Queue: &queue[0], Count: int64(len(queue)), Offsets: &offsets[0], Neighbors: first(neighbors), Visited: &visited[0],
				Parents: &parents[0], Pairs: first(pairs), Room: int64(room),
			}
			k.Bid(&a)
			return a
		}
		gotVisited, gotPairs, gotParents := place(g, visited), place(g, make([]uint64, room)), place(g, parents)
		got := run(g.k, place(g, queue), place(g, offsets), place(g, neighbors), gotVisited, gotPairs, gotParents)
		pairs := make([]uint64, room)
		want := run(Kernels{}, queue, offsets, neighbors, visited, pairs, parents)
		same(t, []int64{want.Done, want.Found, want.Examined}, []int64{got.Done, got.Found, got.Examined})
		same(t, []uint64(visited), gotVisited)
		same(t, pairs[:want.Found], gotPairs[:got.Found])
		same(t, parents, gotParents)

		for range want.Found / 2 { // other workers were later
			parents[uint32(pairs[r.IntN(int(want.Found))])] = uint32(n)
		}
		won := Kernels{}.Won(pairs[:want.Found], &parents[0], make([]uint32, want.Found+1))
		same(t, won, g.k.Won(place(g, pairs[:want.Found]), first(place(g, parents)), place(g, make([]uint32, want.Found+1))))
	})
}

func TestRowBidsStayInBounds(t *testing.T) {
	eachGuarded(t, func(t *testing.T, r *rand.Rand, g guarded) {
		n := 64 * (1 + r.IntN(8))
		row, visited, parents := randomLabels(r, r.IntN(300), n), randomSet(r, n, r.Float64()), unclaimed(r, n)
		run := func(k Kernels, row []uint32, visited, pairs []uint64, parents, kept []uint32) int64 {
			a := RowBid{Row: first(row), Length: int64(len(row)), Parent: 3, Visited: &visited[0], Parents: &parents[0], Pairs: first(pairs), Kept: &kept[0]}
			k.BidRow(&a)
			return a.Found
		}
		pairs, kept := make([]uint64, len(row)), make([]uint32, len(row)+Slack)
		gotVisited, gotPairs, gotParents := place(g, visited), place(g, pairs), place(g, parents)
		got := run(g.k, place(g, row), gotVisited, gotPairs, gotParents, place(g, kept))
		want := run(Kernels{}, row, visited, pairs, parents, kept)
		same(t, []int64{want}, []int64{got})
		same(t, []uint64(visited), gotVisited)
		same(t, pairs[:want], gotPairs[:got])
		same(t, parents, gotParents)
	})
}

// Every function in assembly is called by a test that puts its arrays between guard pages.
func TestAllAssemblyIsGuarded(t *testing.T) {
	guards := map[string]string{
		"probeHeadsAVX512": "ProbeHeads(", "probeColumnAVX512": "ProbeColumn(", "scanRowAVX512": "ScanRow(", "expandAVX512": "Expand(",
		"probeHeadsAVX2": "ProbeHeads(", "probeColumnAVX2": "ProbeColumn(", "scanRowAVX2": "ScanRow(", "expandAVX2": "Expand(",
		"advanceAMD64": "Advance(", "bidAMD64": "Bid(", "bidRowAMD64": "BidRow(", "wonAMD64": "Won(", "adoptAMD64": "Adopt(",
		"askHeadsAVX512": "AskHeads(", "askRowsAVX512": "AskRows(", "compareAVX512": "Compare", "markAVX512": "Mark", "pickAVX512": "Pick",
		"adoptRowAMD64": "AdoptRow(", "dealAVX512": "Deal(",
		"prefetchAMD64": "Prefetch(", "wonAVX512": "Won(",
	}
	tests := ""
	for _, name := range []string{"guard_linux_test.go", "guardpairs_linux_test.go", "guardwords_linux_test.go"} {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		tests += string(text)
	}
	files, _ := filepath.Glob("*.s")
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range regexp.MustCompile(`(?m)^TEXT ·(\w+)\(`).FindAllStringSubmatch(string(text), -1) {
			if call := guards[m[1]]; call == "" || !strings.Contains(tests, "k."+call) {
				t.Errorf("%s: no test calls %s with arrays between guard pages", file, m[1])
			}
		}
	}
}
