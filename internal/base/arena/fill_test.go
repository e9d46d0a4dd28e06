package arena

import (
	"slices"
	"testing"
)

func TestFill(t *testing.T) {
	for _, n := range []int{0, 1, 2, 682, 683, 1023, 1024, 1025, 2048, 5000} {
		narrow, wide := make([]uint32, n+1), make([][6]byte, n+1)
		Fill(narrow[:n], 7)
		Fill(wide[:n], [6]byte{1, 2, 3, 4, 5, 6})
		if !slices.Equal(narrow, append(slices.Repeat([]uint32{7}, n), 0)) {
			t.Errorf("%d entries of 4 bytes: %v", n, narrow)
		}
		if !slices.Equal(wide, append(slices.Repeat([][6]byte{{1, 2, 3, 4, 5, 6}}, n), [6]byte{})) {
			t.Errorf("%d entries of 6 bytes: %v", n, wide)
		}
	}
}
