package csr

import (
	"slices"
	"testing"

	"github.com/gohops/hops/internal/testing/guardtest"
)

// The kernels of tiles read and write nothing beside their arrays, and do what the loops in Go do.
func TestTileKernelsStayInBounds(t *testing.T) {
	if !haveVectors || !haveShifts {
		t.Skip("no AVX-512")
	}
	d := division{columnBits: 28, columnShift: 4, stripeShift: 4}
	for k := range d.first {
		d.first[k], d.tile[k] = uint32(k/4*64), uint32(k/4*16)
	}
	for _, side := range guardtest.Sides {
		for _, n := range []int{8, 16, 40, 400} {
			pairs := guardtest.Make[uint64](t, side, n)
			for i := range pairs {
				pairs[i] = pick(uint32(i*37%256), uint32(i*11%256))
			}
			at, words := guardtest.Make[uint16](t, side, 2*n+vectorSlack), guardtest.Make[uint32](t, side, 2*n+vectorSlack)
			count := divideAVX512(&pairs[0], n, &d, &at[0], &words[0])
			wantAt, wantWords := make([]uint16, 2*n+2), make([]uint32, 2*n+2)
			var want int
			without(func() { want = d.words(pairs, wantAt, wantWords) })
			if count != want || !slices.Equal(at[:count], wantAt[:want]) || !slices.Equal(words[:count], wantWords[:want]) {
				t.Fatalf("%d words %x in tiles %d, want %x in %d", count, words[:count], at[:count], wantWords[:want], wantAt[:want])
			}
			checkCounts(t, side, at[:count])
			checkSpread(t, side, at[:count], words[:count])
			checkGroup(t, side, words[:count], d.columnBits)
		}
	}
}

func checkCounts(t *testing.T, side guardtest.Side, at []uint16) {
	at, counts, want := guardtest.Copy(t, side, at), guardtest.Make[uint32](t, side, 64), make([]uint32, 64)
	countEachAMD64(&at[0], len(at), &counts[0])
	without(func() { countEach(at, want) })
	if !slices.Equal(counts, want) {
		t.Fatalf("counts %d, want %d", counts, want)
	}
}

// checkSpread has room for one line of each place, and then none.
func checkSpread(t *testing.T, side guardtest.Side, at []uint16, words []uint32) {
	open := func() (spreader, []uint32) {
		s := spreader{
			at: guardtest.Copy(t, side, at), words: guardtest.Copy(t, side, words), ends: guardtest.Make[uint32](t, side, 64),
			lines: guardtest.Make[line](t, side, 64), buffers: guardtest.Make[uint32](t, side, 64*ringEntries),
		}
		for k := range s.ends {
			s.ends[k] = uint32(k * ringEntries)
			s.lines[k] = line{uint32(k * lineEntries), uint32((k + 1) * lineEntries)}
		}
		return s, guardtest.Make[uint32](t, side, 64*lineEntries)
	}
	run := func(s *spreader, to []uint32) (stuck []int) {
		for k := s.spread(len(at), to); k >= 0; k = s.spread(len(at), to) {
			stuck = append(stuck, k)
		}
		return stuck
	}
	a, gotA := open()
	a.past = len(at)%32 == 0
	b, gotB := open()
	stuckA := run(&a, gotA)
	var stuckB []int
	without(func() { stuckB = run(&b, gotB) })
	if !slices.Equal(gotA, gotB) || !slices.Equal(a.buffers, b.buffers) || !slices.Equal(a.ends, b.ends) ||
		!slices.Equal(a.lines, b.lines) || !slices.Equal(stuckA, stuckB) {
		t.Fatalf("the kernel spreads %d words otherwise: stuck %d, want %d", len(at), stuckA, stuckB)
	}
}

func checkGroup(t *testing.T, side guardtest.Side, words []uint32, shift uint64) {
	words = guardtest.Copy(t, side, words)
	copied, next, to := guardtest.Make[uint32](t, side, len(words)), guardtest.Make[uint32](t, side, 16), guardtest.Make[uint32](t, side, len(words))
	countRowsAMD64(&words[0], len(words), shift, &copied[0], &next[0])
	startOf(next)
	putTogetherAMD64(&copied[0], len(words), shift, &next[0], &to[0])
	want := slices.Clone(words)
	slices.SortStableFunc(want, func(a, b uint32) int { return int(a>>shift) - int(b>>shift) })
	if !slices.Equal(to, want) {
		t.Fatalf("together %x, want %x", to, want)
	}
}

// Rows of all lengths are read in order, whenever the kernel has to stop.
func TestWalkKernelStaysInBounds(t *testing.T) {
	if !haveVectors {
		t.Skip("no AVX-512")
	}
	const n, columnBits, rowShift = 40, 20, 6
	for _, side := range guardtest.Sides {
		rowAt, byRank := guardtest.Make[uint32](t, side, n+1), guardtest.Make[uint32](t, side, n)
		for v := range n {
			byRank[v] = uint32(v * 7 % n)
			rowAt[v+1] = rowAt[v] + uint32(v*v%50)
		}
		room := guardtest.Make[uint32](t, side, int(rowAt[n])+vectorSlack)
		for i := range room {
			room[i] = uint32(i * 1_000_003)
		}
		for _, most := range []int{1, 16, 50, 5000} {
			at, words := guardtest.Make[uint16](t, side, most+2*vectorSlack), guardtest.Make[uint32](t, side, most+2*vectorSlack)
			k := walk{
				byRank: &byRank[0], end: n, rowAt: &rowAt[0], room: &room[0], columnMask: 1<<columnBits - 1,
				rowShift: rowShift, up: 32 - rowShift, at: &at[0], words: &words[0], most: most,
			}
			var gotAt, wantAt []uint16
			var got, want []uint32
			for k.rank < k.end {
				walkAVX512(&k)
				gotAt, got = append(gotAt, at[:k.n]...), append(got, words[:k.n]...)
			}
			for _, v := range byRank {
				for _, w := range room[rowAt[v]:rowAt[v+1]] {
					wantAt, want = append(wantAt, uint16(w&(1<<columnBits-1)>>rowShift)), append(want, w<<(32-rowShift)|v)
				}
			}
			if !slices.Equal(got, want) || !slices.Equal(gotAt, wantAt) {
				t.Fatalf("at most %d: %d words, want %d:\n%x\n%x", most, len(got), len(want), got, want)
			}
		}
	}
}

func TestDealKernelStaysInBounds(t *testing.T) {
	if !haveShifts {
		t.Skip("no BMI2")
	}
	const rows, shift = 4, 30
	for _, side := range guardtest.Sides {
		for _, n := range []int{1, 7, 256} {
			words := guardtest.Make[uint32](t, side, n)
			for i := range words {
				words[i] = uint32(i%rows)<<shift | uint32(i/9)
			}
			tools := [2]tool{}
			for i := range tools {
				tools[i].state, tools[i].rows = guardtest.Make[uint64](t, side, rows), guardtest.Make[uint32](t, side, rows*n)
				for r := range rows {
					tools[i].state[r] = noRank<<32 | uint64(r*n)
				}
			}
			tools[0].dealWords(words, shift, &words[0])
			without(func() { tools[1].dealWords(words, shift, &words[0]) })
			for r := range rows {
				end := uint32(tools[1].state[r])
				if tools[0].state[r] != tools[1].state[r] || !slices.Equal(tools[0].rows[r*n:end], tools[1].rows[r*n:end]) {
					t.Fatalf("row %d of %d words is %d, want %d", r, n, tools[0].rows[r*n:end], tools[1].rows[r*n:end])
				}
			}
		}
	}
}
