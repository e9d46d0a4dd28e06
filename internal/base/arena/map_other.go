//go:build !linux

package arena

// Elsewhere the arrays come from Go's heap: the same results on plain pages.

func mapPages(size int) ([]byte, error) { return make([]byte, size), nil }

func unmap([]byte) {}

func unmapTail(b []byte, keep int) ([]byte, error) { return b[:keep:keep], nil }
