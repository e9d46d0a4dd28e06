// Package fetch asks for memory ahead of its use.
//
// Where a loop reads places that only it can foretell, the processor waits for each
// unless it was asked for in time, and Go has no word for asking. A fetch changes
// nothing but when memory arrives; where there is no assembly for it, it does
// nothing.
package fetch

import "unsafe"

// Row asks for the first 128 bytes at p, which need not all be there.
func Row(p *uint32) { row(p) }

// Each asks for the entries of a table that the high halves of pairs name.
func Each(table []uint32, pairs []uint64) {
	each(unsafe.SliceData(table), unsafe.SliceData(pairs), int64(len(pairs)))
}
