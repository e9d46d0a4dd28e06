//go:build !amd64

package csr

// There are no kernels for this processor: bin.go has the same in Go.
var haveVectors, haveShifts = false, false

func pickAVX512(*uint64, int, uint32, uint32, uint64, *uint64) int { panic("csr: no vectors") }

func scatterAMD64(*scatter) { panic("csr: no kernel") }

func splitAVX512(*uint64, int, uint64, *uint16, *uint32) { panic("csr: no vectors") }

func countAMD64(*uint32, int, *uint32, *uint32, uint64) { panic("csr: no kernel") }

func firstAMD64(*uint16, *uint32, int, *uint64, *uint32, uint64) { panic("csr: no kernel") }

func passAMD64(*uint64, int, *uint64, *uint32, uint64, uint64) { panic("csr: no kernel") }

func dealAMD64(*uint64, int, *uint32, *uint64, *uint32) { panic("csr: no kernel") }

func largestAVX512(*uint64, int) uint32 { panic("csr: no vectors") }

func divideAVX512(*uint64, int, *division, *uint16, *uint32) int { panic("csr: no vectors") }

func countEachAMD64(*uint16, int, *uint32) { panic("csr: no kernel") }

func spreadAVX512(*spreading) { panic("csr: no vectors") }

func countRowsAMD64(*uint32, int, uint64, *uint32, *uint32) { panic("csr: no kernel") }

func putTogetherAMD64(*uint32, int, uint64, *uint32, *uint32) { panic("csr: no kernel") }

func walkAVX512(*walk) { panic("csr: no vectors") }

func dealWordsAMD64(*uint32, int, uint64, *uint64, *uint32, *uint32) { panic("csr: no kernel") }
