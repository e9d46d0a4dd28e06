//go:build !amd64

package cpu

var haveVectors = false

func probeHeadsAVX512(*headProbe)                 {}
func probeTailsAVX512(*tailProbe)                 {}
func scanRowAVX512(*uint32, int64, *uint64) int64 { return -1 }
func expandAVX512(*expansion)                     {}
func harvestAVX512(*harvest)                      {}
