package gather

import (
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// Bitmaps on the wire are lists where that is smaller.
func TestBitmapsOnTheWire(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		set := make([]uint64, rapid.IntRange(0, 60).Draw(t, "words"))
		members := rapid.IntRange(0, 64*len(set)).Draw(t, "members")
		r := rand.New(rand.NewPCG(2, rapid.Uint64().Draw(t, "seed")))
		for range members {
			v := r.IntN(64 * len(set))
			set[v/64] |= 1 << (v % 64)
		}
		data := make([]byte, 8*len(set)+stageSlack)
		size := encodeBits(data, set)
		if size > 8*len(set)+1 {
			t.Fatalf("%d bytes for %d words", size, len(set))
		}
		got := make([]uint64, len(set))
		for i := range got {
			got[i] = r.Uint64()
		}
		if !decodeBits(data[:size], got) || !slices.Equal(got, set) {
			t.Fatalf("%x became %x", set, got)
		}
	})
}

// A bitmap that is too long or too short is refused.
func TestDamagedBitmaps(t *testing.T) {
	for _, set := range [][]uint64{{1 << 63}, {^uint64(0), 7}, {1, 0, 1 << 63}} {
		data := make([]byte, 8*len(set)+stageSlack)
		size := encodeBits(data, set)
		got := make([]uint64, len(set)+1)
		if !decodeBits(data[:size], got[:len(set)]) {
			t.Fatalf("%x was not decoded", set)
		}
		if decodeBits(data[:size+1], got[:len(set)]) {
			t.Errorf("%x was decoded with a byte more", set)
		}
		if decodeBits(data[:size], got[:len(set)-1]) {
			t.Errorf("%x was decoded into a word less", set)
		}
		if data[0] == denseForm && (decodeBits(data[:size-1], got[:len(set)]) || decodeBits(data[:size], got)) {
			t.Errorf("%x was decoded from a byte less, or into a word more", set)
		}
	}
}

func FuzzDecodeBits(f *testing.F) {
	f.Add([]byte{sparseForm, 1, 2, 3})
	f.Add([]byte{denseForm, 1, 2, 3, 4, 5, 6, 7, 8})
	f.Fuzz(func(t *testing.T, data []byte) {
		set := make([]uint64, 3)
		decodeBits(data, set[:1])
		if set[1] != 0 || set[2] != 0 {
			t.Error("it wrote past the set")
		}
	})
}
