package arena

import (
	"testing"
	"unsafe"
)

// Arrays on the heap have their length, are zero, and begin on a huge page if large.
func TestOnHeap(t *testing.T) {
	for _, n := range []int{0, 1, hugePage/8 - 1, hugePage / 8, hugePage/8 + 1, hugePage, hugePage + 12345} {
		s := OnHeap[uint64](n)
		if len(s) != n || cap(s) < n {
			t.Fatalf("%d elements of capacity %d, want %d", len(s), cap(s), n)
		}
		for i := range s {
			if s[i] != 0 {
				t.Fatalf("element %d of %d is not zero", i, n)
			}
			s[i] = uint64(i)
		}
		if start := uintptr(unsafe.Pointer(unsafe.SliceData(s))); n >= hugePage/8 && start%hugePage != 0 {
			t.Errorf("%d elements begin at %x", n, start)
		}
	}
}
