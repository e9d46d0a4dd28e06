package fetch

import (
	"slices"
	"testing"
)

// Whether memory came sooner is a benchmark's affair (those of csr and engine/cpu).
// A fetch must leave everything as it is, and may be asked for beyond the end.
func TestFetchChangesNothing(t *testing.T) {
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
	}
	if !slices.Equal(table, wantTable) || !slices.Equal(pairs, wantPairs) {
		t.Error("a fetch wrote")
	}
}
