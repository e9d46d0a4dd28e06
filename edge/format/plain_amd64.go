package format

import "golang.org/x/sys/cpu"

// haveVectors says whether this processor has the instructions of the kernel.
var haveVectors = cpu.X86.HasAVX512VBMI2 && cpu.X86.HasAVX512VBMI && cpu.X86.HasAVX512BW && cpu.X86.HasAVX512VL && cpu.X86.HasBMI1

//go:noescape
func plainAVX512(s *lineScan)
