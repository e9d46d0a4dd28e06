package bottomup

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/gohops/hops/internal/base/arena"
	"github.com/gohops/hops/internal/base/bitset"
	"github.com/gohops/hops/internal/base/kernel"
	"github.com/gohops/hops/internal/base/par"
)

// rows of random lengths, most of them short.
func rows(r *rand.Rand, n int) [][]uint32 {
	all := make([][]uint32, n)
	for v := range all {
		all[v] = make([]uint32, r.IntN(1+r.IntN(1+r.IntN(3*Longest))))
		for i := range all[v] {
			all[v][i] = uint32(r.IntN(n))
		}
	}
	return all
}

// A result is what a level learns about the vertices of a block.
type result struct {
	parents  []uint32
	next     bitset.Set
	examined int64
	open     []uint32
}

// lookRowByRow is what look is to find, from the rows themselves.
func lookRowByRow(all [][]uint32, missed []uint32, front bitset.Set, wants func(uint32, int) bool) result {
	want := result{parents: make([]uint32, len(all)), next: bitset.New(int64(len(all)))}
	for _, v := range missed {
		k := 1
		for ; k < min(len(all[v]), 1+Longest) && (wants == nil || wants(v, k)); k++ {
			want.examined++
			if u := all[v][k]; front.Has(uint64(u)) {
				want.parents[v] = u
				want.next.Add(uint64(v))
				break
			}
		}
		if k == 1+Longest && len(all[v]) > k {
			want.open = append(want.open, v)
		}
	}
	return want
}

func TestLookFindsTheFirstNeighborOfEachRow(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for range 30 {
		n := 1 + r.IntN(3<<BlockShift)
		all := rows(r, n)
		var mem arena.Arena
		team := par.NewTeam(2, nil)
		tails, err := NewTails(int64(n), []int64{1 << 24, 1 << 32}[r.IntN(2)], func(v uint32) []uint32 { return all[v] }, team, &mem)
		if err != nil {
			t.Fatal(err)
		}
		front := bitset.New(int64(n))
		for share := r.Float64(); r.IntN(n) > 0; {
			if v := uint64(r.IntN(n)); r.Float64() < share {
				front.Add(v)
			}
		}
		var wants func(uint32, int) bool
		if r.IntN(2) == 0 {
			wants = func(v uint32, k int) bool { return k <= int(v%20) }
		}
		for b := range int64(n+1<<BlockShift-1) >> BlockShift {
			checkBlock(t, &tails, b, all, front, wants)
		}
		team.Close()
		if err := mem.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// list makes the list of rows of a block that missed, as a probe of their heads leaves it.
func list(tails *Tails, b int64, missed []uint32, m *Misses) {
	for i, v := range missed {
		m.list[i] = uint32(tails.slot[v])<<16 | v - uint32(b<<BlockShift)
	}
}

// checkBlock compares what both kinds of kernels find in a block with what the rows say.
func checkBlock(t *testing.T, tails *Tails, b int64, all [][]uint32, front bitset.Set, wants func(uint32, int) bool) {
	t.Helper()
	var missed []uint32
	for v := b << BlockShift; v < min((b+1)<<BlockShift, int64(len(all))); v++ {
		if len(all[v]) > 1 && v%3 != 0 {
			missed = append(missed, uint32(v))
		}
	}
	want := lookRowByRow(all, missed, front, wants)
	for _, k := range []kernel.Kernels{{}, kernel.Best()} {
		misses := NewMisses()
		got := result{parents: make([]uint32, len(all)), next: bitset.New(int64(len(all)))}
		list(tails, b, missed, &misses)
		tails.expect(b, k, &misses)
		got.examined, got.open = tails.look(b, int64(len(missed)), &Level{
			Kernels: k, Front: front, Next: got.next, Parents: got.parents, Wants: wants,
		}, &misses)
		if !slices.Equal(got.parents, want.parents) || !slices.Equal(got.next, want.next) {
			t.Fatalf("block %d of %d vertices: %v found other parents than the rows have", b, len(all), k)
		}
		if got.examined != want.examined {
			t.Fatalf("block %d: %v examined %d entries, want %d", b, k, got.examined, want.examined)
		}
		if !slices.Equal(got.open, want.open) {
			t.Fatalf("block %d: %v left %v open, want %v", b, k, got.open, want.open)
		}
	}
}

// A block is fetched ahead because of the one before it, and not of one long ago.
func TestNoRowIsExpectedAfterABlockWithoutMisses(t *testing.T) {
	all := rows(rand.New(rand.NewPCG(2, 1)), 3<<BlockShift)
	var mem arena.Arena
	defer func() { _ = mem.Close() }()
	tails, err := NewTails(int64(len(all)), 1<<32, func(v uint32) []uint32 { return all[v] }, par.NewTeam(1, nil), &mem)
	if err != nil {
		t.Fatal(err)
	}
	var missed []uint32
	for v, row := range all[:1<<BlockShift] {
		if len(row) > 1 {
			missed = append(missed, uint32(v))
		}
	}
	misses, front := NewMisses(), bitset.New(int64(len(all)))
	list(&tails, 0, missed, &misses)
	tails.look(0, int64(len(missed)), &Level{Front: front, Next: front, Parents: make([]uint32, len(all))}, &misses)
	if misses.before != int64(len(missed)) {
		t.Fatalf("%d vertices came to the first block, %d are expected in the next", len(missed), misses.before)
	}
	tails.expect(1, kernel.Best(), &misses)
	if misses.before != 0 {
		t.Errorf("%d vertices are still expected two blocks later", misses.before)
	}
}
