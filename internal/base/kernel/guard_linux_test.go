package kernel

import (
	"math/rand/v2"
	"slices"
	"testing"
	"unsafe"

	"github.com/google/go-cmp/cmp"

	"github.com/gohops/hops/internal/testing/guardtest"
)

// Every kernel is called with arrays of exactly the length that its comment states, each
// between guard pages, and does what the reference does. An access outside of an array
// ends the test by a fault.

// A guarded places the arrays of one call: beside guard pages, or for the reference
// anywhere.
type guarded struct {
	t    *testing.T
	side guardtest.Side
	k    Kernels
}

// eachGuarded tries the forms in assembly, with the arrays at one end of a page each.
func eachGuarded(t *testing.T, try func(t *testing.T, r *rand.Rand, g guarded)) {
	for _, side := range guardtest.Sides {
		t.Run(side.String(), func(t *testing.T) {
			for seed := range uint64(40) {
				for _, k := range forms()[1:] {
					try(t, rand.New(rand.NewPCG(seed, 11)), guarded{t, side, k})
				}
			}
		})
	}
}

// first returns the address of the first entry, of which there may be none.
func first[T any](list []T) *T { return unsafe.SliceData(list) }

func place[T any](g guarded, list []T) []T { return guardtest.Copy(g.t, g.side, list) }

func randomLabels(r *rand.Rand, count, n int) []uint32 {
	list := make([]uint32, count)
	for i := range list {
		list[i] = uint32(r.IntN(n))
	}
	return list
}

func same(t *testing.T, want, got any) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Fatal(diff)
	}
}

func TestHeadsStayInBounds(t *testing.T) {
	eachGuarded(t, func(t *testing.T, r *rand.Rand, g guarded) {
		words, n := 1+r.IntN(6), 64*(1+r.IntN(20))
		visited, more, front := randomSet(r, 64*words, r.Float64()), randomSet(r, 64*words, r.Float64()), randomSet(r, n, r.Float64())
		head, slots := randomLabels(r, 64*words, n), slotsOf(64*words)
		run := func(k Kernels, visited, more, front, next []uint64, head, parents, misses []uint32, slots []uint16) HeadProbe {
			a := HeadProbe{
				Visited: &visited[0], More: &more[0], Front: &front[0], Next: &next[0], Head: &head[0], Parents: &parents[0],
				Slots: &slots[0], Misses: first(misses), Words: int64(words), First: 64,
			}
			k.ProbeHeads(&a)
			return a
		}
		next, parents, misses := make([]uint64, words), make([]uint32, 64*words), make([]uint32, 64*words)
		want := run(Kernels{}, visited, more, front, next, head, parents, misses, slots)
		gotNext, gotParents := place(g, make([]uint64, words)), place(g, make([]uint32, 64*words))
		gotMisses := place(g, make([]uint32, int(want.Missed)+Slack))
		got := run(g.k, place(g, visited), place(g, more), place(g, front), gotNext, place(g, head), gotParents, gotMisses, place(g, slots))
		same(t, []int64{want.Missed, want.Examined}, []int64{got.Missed, got.Examined})
		same(t, next, gotNext)
		same(t, parents, gotParents)
		same(t, misses[:want.Missed], gotMisses[:got.Missed])
	})
}

func TestColumnsStayInBounds(t *testing.T) {
	eachGuarded(t, func(t *testing.T, r *rand.Rand, g guarded) {
		n, length, size := 64*(1+r.IntN(20)), 1+r.IntN(100), 3+r.IntN(2)
		column, list, front := columnOf(randomLabels(r, length, n), size), randomList(r, length, size), randomSet(r, n, r.Float64())
		count, longer := len(list), uint64(size*r.IntN(length+1))<<16
		run := func(k Kernels, column []byte, list, hits, parents []uint32, front []uint64) ColumnProbe {
			a := ColumnProbe{
				Column: &column[0], Front: &front[0], List: first(list), Hits: first(hits), Parents: first(parents),
				Count: int64(count), Longer: longer, Mask: 1<<(8*size) - 1,
			}
			a.Expect(column)
			k.ProbeColumn(&a)
			return a
		}
		kept, hits, parents := slices.Clone(list), make([]uint32, count), make([]uint32, count)
		want := run(Kernels{}, column, kept, hits, parents, front)
		// The list has room for what is read and for what is kept with its slack.
		gotKept := place(g, slices.Concat(list, make([]uint32, max(0, int(want.Count)+Slack-count))))
		gotHits, gotParents := place(g, make([]uint32, int(want.Found)+Slack)), place(g, make([]uint32, int(want.Found)+Slack))
		got := run(g.k, place(g, column), gotKept, gotHits, gotParents, place(g, front))
		same(t, []int64{want.Count, want.Found}, []int64{got.Count, got.Found})
		same(t, kept[:want.Count], gotKept[:want.Count])
		same(t, hits[:want.Found], gotHits[:want.Found])
		same(t, parents[:want.Found], gotParents[:want.Found])
	})
}

func TestRowsStayInBounds(t *testing.T) {
	eachGuarded(t, func(t *testing.T, r *rand.Rand, g guarded) {
		n := 64 * (1 + r.IntN(20))
		row, set := randomLabels(r, r.IntN(80), n), randomSet(r, n, r.Float64())
		guardedRow, guardedSet := place(g, row), place(g, set)
		g.k.Prefetch(guardedRow)
		same(t, Kernels{}.ScanRow(row, &set[0]), g.k.ScanRow(guardedRow, &guardedSet[0]))

		lo := uint32(r.IntN(n))
		want := Expansion{Row: first(row), Length: int64(len(row)), Visited: &set[0], First: lo, Last: lo + uint32(r.IntN(n))}
		got := want
		kept := make([]uint32, len(row)+1)
		want.Out = &kept[0]
		Kernels{}.Expand(&want)
		gotKept := place(g, make([]uint32, int(want.Kept)+Slack))
		got.Row, got.Visited, got.Out = first(guardedRow), &guardedSet[0], &gotKept[0]
		g.k.Expand(&got)
		same(t, kept[:want.Kept], gotKept[:got.Kept])
	})
}

// randomRows are the rows of n vertices, some of them longer than Advance reads.
func randomRows(r *rand.Rand, n int) (offsets []int64, neighbors []uint32) {
	offsets = make([]int64, n+1)
	for v := range n {
		length := r.IntN(6)
		if r.IntN(40) == 0 {
			length = ShortRow - 1 + r.IntN(3)
		}
		neighbors = append(neighbors, randomLabels(r, length, n)...)
		offsets[v+1] = int64(len(neighbors))
	}
	return offsets, neighbors
}

func TestAdvanceStaysInBounds(t *testing.T) {
	eachGuarded(t, func(t *testing.T, r *rand.Rand, g guarded) {
		n := 64 * (1 + r.IntN(8))
		offsets, neighbors := randomRows(r, n)
		queue, visited := randomLabels(r, 1+r.IntN(60), n), randomSet(r, n, r.Float64())
		room := r.IntN(n)
		run := func(k Kernels, queue []uint32, offsets []int64, neighbors []uint32, visited []uint64, parents, out []uint32) Advance {
			a := Advance{
				Queue: &queue[0], Count: int64(len(queue)), Offsets: &offsets[0], Neighbors: first(neighbors), Visited: &visited[0],
				Parents: &parents[0], Out: first(out), Room: int64(room),
			}
			k.Advance(&a)
			return a
		}
		gotVisited, gotParents, gotOut := place(g, visited), place(g, make([]uint32, n)), place(g, make([]uint32, room))
		got := run(g.k, place(g, queue), place(g, offsets), place(g, neighbors), gotVisited, gotParents, gotOut)
		parents, out := make([]uint32, n), make([]uint32, room)
		want := run(Kernels{}, queue, offsets, neighbors, visited, parents, out)
		same(t, []int64{want.Done, want.Found, want.Examined}, []int64{got.Done, got.Found, got.Examined})
		same(t, []uint64(visited), gotVisited)
		same(t, parents, gotParents)
		same(t, out, gotOut)
	})
}

func TestAdoptStaysInBounds(t *testing.T) {
	eachGuarded(t, func(t *testing.T, r *rand.Rand, g guarded) {
		n := 64 * (1 + r.IntN(8))
		pairs := make([]uint64, r.IntN(60))
		for i := range pairs {
			pairs[i] = uint64(r.IntN(n))<<32 | uint64(r.IntN(n))
		}
		run := func(k Kernels, pairs, visited []uint64, parents []uint32) {
			k.Adopt(&Adoption{Pairs: first(pairs), Count: int64(len(pairs)), Visited: &visited[0], Parents: &parents[0]})
		}
		visited, parents := make([]uint64, n/64), make([]uint32, n)
		run(Kernels{}, pairs, visited, parents)
		gotVisited, gotParents := place(g, make([]uint64, n/64)), place(g, make([]uint32, n))
		run(g.k, place(g, pairs), gotVisited, gotParents)
		same(t, visited, gotVisited)
		same(t, parents, gotParents)
	})
}

func TestAdoptRowStaysInBounds(t *testing.T) {
	eachGuarded(t, func(t *testing.T, r *rand.Rand, g guarded) {
		n := 64 * (1 + r.IntN(8))
		list, parent := randomLabels(r, 1+r.IntN(80), n), r.Uint32()
		run := func(k Kernels, list []uint32, visited []uint64, parents []uint32) {
			k.AdoptRow(&RowAdoption{List: &list[0], Count: int64(len(list)), Visited: &visited[0], Parents: &parents[0], Parent: parent})
		}
		visited, parents := make([]uint64, n/64), make([]uint32, n)
		run(Kernels{}, list, visited, parents)
		gotVisited, gotParents := place(g, make([]uint64, n/64)), place(g, make([]uint32, n))
		run(g.k, place(g, list), gotVisited, gotParents)
		same(t, visited, gotVisited)
		same(t, parents, gotParents)
	})
}

func TestDealStaysInBounds(t *testing.T) {
	eachGuarded(t, func(t *testing.T, r *rand.Rand, g guarded) {
		blocks, count := 1+r.IntN(20), 1+r.IntN(fewOwners+2)
		owner, ends := owners(r, blocks, count)
		list, parent := randomLabels(r, 1+r.IntN(50), blocks<<BlockShift), r.Uint32()
		run := func(k Kernels, list []uint32, owner []uint16, ends, bins []uint64, lengths []uint32) {
			k.Deal(&Deal{
				List: &list[0], Count: int64(len(list)), Parent: uint64(parent), Owner: &owner[0], Ends: &ends[0],
				Owners: int64(count), Bins: &bins[0], Stride: int64(len(bins) / count), Lengths: &lengths[0],
			})
		}
		// The fullest bin has room for its pairs and the slack.
		lengths, room := make([]uint32, count), count*(len(list)+DealSlack)
		run(Kernels{}, list, owner, ends, make([]uint64, room), lengths)
		stride := int(slices.Max(lengths)) + DealSlack
		want, wantLengths := make([]uint64, count*stride), make([]uint32, count)
		run(Kernels{}, list, owner, ends, want, wantLengths)
		got, gotLengths := place(g, make([]uint64, count*stride)), place(g, make([]uint32, count))
		run(g.k, place(g, list), place(g, owner), place(g, ends), got, gotLengths)
		same(t, wantLengths, gotLengths)
		for o := range count {
			n := o*stride + int(wantLengths[o])
			same(t, want[o*stride:n], got[o*stride:n])
		}
	})
}
