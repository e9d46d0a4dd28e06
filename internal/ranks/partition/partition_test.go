package partition

import (
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func TestPartition(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		entries := make([]uint64, rapid.IntRange(1, 20_000).Draw(t, "vertices"))
		workers := rapid.IntRange(1, 40).Draw(t, "workers")
		r := rand.New(rand.NewPCG(1, rapid.Uint64().Draw(t, "seed")))
		even := Even(uint64(len(entries)), 1+r.IntN(50), 1)
		weights := make([]uint64, len(even.Owners))
		total, most := uint64(0), uint64(0) // of all granules, of one
		for v := range entries {
			entries[v] = r.Uint64N(100)
			weights[v>>even.Shift] += entries[v]
			total += entries[v] + VertexWeight
		}
		for i, w := range weights {
			most = max(most, w+VertexWeight*min(1<<even.Shift, uint64(len(entries)-i<<even.Shift)))
		}
		p := even.Weighed(weights, workers, 1)
		if p.Cuts[0] != 0 || p.Cuts[workers] != uint64(len(entries)) || !slices.IsSorted(p.Cuts) {
			t.Fatalf("cuts %v of %d vertices", p.Cuts, len(entries))
		}
		for w := range workers {
			if c := p.Cuts[w]; c%64 != 0 && c != p.N {
				t.Fatalf("worker %d starts inside a word, at %d", w, c)
			}
			share := uint64(0)
			for v := p.Cuts[w]; v < p.Cuts[w+1]; v++ {
				share += entries[v] + VertexWeight
				if p.Owner(v) != w {
					t.Fatalf("vertex %d belongs to %d, not to %d", v, p.Owner(v), w)
				}
			}
			if share > total/uint64(workers)+most {
				t.Fatalf("worker %d of %d has %d of %d", w, workers, share, total)
			}
		}
	})
}

// A graph of 2^48 vertices is divided without an overflow.
func TestManyVertices(t *testing.T) {
	const n = 1 << 48
	p := Even(n, 4096, 4)
	if got := p.Most(); got != n/1024 || p.Owner(n-1) != 4095 {
		t.Errorf("a rank has %d vertices, want %d; worker %d has the last", got, uint64(n)/1024, p.Owner(n-1))
	}
}

// Workers are not limited in number, and the table of owners stays small beside them.
func TestManyWorkers(t *testing.T) {
	const n, workers = 1 << 40, 200_000
	p := Even(n, workers, 2)
	for w := 1; w < workers; w += 997 {
		if v := p.Cuts[w]; p.Owner(v) != w || p.Owner(v-1) != w-1 {
			t.Fatalf("vertices %d and %d belong to workers %d and %d", v-1, v, p.Owner(v-1), p.Owner(v))
		}
	}
	if most := 2 * leastGranules * workers; len(p.Owners) > most {
		t.Errorf("%d granules", len(p.Owners))
	}
}
