package kernel

//go:noescape
func askHeadsAVX512(a *HeadAsk)

//go:noescape
func askRowsAVX512(a *RowAsk)

//go:noescape
func compareAVX512(a *Comparison)

//go:noescape
func markAVX512(dst, now, seen *uint64, n int64)

//go:noescape
func pickAVX512(dst, src *uint64, at *uint32, n int64)
