package kernel

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A dealt is what is in the bins of all owners.
type dealt [][]uint64

// deal appends a list to bins that have one pair each.
func deal(k Kernels, list []uint32, parent uint32, owner []uint16, ends []uint64, size int) (d dealt) {
	stride := size + DealSlack
	bins, lengths := make([]uint64, len(ends)*stride), make([]uint32, len(ends))
	for o := range ends {
		bins[o*stride], lengths[o] = uint64(o), 1
	}
	k.Deal(&Deal{
		List: &list[0], Count: int64(len(list)), Parent: uint64(parent), Owner: &owner[0], Ends: &ends[0], Owners: int64(len(ends)),
		Bins: &bins[0], Stride: int64(stride), Lengths: &lengths[0],
	})
	for o := range ends {
		d = append(d, bins[o*stride:][:lengths[o]])
	}
	return d
}

// owners gives out so many blocks in order, to some owners perhaps none.
func owners(r *rand.Rand, blocks, count int) (owner []uint16, ends []uint64) {
	cuts := make([]int, count)
	for i := range cuts[1:] {
		cuts[i] = r.IntN(blocks + 1)
	}
	cuts[count-1] = blocks
	slices.Sort(cuts)
	for o, end := range cuts {
		for len(owner) < end {
			owner = append(owner, uint16(o))
		}
		ends = append(ends, uint64(end)<<BlockShift)
	}
	return owner, ends
}

// Each vertex gets into the bin of its owner, in the order of the list, whoever deals.
func TestDeal(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 1))
	for range 200 {
		blocks, count := 1+r.IntN(20), 1+r.IntN(fewOwners+2)
		owner, ends := owners(r, blocks, count)
		list, parent := randomLabels(r, 1+r.IntN(50), blocks<<BlockShift), r.Uint32()
		want := make(dealt, count)
		for o := range want {
			want[o] = []uint64{uint64(o)}
		}
		for _, u := range list {
			o := owner[u>>BlockShift]
			want[o] = append(want[o], uint64(parent)<<32|uint64(u))
		}
		for _, k := range forms() {
			if diff := cmp.Diff(want, deal(k, list, parent, owner, ends, 1+len(list))); diff != "" {
				t.Fatalf("%+v, %d owners: %s", k, count, diff)
			}
		}
	}
}
