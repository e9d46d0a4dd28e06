package sssp

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/gohops/hops/internal/guardtest"
)

// Vectors write what is written one by one, and read and write nothing outside of their arrays.
func TestVectorsWriteAsOneByOne(t *testing.T) {
	if !haveVectors {
		t.Skip("this processor has no AVX-512")
	}
	for seed := range uint64(200) {
		r := rand.New(rand.NewPCG(seed, 5))
		slots, places := make([]uint32, r.IntN(200)), make([]place[float32], 1+r.IntN(60))
		for i := range places {
			places[i] = place[float32]{r.Float32(), r.Uint32()}
		}
		for i := range slots {
			slots[i] = r.Uint32N(uint32(len(places)))
		}
		parents, distances := make([]uint32, len(slots)), make([]float32, len(slots))
		writeOneByOne(slots, places, parents, distances)
		for _, side := range guardtest.Sides {
			gotParents, gotDistances := guardtest.Copy(t, side, make([]uint32, len(slots))), guardtest.Copy(t, side, make([]float32, len(slots)))
			writeLabels(guardtest.Copy(t, side, slots), guardtest.Copy(t, side, places), gotParents, gotDistances)
			if !slices.Equal(parents, gotParents) || !slices.Equal(distances, gotDistances) {
				t.Fatalf("seed %d: other results", seed)
			}
		}
	}
}
