//go:build linux

// Package guardtest allocates arrays beside pages that no program can access, so that a
// test notices every read or write outside of an array.
package guardtest

import (
	"syscall"
	"testing"
	"unsafe"
)

// A Side says which of its ends an array has at a guard page.
type Side int

// The ends of an array. There are guard pages on both sides; a single entry too many is
// noticed at the end that touches one.
const (
	Start Side = iota
	End
)

// Sides are all sides.
var Sides = []Side{Start, End}

func (s Side) String() string { return [...]string{"start", "end"}[s] }

// Copy returns a copy of list that touches a guard page on the given side. An array of no
// entries is an address in that page.
func Copy[T any](t testing.TB, side Side, list []T) []T {
	t.Helper()
	var zero T
	size := len(list) * int(unsafe.Sizeof(zero))
	page := syscall.Getpagesize()
	inner := (size + page - 1) / page * page
	b, err := syscall.Mmap(-1, 0, inner+2*page, syscall.PROT_NONE, syscall.MAP_PRIVATE|syscall.MAP_ANON)
	if err != nil {
		t.Fatalf("guardtest: %v", err)
	}
	t.Cleanup(func() { _ = syscall.Munmap(b) })
	if inner > 0 {
		if err := syscall.Mprotect(b[page:page+inner], syscall.PROT_READ|syscall.PROT_WRITE); err != nil {
			t.Fatalf("guardtest: %v", err)
		}
	}
	first := page
	if side == End {
		first += inner - size
	}
	array := unsafe.Slice((*T)(unsafe.Pointer(&b[first])), len(list))
	copy(array, list)
	return array
}

// Make is Copy of n zeros.
func Make[T any](t testing.TB, side Side, n int) []T { return Copy(t, side, make([]T, n)) }
