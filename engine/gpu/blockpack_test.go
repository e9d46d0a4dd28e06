package gpu

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/gohops/hops/internal/ranks/block"
	"github.com/gohops/hops/internal/ranks/rank"
)

// A bitmap that one block packs is the same where another takes it from its memory, and where it
// arrives by another way. Chunks with few members are lists, others words: the bytes say which.
func TestPackedBitmaps(t *testing.T) { eachDriver(t, packAndTake) }

func packAndTake(t *testing.T, driver string) {
	r, all := rand.New(rand.NewPCG(3, 4)), &deviceBlocks{Driver: driver}
	for _, height := range []int64{64, 1 << 16, 5<<16 + 192} {
		x := newPackedRow(t, all, height)
		for _, every := range []uint64{0, 1000, 20, 16, 2, 1} {
			t.Run(fmt.Sprintf("%d bits, one in %d", height, every), func(t *testing.T) {
				set := make([]uint64, height/64)
				for v := range uint64(height) {
					// the last chunk has a hundred times fewer
					if every > 0 && r.Uint64N(every) == 0 && (v < 5<<16 || r.Uint64N(100) == 0) {
						set[v/64] |= 1 << (v % 64)
					}
				}
				x.roundTrip(t, set)
			})
		}
	}
}

// A packedRow is two blocks of one row, without rows of their own.
type packedRow struct{ blocks [2]*deviceBlock }

func newPackedRow(t *testing.T, all *deviceBlocks, height int64) *packedRow {
	x, cards := &packedRow{}, make([][]byte, 2)
	for j := range x.blocks {
		b, err := all.New(block.Block{
			Width: 64, Height: height, Ranks: 2, Me: j, ColumnRanks: 1, Home: make([]uint64, height/64), Labels: [][]uint64{{0}, {0}}, Shift: 20,
			Rows: block.Lines{Offsets: []int64{0}}, Columns: block.Lines{Offsets: []int64{0}},
		}, j)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = b.Close() })
		if cards[j], err = b.Card(); err != nil {
			t.Fatal(err)
		}
		x.blocks[j] = b
	}
	for j, b := range x.blocks {
		if _, _, err := b.Meet(cards, j, true); err != nil {
			t.Fatal(err)
		}
	}
	return x
}

func (x *packedRow) roundTrip(t *testing.T, set []uint64) {
	sender, receiver := x.blocks[0], x.blocks[1]
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	part := rank.Span{Hi: sender.FoundBytes()}
	must(sender.Write(block.Found, 0, bytesOf(set)))
	must(sender.Pack(block.Found, part))
	size, err := sender.PackedBytes(block.Found)
	must(err)
	if want := packedSize(set); size != want {
		t.Errorf("%d bytes, want %d", size, want)
	}
	got := make([]uint64, len(set))
	check := func(how string) {
		t.Helper()
		must(receiver.Read(bytesOf(got), block.Found, 0))
		if !slices.Equal(got, set) {
			t.Errorf("another bitmap was %s", how)
		}
		for i := range got {
			got[i] = ^uint64(0)
		}
		must(receiver.Write(block.Found, 0, bytesOf(got)))
	}
	must(receiver.Take(block.Found, part, 0))
	check("taken")
	form := make([]byte, size)
	must(sender.Read(form, block.PackedFound, 0))
	must(receiver.Write(block.Arrived, size, form))
	must(receiver.Unpack(block.Found, part, size))
	check("unpacked")
	counts, err := receiver.Unite(block.NextFront, false, false)
	must(err)
	if counts.Taken != size-16 { // nobody reads the head
		t.Errorf("%d bytes were taken of %d", counts.Taken, size)
	}
}

// packedSize is the length of the short form by its definition.
func packedSize(set []uint64) (bytes int64) {
	bytes = 16
	for chunk := range slices.Chunk(set, 1024) {
		members := int64(0)
		for _, word := range chunk {
			for ; word != 0; word &= word - 1 {
				members++
			}
		}
		bytes += 8 + min((members+1)/2*4, 8*int64(len(chunk)))
	}
	return bytes
}
