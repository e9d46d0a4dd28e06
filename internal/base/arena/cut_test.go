package arena

import (
	"testing"
	"unsafe"
)

// The same arrays are counted first and cut then: they begin on cache lines, have their
// lengths, and none of them overlaps another.
func TestCut(t *testing.T) {
	lay := func(c *Cut) (a []byte, b []uint32, none, d []uint64) {
		return Next[byte](c, 65), Next[uint32](c, 16), Next[uint64](c, 0), Next[uint64](c, 3)
	}
	var count Cut
	if a, b, _, d := lay(&count); a != nil || b != nil || d != nil {
		t.Error("an array without memory")
	}
	if want := int64(128 + 64 + 64); count.Used != want {
		t.Fatalf("%d bytes, want %d", count.Used, want)
	}
	memory := OnHeap[byte](int(count.Used) + line)
	skip := -uintptr(unsafe.Pointer(&memory[0])) & (line - 1)
	a, b, none, d := lay(&Cut{Memory: memory[skip:][:count.Used]})
	if len(a) != 65 || len(b) != 16 || len(none) != 0 || len(d) != 3 || cap(d) != 3 {
		t.Fatalf("%d, %d, %d and %d elements", len(a), len(b), len(none), len(d))
	}
	Fill(a, 1)
	Fill(b, 2)
	Fill(d, 3)
	for i, at := range []uintptr{uintptr(unsafe.Pointer(&a[0])), uintptr(unsafe.Pointer(&b[0])), uintptr(unsafe.Pointer(&d[0]))} {
		if at%line != 0 {
			t.Errorf("array %d begins at %x", i, at)
		}
	}
	if a[64] != 1 || b[0] != 2 || b[15] != 2 || d[0] != 3 {
		t.Error("arrays overlap")
	}
}
