package prefetch

import (
	"slices"
	"testing"
	"unsafe"
)

// The benchmarks of csr and engine/cpu show whether memory arrives sooner. A prefetch
// must change no value, and may reach beyond the end of an array.
func TestPrefetchChangesNothing(t *testing.T) {
	table, pairs := make([]uint32, 100), make([]uint64, 1000)
	for i := range table {
		table[i] = uint32(i)
	}
	for i := range pairs {
		pairs[i] = uint64(i%len(table))<<32 | 0xffffffff
	}
	wantTable, wantPairs := slices.Clone(table), slices.Clone(pairs)
	for n := range pairs {
		Each(table, pairs[:n])
	}
	Each(nil, nil)
	for i := range table {
		Row(&table[i])
		Line(&table[i])
		Lines(unsafe.Pointer(&table[i]), unsafe.Pointer(&pairs[i]), nil)
	}
	if !slices.Equal(table, wantTable) || !slices.Equal(pairs, wantPairs) {
		t.Error("a prefetch wrote")
	}
}
