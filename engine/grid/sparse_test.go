package grid

import (
	"math/rand/v2"
	"testing"

	"github.com/gohops/hops/internal/base/arena"
)

// Rows have the entries that were put into them, with ends of 16 bits and of 32, and as
// devices want them.
func TestSparseRows(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	for _, narrow := range []int64{mostNarrow, 0} {
		var mem arena.Arena
		counts := make([]uint32, 300)
		for v := range counts {
			counts[v] = uint32(max(0, rnd.IntN(40)-20))
		}
		s, err := newRows(counts, narrow, &mem)
		if err != nil {
			t.Fatal(err)
		}
		total := uint32(0)
		for v, n := range counts {
			row := s.row(uint32(v))
			if len(row) != int(n) || s.length(uint32(v)) != int64(n) {
				t.Fatalf("%d entries in 16 bits: row %d has %d entries by its length and %d, want %d", narrow, v, s.length(uint32(v)), len(row), n)
			}
			for i := range row {
				row[i] = total
				total++
			}
		}
		for i, e := range s.entries {
			if e != uint32(i) {
				t.Fatalf("%d entries in 16 bits: entry %d is in the place of %d", narrow, e, i)
			}
		}
		l := s.lines()
		for k, v := range l.Numbers {
			if n := l.Offsets[k+1] - l.Offsets[k]; n != int64(counts[v]) || &l.Entries[l.Offsets[k]] != &s.row(v)[0] {
				t.Fatalf("%d entries in 16 bits: line %d of row %d has %d entries, want %d", narrow, k, v, n, counts[v])
			}
		}
		_ = mem.Close()
	}
}

// Ends take 16 bits up to the most entries that 16 bits count, and rows are right on both
// sides of that.
func TestEndsOfFullWords(t *testing.T) {
	for _, most := range []uint32{mostNarrow - 1, mostNarrow, mostNarrow + 1, 3 * mostNarrow} {
		var mem arena.Arena
		counts := make([]uint32, 128)
		counts[3], counts[63], counts[64], counts[127] = most-7, 7, 1, 2
		s, err := newRows(counts, mostNarrow, &mem)
		if err != nil {
			t.Fatal(err)
		}
		if narrow := s.narrow != nil; narrow != (most <= mostNarrow) {
			t.Errorf("a word of %d entries: ends of 16 bits: %t", most, narrow)
		}
		for _, v := range []uint32{3, 63, 64, 127} {
			if n := s.length(v); n != int64(counts[v]) {
				t.Errorf("a word of %d entries: row %d has %d, want %d", most, v, n, counts[v])
			}
		}
		_ = mem.Close()
	}
}
