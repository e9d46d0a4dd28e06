package arena

import "golang.org/x/sys/unix"

// preferHugePages asks the kernel to back memory of Go's heap by huge pages: a random
// store to a page of 4 KiB may cost a walk of the page table. The first call is for pages
// that are not there yet; the second replaces those that the heap has used before. A
// kernel that declines is no worse off.
func preferHugePages(b []byte) {
	_ = unix.Madvise(b, unix.MADV_HUGEPAGE)
	_ = unix.Madvise(b, unix.MADV_COLLAPSE)
}
