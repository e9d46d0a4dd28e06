package kernel

import "golang.org/x/sys/cpu"

// haveVectors tells whether this processor has the instructions of the vector forms.
var haveVectors = cpu.X86.HasAVX512F && cpu.X86.HasAVX512BW && cpu.X86.HasAVX512VL &&
	cpu.X86.HasBMI1 && cpu.X86.HasBMI2 && cpu.X86.HasPOPCNT

// haveAVX2 tells whether this processor has the instructions of the AVX2 forms.
var haveAVX2 = cpu.X86.HasAVX2 && cpu.X86.HasBMI1 && cpu.X86.HasBMI2 && cpu.X86.HasPOPCNT

// compress8 has, for every set of eight lanes, the numbers of its lanes in order, a byte
// each. The AVX2 forms compress lists by it.
//
//lint:ignore U1000 avx2_amd64.s reads it
var compress8 = func() (table [256]uint64) {
	for set := range table {
		place := 0
		for lane := range 8 {
			if set>>lane&1 != 0 {
				table[set] |= uint64(lane) << (8 * place)
				place++
			}
		}
	}
	return table
}()

// havePrefetch tells that this processor can prefetch, as all amd64 processors can.
const havePrefetch = true

//go:noescape
func probeHeadsAVX512(a *HeadProbe)

//go:noescape
func probeColumnAVX512(a *ColumnProbe)

//go:noescape
func probeHeadsAVX2(a *HeadProbe)

//go:noescape
func probeColumnAVX2(a *ColumnProbe)

//go:noescape
func scanRowAVX2(row *uint32, n int64, front *uint64) int64

//go:noescape
func expandAVX2(a *Expansion)

//go:noescape
func prefetchAMD64(memory *byte, n int64)

//go:noescape
func scanRowAVX512(row *uint32, n int64, front *uint64) int64

//go:noescape
func expandAVX512(a *Expansion)

//go:noescape
func advanceAMD64(a *Advance)

//go:noescape
func bidAMD64(a *Advance)

//go:noescape
func bidRowAMD64(a *RowBid)

//go:noescape
func wonAMD64(pairs *uint64, count int64, parents, out *uint32) int64

//go:noescape
func wonAVX512(pairs *uint64, count int64, parents, out *uint32) int64

//go:noescape
func adoptAMD64(a *Adoption)

//go:noescape
func adoptRowAMD64(a *RowAdoption)

//go:noescape
func dealAVX512(a *Deal)
