package bottomup

import (
	"testing"

	"github.com/gohops/hops/internal/base/arena"
	"github.com/gohops/hops/internal/base/bitset"
	"github.com/gohops/hops/internal/base/kernel"
)

// Rows of four entries that all miss: a block has 4,096 of them, so 8 KiB of slots and three columns
// of 12 KiB. The first block finds out that its columns are needed at the second one, and has no
// reason to read slots as a whole; the next block does both. A row alone takes a line of each.
func TestTouched(t *testing.T) {
	const n, length, column = 2 << BlockShift, 4, 3 << BlockShift
	row := make([]uint32, length)
	var mem arena.Arena
	defer func() { _ = mem.Close() }()
	rows, err := NewRows(n, n, func(uint32) []uint32 { return row }, &mem)
	if err != nil {
		t.Fatal(err)
	}
	nobody, m := bitset.New(n), NewMisses()
	l := &Level{Rows: &rows, Kernels: kernel.Best(), Front: bitset.New(n), Next: bitset.New(n), Parents: make([]uint32, n)}
	for b, want := range []Touched{
		{Streamed: 2 * column, Lines: (2<<BlockShift + column) / 64},
		{Streamed: 2<<BlockShift + 3*column},
	} {
		m.Touched = Touched{}
		if got := l.Block(int64(b)*BlockWords, int64(b+1)*BlockWords, nobody[b*BlockWords:], &m); got != length<<BlockShift {
			t.Fatalf("block %d examined %d entries", b, got)
		}
		if m.Touched != want {
			t.Errorf("block %d touched %+v, want %+v", b, m.Touched, want)
		}
	}
	alone := bitset.New(n)
	arena.Fill(alone, ^uint64(0))
	alone.Remove(77)
	m = NewMisses()
	if l.Block(0, BlockWords, alone, &m); m.Touched != (Touched{Lines: 4}) {
		t.Errorf("a row alone touched %+v", m.Touched)
	}
}

// Without tails, each row that misses at its head is read on its own.
func TestTouchedWithoutTails(t *testing.T) {
	const n = 1 << BlockShift
	row := make([]uint32, 9)
	l := &Level{
		Rows:  &Rows{Head: make([]uint32, n), More: bitset.New(n), Row: func(uint32) []uint32 { return row }},
		Front: bitset.New(n), Next: bitset.New(n), Parents: make([]uint32, n),
	}
	arena.Fill(l.More, ^uint64(0))
	m := NewMisses()
	if l.Block(0, BlockWords, bitset.New(n), &m); m.Touched != (Touched{Streamed: 4 * 8 * n, Lines: 2 * n}) {
		t.Errorf("%d rows touched %+v", n, m.Touched)
	}
}
