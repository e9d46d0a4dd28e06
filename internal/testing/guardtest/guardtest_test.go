//go:build linux

package guardtest

import (
	"runtime/debug"
	"testing"
	"unsafe"
)

// touch reports whether reading the byte faults.
func touch(p *byte) (faults bool) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() { faults = recover() != nil }()
	sink = *p
	return false
}

var sink byte

func TestTheNextEntryFaults(t *testing.T) {
	for _, side := range Sides {
		for _, n := range []int{1, 7, 4096, 5000} {
			a := Make[byte](t, side, n)
			first, last := unsafe.Pointer(&a[0]), unsafe.Pointer(&a[n-1])
			if touch(&a[0]) || touch(&a[n-1]) {
				t.Fatalf("%v, %d bytes: the array itself faults", side, n)
			}
			before, after := touch((*byte)(unsafe.Add(first, -1))), touch((*byte)(unsafe.Add(last, 1)))
			if side == Start && !before || side == End && !after {
				t.Errorf("%v, %d bytes: before %v, after %v", side, n, before, after)
			}
		}
	}
}

func TestCopyCopies(t *testing.T) {
	a := Copy(t, End, []uint32{3, 5})
	if len(a) != 2 || a[0] != 3 || a[1] != 5 || len(Make[uint64](t, Start, 0)) != 0 {
		t.Errorf("%v", a)
	}
}
