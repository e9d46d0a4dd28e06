package sssp

import (
	"math"
	"unsafe"
)

// writeLabels writes the parents and distances of some slots in the order of labels, with one read
// for each vertex and no branch.
func writeLabels[D distance](slots []uint32, states []state[D], parents []uint32, distances []D) {
	parents, distances = parents[:len(slots)], distances[:len(slots)]
	if unsafe.Sizeof(state[D]{}) == 8 && haveVectors && len(states) < math.MaxInt32 {
		done := writeVectors(slots, states, parents, distances)
		slots, parents, distances = slots[done:], parents[done:], distances[done:]
	}
	writeOneByOne(slots, states, parents, distances)
}

func writeOneByOne[D distance](slots []uint32, states []state[D], parents []uint32, distances []D) {
	parents, distances = parents[:len(slots)], distances[:len(slots)]
	for i, s := range slots {
		p := states[s]
		distances[i], parents[i] = p.far, p.parent
	}
}

// writeLanes is how many vertices writeAVX512 writes at a time.
const writeLanes = 16

// vectorWrite holds the arguments of writeAVX512, which reads the fields by their offsets.
type vectorWrite struct {
	slots     *uint32
	count     int64 // a multiple of writeLanes
	states    *uint64
	parents   *uint32
	distances unsafe.Pointer
}

// writeVectors writes as many vertices as fill whole vectors, and returns their number.
func writeVectors[D distance](slots []uint32, states []state[D], parents []uint32, distances []D) int {
	count := len(slots) &^ (writeLanes - 1)
	if count > 0 {
		writeAVX512(&vectorWrite{
			&slots[0], int64(count), (*uint64)(unsafe.Pointer(&states[0])), &parents[0], unsafe.Pointer(&distances[0]),
		})
	}
	return count
}
