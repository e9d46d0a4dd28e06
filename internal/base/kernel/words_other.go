//go:build !amd64

package kernel

func askHeadsAVX512(*HeadAsk)                    {}
func askRowsAVX512(*RowAsk)                      {}
func compareAVX512(*Comparison)                  {}
func markAVX512(dst, now, seen *uint64, n int64) {}

func pickAVX512(dst, src *uint64, at *uint32, n int64) {}
