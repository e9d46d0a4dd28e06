package bottomup

import (
	"testing"

	"github.com/gohops/hops/internal/bitset"
	"github.com/gohops/hops/internal/kernel"
)

// Only offsets that are there are prefetched, also behind the last whole word.
func TestSamplesArePrefetchedWithinTheOffsets(t *testing.T) {
	for _, rows := range []int64{1, 63, 64, 65, 64*SampleEvery - 1, 64 * SampleEvery, 64*SampleEvery + 1, 5000} {
		offsets, words := make([]int64, rows+1), int64(bitset.Words(rows))
		for lo := range words {
			PrefetchSamples(kernel.Best(), offsets, make(bitset.Set, words-lo), lo, words)
		}
		PrefetchSamples(kernel.Best(), offsets, nil, words, words)
	}
}
