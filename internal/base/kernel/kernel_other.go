//go:build !amd64

package kernel

var haveVectors, haveAVX2 = false, false

const havePrefetch = false

func probeHeadsAVX512(*HeadProbe)                      {}
func probeColumnAVX512(*ColumnProbe)                   {}
func probeHeadsAVX2(*HeadProbe)                        {}
func probeColumnAVX2(*ColumnProbe)                     {}
func scanRowAVX2(*uint32, int64, *uint64) int64        { return -1 }
func expandAVX2(*Expansion)                            {}
func prefetchAMD64(*byte, int64)                       {}
func scanRowAVX512(*uint32, int64, *uint64) int64      { return -1 }
func expandAVX512(*Expansion)                          {}
func advanceAMD64(*Advance)                            {}
func bidAMD64(*Advance)                                {}
func bidRowAMD64(*RowBid)                              {}
func wonAMD64(*uint64, int64, *uint32, *uint32) int64  { return 0 }
func wonAVX512(*uint64, int64, *uint32, *uint32) int64 { return 0 }
func adoptAMD64(*Adoption)                             {}
func adoptRowAMD64(*RowAdoption)                       {}
func dealAVX512(*Deal)                                 {}
