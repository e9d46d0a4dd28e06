package sssp

import "golang.org/x/sys/cpu"

// haveVectors tells whether this processor has the instructions of the functions below.
var haveVectors = cpu.X86.HasAVX512F && cpu.X86.HasAVX512BW && cpu.X86.HasAVX512DQ && cpu.X86.HasAVX512VL &&
	cpu.X86.HasBMI1 && cpu.X86.HasBMI2 && cpu.X86.HasPOPCNT

//go:noescape
func pullAVX512(a *vectorPull)

//go:noescape
func pullLoneAVX512(a *vectorPull)

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
