package edge

import (
	"testing"
	"unsafe"

	"github.com/gohops/hops"
	"github.com/gohops/hops/internal/testing/guardtest"
)

// The kernels read their constants and streams, and write whole groups of edges and
// draws, with guard pages around each of them.
func TestKernelsStayInBounds(t *testing.T) {
	for _, run := range kernels {
		for _, side := range guardtest.Sides {
			for groups := range 5 {
				for _, scale := range []int{1, 7, 20} {
					k := kronecker(t, scale)
					k.limit = 0 // no draw is rejected
					b := newBulkWith(run, k)
					constants := guardtest.Copy(t, side, []constants{b.constants})
					constants[0].topBit = &guardtest.Copy(t, side, unsafe.Slice(b.topBit, scale))[0]
					streams := guardtest.Copy(t, side, []lanes{spread(k, k.seed)})
					edges := guardtest.Make[hops.Edge](t, side, groups*groupEdges)
					draws := guardtest.Make[uint32](t, side, groups*groupEdges)
					if done := run(&constants[0], &streams[0], unsafe.SliceData(edges), unsafe.SliceData(draws), groups); done != groups {
						t.Fatalf("%s made %d of %d groups", run.name(), done, groups)
					}
					want, wantDraws := make([]hops.Edge, len(edges)), make([]uint32, len(draws))
					k.serial(want, wantDraws, k.seed)
					for i := range want {
						if edges[i] != want[i] || draws[i] != wantDraws[i] {
							t.Fatalf("%s, scale %d: edge %d is %v, want %v", run.name(), scale, i, edges[i], want[i])
						}
					}
				}
			}
		}
	}
}
