package arena

import (
	"unsafe"

	"golang.org/x/sys/unix"
)

// mapPages returns zeroed pages. Large mappings start on a huge-page boundary,
// without which the kernel could not use huge pages at their ends.
func mapPages(size int) ([]byte, error) {
	const prot, flags = unix.PROT_READ | unix.PROT_WRITE, unix.MAP_ANON | unix.MAP_PRIVATE | unix.MAP_NORESERVE
	if size < hugePage {
		p, err := unix.MmapPtr(-1, 0, nil, uintptr(size), prot, flags)
		return bytesAt(p, size), err
	}
	p, err := unix.MmapPtr(-1, 0, nil, uintptr(size+hugePage), prot, flags)
	if err != nil {
		return nil, err
	}
	front := int(-uintptr(p) & (hugePage - 1))
	start := unsafe.Add(p, front)
	if front > 0 {
		_ = unix.MunmapPtr(p, uintptr(front))
	}
	_ = unix.MunmapPtr(unsafe.Add(start, size), uintptr(hugePage-front))
	b := bytesAt(start, size)
	_ = unix.Madvise(b, unix.MADV_HUGEPAGE) // a kernel without huge pages still gives pages
	return b, nil
}

func bytesAt(p unsafe.Pointer, size int) []byte {
	if p == nil {
		return nil
	}
	return unsafe.Slice((*byte)(p), size)
}

func unmap(b []byte) {
	_ = unix.MunmapPtr(unsafe.Pointer(unsafe.SliceData(b)), uintptr(len(b)))
}

func unmapTail(b []byte, keep int) ([]byte, error) {
	if err := unix.MunmapPtr(unsafe.Pointer(&b[keep]), uintptr(len(b)-keep)); err != nil {
		return nil, err
	}
	return b[:keep:keep], nil
}
