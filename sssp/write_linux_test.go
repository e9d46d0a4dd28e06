package sssp

import (
	"math/rand/v2"
	"slices"
	"syscall"
	"testing"
	"unsafe"

	"github.com/gohops/hops/internal/testing/guardtest"
)

// Vectors write what is written one by one, and read and write nothing outside of their arrays.
func TestVectorsWriteAsOneByOne(t *testing.T) {
	if !haveVectors {
		t.Skip("this processor has no AVX-512")
	}
	for seed := range uint64(200) {
		r := rand.New(rand.NewPCG(seed, 5))
		slots, states := make([]uint32, r.IntN(200)), make([]state[float32], 1+r.IntN(60))
		for i := range states {
			states[i] = state[float32]{r.Float32(), r.Uint32()}
		}
		for i := range slots {
			slots[i] = r.Uint32N(uint32(len(states)))
		}
		parents, distances := make([]uint32, len(slots)), make([]float32, len(slots))
		writeOneByOne(slots, states, parents, distances)
		for _, side := range guardtest.Sides {
			gotParents, gotDistances := guardtest.Copy(t, side, make([]uint32, len(slots))), guardtest.Copy(t, side, make([]float32, len(slots)))
			writeLabels(guardtest.Copy(t, side, slots), guardtest.Copy(t, side, states), gotParents, gotDistances)
			if !slices.Equal(parents, gotParents) || !slices.Equal(distances, gotDistances) {
				t.Fatalf("seed %d: other results", seed)
			}
		}
	}
}

// Slots beyond 2³¹ are no vector's: a gather takes 32 bits for signed.
func TestHighSlotsAreWritten(t *testing.T) {
	const slots = 1<<31 + 64
	b, err := syscall.Mmap(-1, 0, 8*slots, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_PRIVATE|syscall.MAP_ANON|syscall.MAP_NORESERVE)
	if err != nil {
		t.Skipf("reserving %d bytes of address space: %v", 8*slots, err)
	}
	defer func() { _ = syscall.Munmap(b) }()
	states := unsafe.Slice((*state[float32])(unsafe.Pointer(&b[0])), slots)
	var list [128]uint32
	for i := range list {
		list[i] = slots - 1 - uint32(i)
		states[list[i]] = state[float32]{float32(i), uint32(1000 + i)}
	}
	var parents [128]uint32
	var distances [128]float32
	writeLabels(list[:], states, parents[:], distances[:])
	for i := range list {
		if parents[i] != uint32(1000+i) || distances[i] != float32(i) {
			t.Fatalf("slot %d: parent %d at %v", list[i], parents[i], distances[i])
		}
	}
}
