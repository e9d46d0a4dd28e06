package sssp

import "golang.org/x/sys/cpu"

// haveVectors tells whether this processor has the instructions of the functions below.
var haveVectors = cpu.X86.HasAVX512F && cpu.X86.HasAVX512BW && cpu.X86.HasAVX512DQ && cpu.X86.HasAVX512VL &&
	cpu.X86.HasBMI1 && cpu.X86.HasBMI2 && cpu.X86.HasPOPCNT

// haveAVX2 tells whether it has the instructions of the AVX2 kernels.
var haveAVX2 = cpu.X86.HasAVX2 && cpu.X86.HasBMI1 && cpu.X86.HasBMI2 && cpu.X86.HasPOPCNT

// compress8 has, for every set of eight lanes, the numbers of its lanes in order, a byte each, and
// compress4 for every set of four lanes of two words the numbers of their words. The AVX2 kernels
// compress lists by them.
//
//lint:ignore U1000 the assembly reads them
var compress8, compress4 = func() (eight [256]uint64, four [16]uint64) {
	for set := range eight {
		state := 0
		for lane := range 8 {
			if set>>lane&1 == 0 {
				continue
			}
			eight[set] |= uint64(lane) << (8 * state)
			if lane < 4 && set < len(four) {
				four[set] |= uint64(2*lane|(2*lane+1)<<8) << (16 * state)
			}
			state++
		}
	}
	return eight, four
}()

//go:noescape
func pullAVX2(a *vectorPull)

//go:noescape
func pullFirstOnlyAVX2(a *vectorPull)

//go:noescape
func pullAVX512(a *vectorPull)

//go:noescape
func pullFirstOnlyAVX512(a *vectorPull)

//go:noescape
func pushAVX512(a *vectorPush)

//go:noescape
func pullRowsAVX512(a *vectorPull)

//go:noescape
func settleAVX512(a *vectorPull)

//go:noescape
func pushRowsAVX512(a *vectorRows)

//go:noescape
func writeAVX512(a *vectorWrite)
