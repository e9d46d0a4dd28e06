package cpu

import (
	"fmt"
	"testing"

	"github.com/gohops/hops/internal/testing/enginetest"
)

// Parts work on a host with a single NUMA node too, only without being faster.
func TestParts(t *testing.T) {
	if testing.Short() {
		t.Skip("parts differ in where memory lies, not in what is computed")
	}
	for _, parts := range []int{2, 4} {
		t.Run(fmt.Sprint(parts), func(t *testing.T) {
			e := engine(Options{Parts: parts, Threads: 4}, "top-down", "bottom-up")
			e.MaxPath, e.MaxScale, e.Variant = 1000, 12, true
			enginetest.Run(t, e)
		})
	}
}
