package sssp

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"
)

// spreads are ways in which the weights of a row may lie.
var spreads = map[string]func(r *rand.Rand) float32{
	"even":         func(r *rand.Rand) float32 { return r.Float32() },
	"the same":     func(*rand.Rand) float32 { return 3 },
	"few":          func(r *rand.Rand) float32 { return float32(r.IntN(5)) },
	"integers":     func(r *rand.Rand) float32 { return float32(1 + r.IntN(1000)) },
	"many powers":  func(r *rand.Rand) float32 { return float32(math.Exp2(float64(r.IntN(270) - 140))) },
	"one far":      func(r *rand.Rand) float32 { return r.Float32() * float32(1+r.IntN(200)/199*1e9) },
	"infinite":     func(r *rand.Rand) float32 { return r.Float32() / float32(r.IntN(3)) },
	"all infinite": func(*rand.Rand) float32 { return float32(math.Inf(1)) },
	"tiny":         func(r *rand.Rand) float32 { return math.SmallestNonzeroFloat32 * float32(r.IntN(9)) },
}

// Rows of every length are in the order of their weights, however these lie.
func TestSortedRows(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 9))
	var s sorter
	for name, weight := range spreads {
		for _, length := range []int{0, 1, 2, bucketRow - 1, bucketRow, 31, 32, 100, 1000, radixRow - 1, radixRow, 3 * radixRow} {
			row := make([]entry, length)
			for i := range row {
				w := weight(r)
				if w != w { // 0/0
					w = 0
				}
				row[i] = newEntry(w, r.Uint32())
			}
			want := slices.Clone(row)
			slices.Sort(want)
			s.sort(row)
			if !slices.IsSortedFunc(row, func(a, b entry) int { return cmp.Compare(a.weight(), b.weight()) }) {
				t.Errorf("%s: a row of %d is not sorted", name, length)
			}
			if slices.Sort(row); !slices.Equal(row, want) {
				t.Errorf("%s: a row of %d has other entries", name, length)
			}
		}
	}
}

func BenchmarkSort(b *testing.B) {
	for _, length := range []int{16, 32, 100, 1000, 3000, 10_000} {
		b.Run(strconv.Itoa(length), func(b *testing.B) {
			r := rand.New(rand.NewPCG(1, 1))
			rows := make([]entry, 1<<20/length*length)
			for i := range rows {
				rows[i] = newEntry(r.Float32(), r.Uint32())
			}
			work := make([]entry, len(rows))
			var s sorter
			for b.Loop() {
				copy(work, rows)
				for at := 0; at < len(work); at += length {
					s.sort(work[at:][:length])
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(rows)), "ns/entry")
		})
	}
}
