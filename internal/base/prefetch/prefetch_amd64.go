package prefetch

import "unsafe"

//go:noescape
func row(p *uint32)

//go:noescape
func line(p unsafe.Pointer)

//go:noescape
func each(table *uint32, pairs *uint64, count int64)

//go:noescape
func lines(a, b, c unsafe.Pointer)
