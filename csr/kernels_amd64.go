package csr

import "golang.org/x/sys/cpu"

// Whether this processor has the instructions of the kernels.
var (
	haveVectors = cpu.X86.HasAVX512F && cpu.X86.HasAVX512BW && cpu.X86.HasPOPCNT
	haveShifts  = cpu.X86.HasBMI2
)

//go:noescape
func pickAVX512(pairs *uint64, n int, first, span uint32, ends uint64, picked *uint64) (count int)

//go:noescape
func scatterAMD64(s *scatter)

//go:noescape
func splitAVX512(from *uint64, n int, mask uint64, rowOf *uint16, ranks *uint32)

//go:noescape
func countAMD64(ranks *uint32, n int, low, high *uint32, width uint64)

//go:noescape
func firstAMD64(rowOf *uint16, ranks *uint32, n int, words *uint64, next *uint32, mask uint64)

//go:noescape
func passAMD64(from *uint64, n int, to *uint64, next *uint32, shift, mask uint64)

//go:noescape
func dealAMD64(words *uint64, n int, byRank *uint32, state *uint64, rows *uint32)

//go:noescape
func largestAVX512(pairs *uint64, n int) uint32

//go:noescape
func divideAVX512(pairs *uint64, n int, d *division, at *uint16, words *uint32) (count int)

//go:noescape
func countEachAMD64(at *uint16, n int, counts *uint32)

//go:noescape
func spreadAVX512(s *spreading)

//go:noescape
func countRowsAMD64(tile *uint32, n int, shift uint64, copied, counts *uint32)

//go:noescape
func putTogetherAMD64(words *uint32, n int, shift uint64, next, to *uint32)

//go:noescape
func walkAVX512(w *walk)

//go:noescape
func dealWordsAMD64(words *uint32, n int, shift uint64, last *uint64, rows, next *uint32)
