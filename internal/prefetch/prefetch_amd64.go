package prefetch

//go:noescape
func row(p *uint32)

//go:noescape
func each(table *uint32, pairs *uint64, count int64)
