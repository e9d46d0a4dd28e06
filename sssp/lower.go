package sssp

import (
	"math"
	"sync/atomic"
	"unsafe"
)

// A distance has 32 bits in the benchmark and 64 bits elsewhere.
type distance interface{ float32 | float64 }

// A state is what a search knows of a vertex: a distance, and the parent that gave it. Both are in
// one cache line.
type state[D distance] struct {
	far    D
	parent uint32 // a slot
}

// Distances are never negative. In a state of 16 bytes, a set sign bit locks it: a worker has
// lowered the distance and is about to write the parent.
const sign64 = 1 << 63

// load reads a distance, which other workers may lower at the same time.
func (p *state[D]) load() D {
	if unsafe.Sizeof(*p) == 8 {
		return D(math.Float32frombits(atomic.LoadUint32((*uint32)(unsafe.Pointer(p)))))
	}
	return D(math.Float64frombits(atomic.LoadUint64((*uint64)(unsafe.Pointer(p))) &^ sign64))
}

// lower replaces a state by one of a smaller distance, and returns the distance before. It returns
// false if the distance was as small already. Distances are compared by their bits, whose order is
// the same.
func (p *state[D]) lower(to state[D]) (before D, lowered bool) {
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

// swap is lower for a state of 8 bytes, which is exchanged as a whole.
func (p *state[D]) swap(to state[D]) (before D, lowered bool) {
	at, word := (*uint64)(unsafe.Pointer(p)), *(*uint64)(unsafe.Pointer(&to))
	for {
		old := atomic.LoadUint64(at)
		before = (*state[D])(unsafe.Pointer(&old)).far
		if before <= to.far {
			return 0, false
		}
		if atomic.CompareAndSwapUint64(at, old, word) {
			return before, true
		}
	}
}
