package hops

import (
	"math/rand/v2"
	"testing"
)

func TestTranspose64(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, length := range []int{0, 1, 63, 64, 65} {
		words := make([]uint64, length)
		for i := range words {
			words[i] = r.Uint64()
		}
		var got [64]uint64
		transpose64(&got, words)
		for i := range 64 {
			for j := range 64 {
				want := uint64(0)
				if i < length {
					want = words[i] >> j & 1
				}
				if got[j]>>i&1 != want {
					t.Fatalf("%d words: row %d, column %d of the transpose is not %d", length, j, i, want)
				}
			}
		}
	}
}
