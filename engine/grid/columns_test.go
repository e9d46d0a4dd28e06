package grid

import (
	"slices"
	"testing"

	"github.com/gohops/hops/internal/base/bottomup"
	"github.com/gohops/hops/internal/ranks/block"
)

// The columns of a block on a device have the entries of its rows, in the order of the
// rows, however many threads make them.
func TestColumnsOfABlock(t *testing.T) {
	src := kronecker(t, 14)
	for _, threads := range []int{1, 2, 3} {
		attach := func(b block.Block, _ int) (block.Accelerator, error) {
			if b.Height <= int64(threads)*64*bottomup.BlockWords {
				t.Errorf("%d rows make fewer bands than %d", b.Height, threads)
			}
			want := make([][]uint32, b.Width)
			for k, v := range b.Rows.Numbers {
				for _, u := range b.Rows.Entries[b.Rows.Offsets[k]:b.Rows.Offsets[k+1]] {
					want[u] = append(want[u], v)
				}
			}
			for k, u := range b.Columns.Numbers {
				if column := b.Columns.Entries[b.Columns.Offsets[k]:b.Columns.Offsets[k+1]]; !slices.Equal(column, want[u]) {
					t.Errorf("%d threads: column %d is %v, want %v", threads, u, column, want[u])
					break
				}
			}
			if len(b.Columns.Entries) != len(b.Rows.Entries) || len(b.Rows.Entries) == 0 {
				t.Errorf("%d threads: %d entries in columns, %d in rows", threads, len(b.Columns.Entries), len(b.Rows.Entries))
			}
			return newPlain(b, nil), nil
		}
		mustBuild(t, src, Options{Ranks: 2, Shape: "1x2", Threads: threads, Device: on(attach)})
	}
}
