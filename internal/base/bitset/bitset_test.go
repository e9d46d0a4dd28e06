package bitset

import (
	"testing"

	"pgregory.net/rapid"
)

// The rank of an integer is how many of the set come before it.
func TestRanks(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		const n = 300
		set, members := New(n), rapid.SliceOfDistinct(rapid.Uint64Range(0, n-1), rapid.ID).Draw(t, "members")
		for _, i := range members {
			set.Add(i)
		}
		ranks := set.Ranks()
		for i := range uint64(n) {
			before := 0
			for _, m := range members {
				if m < i {
					before++
				}
			}
			if got := set.Rank(ranks, i); int(got) != before {
				t.Fatalf("%d has rank %d among %v", i, got, members)
			}
		}
	})
}
