package launch

import (
	"bytes"
	"fmt"
	"testing"
	"unsafe"

	"github.com/gohops/hops/internal/device/mpi"
)

// The ranks of a host touch every huge page between them.
func TestTouch(t *testing.T) {
	hosts := []int{0, 1, 0, 0, 1}
	for _, pages := range []int{0, 1, 2, 7} {
		memory := bytes.Repeat([]byte{1}, pages*hugePage)
		for _, r := range []int{0, 2, 3} {
			(&comm{Comm: &mpi.Comm{Rank: r}, hosts: hosts}).touch(memory)
		}
		for page := range pages {
			if memory[page*hugePage] != 0 {
				t.Errorf("nobody has touched page %d of %d", page, pages)
			}
		}
		if touched := bytes.Count(memory, []byte{0}); touched != pages {
			t.Errorf("%d bytes of %d pages were touched", touched, pages)
		}
	}
}

// Two mappings of a file are the same memory, of at least the size that was asked for, zeroed
// and, in huge pages, at a boundary of these.
func TestMappingsAreTheSameMemory(t *testing.T) {
	for _, c := range []struct {
		size int64
		huge bool
	}{{1, false}, {5000, false}, {hugePage, false}, {hugeFrom, true}, {hugePage + 1, true}, {3 * hugePage, true}} {
		f, err := newSharedFile(c.size, c.huge)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		one, err := mapFile("", f)
		if err != nil {
			t.Fatal(err)
		}
		defer unmap(one)
		other, err := mapFile(fmt.Sprintf("/proc/self/fd/%d", f.Fd()), nil)
		if err != nil {
			t.Fatal(err)
		}
		defer unmap(other)
		if int64(len(one)) < c.size || len(one) != len(other) || &one[0] == &other[0] {
			t.Fatalf("%+v: %d and %d bytes at %p and %p", c, len(one), len(other), &one[0], &other[0])
		}
		if c.huge && (uintptr(unsafe.Pointer(&one[0]))|uintptr(unsafe.Pointer(&other[0])))%hugePage != 0 {
			t.Errorf("%+v: mapped at %p and %p", c, &one[0], &other[0])
		}
		for i := range one {
			if one[i] != 0 {
				t.Fatalf("%+v: byte %d is %d at first", c, i, one[i])
			}
			one[i] = byte(i*7 + i>>12)
		}
		for i := range other {
			if other[i] != byte(i*7+i>>12) {
				t.Fatalf("%+v: byte %d differs", c, i)
			}
		}
	}
}
