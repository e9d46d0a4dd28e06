package hops

import (
	"syscall"
	"unsafe"
)

// preferHugePages asks the kernel to back a fresh array with huge pages, which
// Go's allocator never does: a search stores parents in random order, and each
// store to a page of 4 KiB may cost a walk of the page table. A kernel that
// declines is no worse off.
func preferHugePages[T any](s []T) {
	const page = 2 << 20
	var zero T
	start := uintptr(unsafe.Pointer(unsafe.SliceData(s)))
	end := start + uintptr(len(s))*unsafe.Sizeof(zero)
	first, last := (start+page-1)&^(page-1), end&^(page-1)
	if first >= last {
		return
	}
	inside := unsafe.Slice((*byte)(unsafe.Add(unsafe.Pointer(unsafe.SliceData(s)), first-start)), last-first)
	_ = syscall.Madvise(inside, syscall.MADV_HUGEPAGE)
}
