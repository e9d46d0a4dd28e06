package sssp

import (
	"math"
	"sync/atomic"
	"unsafe"
)

// A distance has 32 bits in the benchmark and 64 bits elsewhere.
type distance interface{ float32 | float64 }

// A place is the state of a vertex: the distance that it has and the parent by which it
// got it. One cache line has both.
type place[D distance] struct {
	far    D
	parent uint32 // a slot
}

// Distances are never negative. In a place of 16 bytes, a set sign bit means that a worker
// has lowered the distance and is about to write the parent that belongs to it.
const sign64 = 1 << 63

// load reads a distance that other workers may lower meanwhile.
func (p *place[D]) load() D {
	if unsafe.Sizeof(*p) == 8 {
		return D(math.Float32frombits(atomic.LoadUint32((*uint32)(unsafe.Pointer(p)))))
	}
	return D(math.Float64frombits(atomic.LoadUint64((*uint64)(unsafe.Pointer(p))) &^ sign64))
}

// lower makes a distance smaller, and by the parent, and returns what it was before. It
// returns false if the distance is as small already. Bits of distances are in the order
// of the distances.
func (p *place[D]) lower(to place[D]) (before D, lowered bool) {
	if unsafe.Sizeof(*p) == 8 {
		return p.swap(to)
	}
	at, bits := (*uint64)(unsafe.Pointer(p)), math.Float64bits(float64(to.far))
	for {
		old := atomic.LoadUint64(at)
		if old&^sign64 <= bits {
			return 0, false
		}
		if old&sign64 == 0 && atomic.CompareAndSwapUint64(at, old, bits|sign64) {
			p.parent = to.parent
			atomic.StoreUint64(at, bits)
			return D(math.Float64frombits(old)), true
		}
	}
}

// swap is lower for a place of 8 bytes, which is exchanged as a whole.
func (p *place[D]) swap(to place[D]) (before D, lowered bool) {
	at, word := (*uint64)(unsafe.Pointer(p)), *(*uint64)(unsafe.Pointer(&to))
	for {
		old := atomic.LoadUint64(at)
		before = (*place[D])(unsafe.Pointer(&old)).far
		if before <= to.far {
			return 0, false
		}
		if atomic.CompareAndSwapUint64(at, old, word) {
			return before, true
		}
	}
}
