package arena

import "unsafe"

// A Cut divides memory into arrays, each of which begins on a cache line. Without memory it
// only counts the bytes that they take, so that one function that lays them out finds the
// size first and the arrays then.
type Cut struct {
	Memory []byte // at least as many bytes as were counted; nil: they are counted
	Used   int64
}

// line is the size of a cache line.
const line = 64

// Next is the next array of n elements of T, which must hold no pointers; nil where the
// cut has no memory.
func Next[T any](c *Cut, n int64) []T {
	var zero T
	at, size := c.Used, n*int64(unsafe.Sizeof(zero))
	c.Used += (size + line - 1) &^ (line - 1)
	if c.Memory == nil {
		return nil
	}
	return View[T](c.Memory[at : at+size : at+size])
}
