package bottomup

import (
	"unsafe"

	"github.com/gohops/hops/internal/bitset"
	"github.com/gohops/hops/internal/kernel"
)

// SampleEvery is the distance of the words of a bitmap whose vertices are looked up to
// estimate the row entries of a large frontier. Looking all of them up would cost a
// cache miss for each vertex.
const SampleEvery = 32

// PrefetchSamples prefetches the offsets of the rows of all vertices in the words from
// lo up to hi that may be looked up as samples: closed has the words from lo on, and in a
// word that is all ones nothing can be found.
func PrefetchSamples(k kernel.Kernels, offsets []int64, closed bitset.Set, lo, hi int64) {
	for w := (lo + SampleEvery - 1) / SampleEvery * SampleEvery; w < hi; w += SampleEvery {
		if closed[w-lo] == ^uint64(0) {
			continue
		}
		first, end := w<<6, min(w<<6+65, int64(len(offsets)))
		k.Prefetch(unsafe.Slice((*uint32)(unsafe.Pointer(&offsets[first])), 2*(end-first)))
	}
}
