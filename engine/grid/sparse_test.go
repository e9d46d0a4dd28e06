package grid

import (
	"math/rand/v2"
	"testing"

	"github.com/gohops/hops/internal/arena"
)

// Rows have the entries that were put into them, also where an offset says less than the
// number of entries before the row, and as devices want them.
func TestSparseRows(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	for _, lap := range []int64{wholeLap, 1, 3, 64, 1000} {
		var mem arena.Arena
		counts := make([]uint32, 300)
		for v := range counts {
			counts[v] = uint32(max(0, rnd.IntN(40)-20))
		}
		s, err := newSparseRows(counts, lap, &mem)
		if err != nil {
			t.Fatal(err)
		}
		total := uint32(0)
		for v, n := range counts {
			row := s.row(uint32(v))
			if len(row) != int(n) || s.length(uint32(v)) != int64(n) {
				t.Fatalf("lap %d: row %d has %d entries by its length and %d, want %d", lap, v, s.length(uint32(v)), len(row), n)
			}
			for i := range row {
				row[i] = total
				total++
			}
		}
		for i, e := range s.entries {
			if e != uint32(i) {
				t.Fatalf("lap %d: entry %d is in the place of %d", lap, e, i)
			}
		}
		l := s.lines()
		for k, v := range l.Numbers {
			if n := l.Offsets[k+1] - l.Offsets[k]; n != int64(counts[v]) || &l.Entries[l.Offsets[k]] != &s.row(v)[0] {
				t.Fatalf("lap %d: line %d of row %d has %d entries, want %d", lap, k, v, n, counts[v])
			}
		}
		_ = mem.Close()
	}
}
