// Package prefetch issues the processor's prefetch instruction, for which Go has no
// intrinsic function.
//
// A loop that reads memory at random waits for every cache miss, unless it prefetches
// the addresses that it will read soon. A prefetch changes nothing but the time at
// which memory arrives. On processors other than amd64 the functions do nothing.
package prefetch

import "unsafe"

// Row prefetches the 128 bytes at p. They may reach beyond the end of the array.
func Row(p *uint32) { row(p) }

// Lines prefetches the cache lines of three addresses.
func Lines(a, b, c unsafe.Pointer) { lines(a, b, c) }

// Line prefetches the cache line at p.
func Line[T any](p *T) { line(unsafe.Pointer(p)) }

// Each prefetches the entries of table whose indices are the high halves of pairs.
func Each(table []uint32, pairs []uint64) {
	each(unsafe.SliceData(table), unsafe.SliceData(pairs), int64(len(pairs)))
}
