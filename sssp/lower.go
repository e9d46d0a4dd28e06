package sssp

import (
	"math"
	"sync/atomic"
	"unsafe"
)

// A distance has 32 bits in the benchmark and 64 bits elsewhere.
type distance interface{ float32 | float64 }

// Distances are never negative. A set sign bit means that a worker has lowered the
// distance and is about to write the parent that belongs to it.
const (
	sign32 = 1 << 31
	sign64 = 1 << 63
)

// load reads a distance that other workers may lower meanwhile.
func load[D distance](p *D) D {
	if unsafe.Sizeof(*p) == 4 {
		return D(math.Float32frombits(atomic.LoadUint32((*uint32)(unsafe.Pointer(p))) &^ sign32))
	}
	return D(math.Float64frombits(atomic.LoadUint64((*uint64)(unsafe.Pointer(p))) &^ sign64))
}

// lower makes a distance smaller, and by the parent, and returns what it was before. It
// returns false if the distance is as small already. Bits of distances are in the order
// of the distances.
func lower[D distance](p *D, parent *uint32, to D, by uint32) (before D, lowered bool) {
	if unsafe.Sizeof(*p) == 4 {
		at, bits := (*uint32)(unsafe.Pointer(p)), math.Float32bits(float32(to))
		for {
			old := atomic.LoadUint32(at)
			if old&^sign32 <= bits {
				return 0, false
			}
			if old&sign32 == 0 && atomic.CompareAndSwapUint32(at, old, bits|sign32) {
				*parent = by
				atomic.StoreUint32(at, bits)
				return D(math.Float32frombits(old)), true
			}
		}
	}
	at, bits := (*uint64)(unsafe.Pointer(p)), math.Float64bits(float64(to))
	for {
		old := atomic.LoadUint64(at)
		if old&^sign64 <= bits {
			return 0, false
		}
		if old&sign64 == 0 && atomic.CompareAndSwapUint64(at, old, bits|sign64) {
			*parent = by
			atomic.StoreUint64(at, bits)
			return D(math.Float64frombits(old)), true
		}
	}
}
