package rank

import (
	"fmt"
	"slices"
)

// CheckSpans returns an error unless parts are valid for a gather of ranks into size
// bytes.
func CheckSpans(parts []Span, ranks, size int) error {
	for _, p := range parts {
		if p.Lo < 0 || p.Lo > p.Hi || p.Hi > int64(size) {
			return fmt.Errorf("rank: the part %v is not within %d bytes", p, size)
		}
	}
	if len(parts) != ranks {
		return fmt.Errorf("rank: %d parts for %d ranks", len(parts), ranks)
	}
	return nil
}

// CheckCuts returns an error unless cuts divide size bytes among the ranks of an
// exchange.
func CheckCuts(cuts []int64, ranks, size int) error {
	if len(cuts) != ranks+1 || cuts[0] < 0 || cuts[ranks] > int64(size) || !slices.IsSorted(cuts) {
		return fmt.Errorf("rank: cuts %v do not divide %d bytes among %d ranks", cuts, size, ranks)
	}
	return nil
}
