package arena

import "unsafe"

// OnHeap returns a zeroed array of n elements of T on Go's heap, which the garbage
// collector frees. A large one begins on a huge page, and its whole huge pages are
// huge where the kernel can have it so.
func OnHeap[T any](n int) []T {
	var zero T
	size := int(unsafe.Sizeof(zero))
	if n < hugePage/size {
		return make([]T, n)
	}
	room := make([]T, n+hugePage/size)
	skip := int(-uintptr(unsafe.Pointer(unsafe.SliceData(room)))&(hugePage-1)) / size
	preferHugePages(Bytes(room[skip:])[:(len(room)-skip)*size&^(hugePage-1)])
	return room[skip:][:n:n]
}
