package bottomup

import (
	"math/rand/v2"
	"testing"

	"github.com/gohops/hops/internal/base/arena"
	"github.com/gohops/hops/internal/base/bitset"
	"github.com/gohops/hops/internal/base/kernel"
)

// Rows that were moved say what they said before, to those who see only their memory too. Of
// another process's rows one can begin a block, and its owner scans what is left.
func TestMovedRows(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 3))
	all := rows(r, 2<<BlockShift+100)
	for _, labels := range []int64{1 << 24, 1 << 32} {
		checkMoved(t, r, all, labels)
	}
}

func checkMoved(t *testing.T, r *rand.Rand, all [][]uint32, labels int64) {
	t.Helper()
	count := int64(len(all))
	var mem arena.Arena
	defer mem.Close()
	made, err := NewRows(count, labels, func(v uint32) []uint32 { return all[v] }, &mem)
	if err != nil {
		t.Fatal(err)
	}
	layout := made.Layout(count, labels)
	var size arena.Cut
	RowsIn(&size, layout)
	memory := make([]byte, size.Used)
	place := RowsIn(&arena.Cut{Memory: memory}, layout)
	made.MoveTo(&place, &mem)
	if mem.Live() != 0 {
		t.Errorf("%d bytes are left where the rows were", mem.Live())
	}
	seen := RowsIn(&arena.Cut{Memory: memory}, layout)

	words := bitset.Words(count)
	closed, left := make(bitset.Set, words), 0
	theirs := Level{Rows: &seen, Kernels: kernel.Best(), Front: bitset.New(count), Next: make(bitset.Set, words), Parents: make([]uint32, 64*words)}
	for v := range 64 * words {
		if v >= len(all) || len(all[v]) == 0 {
			closed.Add(uint64(v))
		} else if r.IntN(30) == 0 {
			theirs.Front.Add(uint64(v))
		}
	}
	mine := theirs
	mine.Rows = &made
	misses, examined := NewMisses(), int64(0)
	for lo := int64(0); lo < int64(words); lo += BlockWords {
		hi := min(lo+BlockWords, int64(words))
		looks, open := theirs.Begin(lo, hi, closed[lo:hi], &misses)
		left += len(open)
		examined += looks + mine.Scan(open)
	}
	if left == 0 {
		t.Error("no row goes on after its tail: make them longer")
	}
	check(t, &mine, closed, examined)
}
