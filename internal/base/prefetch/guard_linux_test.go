package prefetch

import (
	"testing"
	"unsafe"

	"github.com/gohops/hops/internal/testing/guardtest"
)

// Each reads its pairs and nothing beside them, and no prefetch faults.
func TestPrefetchesStayInBounds(t *testing.T) {
	for _, side := range guardtest.Sides {
		for n := range 40 {
			table, pairs := guardtest.Make[uint32](t, side, 5), guardtest.Make[uint64](t, side, n)
			for i := range pairs {
				pairs[i] = uint64(i * 1000 << 32) // most of them beyond the table
			}
			Each(table, pairs)
			Row(&table[4])
			Line(&table[4])
			Lines(unsafe.Pointer(&table[0]), unsafe.Pointer(&table[4]), nil)
		}
	}
}
