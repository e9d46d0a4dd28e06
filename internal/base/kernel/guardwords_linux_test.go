package kernel

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/gohops/hops/internal/testing/guardtest"
)

func TestHeadAsksStayInBounds(t *testing.T) {
	eachGuarded(t, func(t *testing.T, r *rand.Rand, g guarded) {
		words := 1 + r.IntN(4)
		n, lo := 64*(words+r.IntN(4)), 0
		if n > 64*words {
			lo = n - 64*words // the range is the last one of all vertices
		}
		seen, before := randomWords(r, n), randomWords(r, 64*words)
		closed, more, head := randomSet(r, 64*words, r.Float64()), randomSet(r, 64*words, r.Float64()), randomLabels(r, 64*words, n)
		wanted, keep := randomWords(r, 1)[0], -uint64(r.IntN(2))
		run := func(k Kernels, closed, more, seen, now []uint64, head, misses []uint32, missing []uint64) HeadAsk {
			a := HeadAsk{
				Closed: &closed[0], More: &more[0], Head: &head[0], Seen: &seen[0], Now: &now[0], Misses: &misses[0], Missing: &missing[0],
				Wanted: wanted, Keep: keep, Words: int64(words), First: uint64(lo),
			}
			k.AskHeads(&a)
			return a
		}
		now, misses, missing := slices.Clone(before), make([]uint32, n+1), make([]uint64, n+1)
		want := run(Kernels{}, closed, more, seen, now, head, misses, missing)
		gotNow := place(g, before)
		gotMisses, gotMissing := place(g, make([]uint32, int(want.Missed)+Slack)), place(g, make([]uint64, int(want.Missed)+Slack))
		got := run(g.k, place(g, closed), place(g, more), place(g, seen), gotNow, place(g, head), gotMisses, gotMissing)
		same(t, []int64{want.Missed, want.Examined}, []int64{got.Missed, got.Examined})
		same(t, now, gotNow)
		same(t, misses[:want.Missed], gotMisses[:got.Missed])
		same(t, missing[:want.Missed], gotMissing[:got.Missed])
	})
}

func TestRowAsksStayInBounds(t *testing.T) {
	eachGuarded(t, func(t *testing.T, r *rand.Rand, g guarded) {
		n := 64 * (1 + r.IntN(4))
		offsets, neighbors := randomRows(r, n)
		var vertices []uint32 // with a row that has a head
		for v := range n {
			if offsets[v+1] > offsets[v] && r.IntN(2) == 0 {
				vertices = append(vertices, uint32(v))
			}
		}
		seen, before, missing := randomWords(r, n), randomWords(r, n), randomWords(r, len(vertices))
		for i := range missing { // a vertex of the list misses a root
			missing[i] |= 1 << r.IntN(64)
		}
		run := func(k Kernels, vertices []uint32, missing []uint64, offsets []int64, neighbors []uint32, seen, now []uint64) int64 {
			a := RowAsk{
				Vertices: first(vertices), Missing: first(missing), Count: int64(len(vertices)), Offsets: &offsets[0], Neighbors: first(neighbors),
				Seen: &seen[0], Now: &now[0],
			}
			k.AskRows(&a)
			return a.Examined
		}
		now, gotNow := slices.Clone(before), place(g, before)
		want := run(Kernels{}, vertices, missing, offsets, neighbors, seen, now)
		got := run(g.k, place(g, vertices), place(g, missing), place(g, offsets), place(g, neighbors), place(g, seen), gotNow)
		same(t, want, got)
		same(t, now, gotNow)
	})
}

func TestComparisonsStayInBounds(t *testing.T) {
	eachGuarded(t, func(t *testing.T, r *rand.Rand, g guarded) {
		words := 1 + r.IntN(5)
		seen, now, before := randomWords(r, 64*words), randomWords(r, 64*words), randomWords(r, words)
		active := randomWords(r, 1)[0]
		run := func(k Kernels, seen, now, closed, fresh []uint64) uint64 {
			a := Comparison{Seen: &seen[0], Now: &now[0], Closed: &closed[0], Fresh: &fresh[0], Words: int64(words), Active: active}
			k.Compare(&a)
			return a.Reached
		}
		closed, fresh := slices.Clone(before), make([]uint64, words)
		gotClosed, gotFresh := place(g, before), place(g, make([]uint64, words))
		want := run(Kernels{}, seen, now, closed, fresh)
		same(t, want, run(g.k, place(g, seen), place(g, now), gotClosed, gotFresh))
		same(t, closed, gotClosed)
		same(t, fresh, gotFresh)
	})
}

func TestMarksAndPicksStayInBounds(t *testing.T) {
	eachGuarded(t, func(t *testing.T, r *rand.Rand, g guarded) {
		n := 8 * r.IntN(20)
		dst, now, seen := randomWords(r, n), randomWords(r, n), randomWords(r, n)
		got := place(g, dst)
		Kernels{}.Mark(dst, now, seen)
		g.k.Mark(got, place(g, now), place(g, seen))
		same(t, dst, got)

		src, from := randomWords(r, 1+r.IntN(50)), randomLabels(r, r.IntN(60), 1)
		for i := range from {
			from[i] = uint32(r.IntN(len(src)))
		}
		picked := make([]uint64, len(from))
		Kernels{}.Pick(picked, src, from)
		gotPicked := guardtest.Make[uint64](t, g.side, len(from))
		g.k.Pick(gotPicked, place(g, src), place(g, from))
		same(t, picked, gotPicked)
	})
}
