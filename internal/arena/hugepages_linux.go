package arena

import (
	"unsafe"

	"golang.org/x/sys/unix"
)

// PreferHugePages asks the kernel to back the whole huge pages within a large array
// of Go's heap by huge pages: a random store to a page of 4 KiB may cost a walk of
// the page table. A kernel that declines is no worse off.
func PreferHugePages[T any](s []T) {
	b := Bytes(s)
	start := uintptr(unsafe.Pointer(unsafe.SliceData(b)))
	skip := int(-start & (hugePage - 1))
	if inside := (len(b) - skip) &^ (hugePage - 1); inside > 0 {
		_ = unix.Madvise(b[skip:skip+inside], unix.MADV_HUGEPAGE)
	}
}
