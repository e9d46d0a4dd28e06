package partition

import (
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func TestPartition(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		entries := make([]uint32, rapid.IntRange(1, 20_000).Draw(t, "vertices"))
		workers := rapid.IntRange(1, 40).Draw(t, "workers")
		r := rand.New(rand.NewPCG(1, rapid.Uint64().Draw(t, "seed")))
		total, most := int64(0), int64(0) // of all words, of one
		sum := int64(0)
		for v := range entries {
			entries[v] = r.Uint32N(100)
			total += weight(entries[v], 1000)
			sum += weight(entries[v], 1000)
			if v%64 == 63 || v == len(entries)-1 {
				most, sum = max(most, sum), 0
			}
		}
		p := New(entries, 1000, workers, 1)
		if p.Cuts[0] != 0 || p.Cuts[workers] != uint32(len(entries)) || !slices.IsSorted(p.Cuts) {
			t.Fatalf("cuts %v of %d vertices", p.Cuts, len(entries))
		}
		for w := range workers {
			if c := p.Cuts[w]; c%64 != 0 && int(c) != len(entries) {
				t.Fatalf("worker %d starts inside a word, at %d", w, c)
			}
			share := int64(0)
			for v := p.Cuts[w]; v < p.Cuts[w+1]; v++ {
				share += weight(entries[v], 1000)
				if p.Owner(v) != w {
					t.Fatalf("vertex %d belongs to %d, not to %d", v, p.Owner(v), w)
				}
			}
			if share > total/int64(workers)+most {
				t.Fatalf("worker %d of %d has %d of %d", w, workers, share, total)
			}
		}
	})
}
