package csr

import (
	"context"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/gohops/hops"
)

// without runs f without the kernels for this processor.
func without(f func()) {
	defer func(v, s bool) { haveVectors, haveShifts = v, s }(haveVectors, haveShifts)
	haveVectors, haveShifts = false, false
	f()
}

// The kernel picks what the loop in Go does, from every end of the edges.
func TestPickingEightAtATime(t *testing.T) {
	if !haveVectors {
		t.Skip("no AVX-512")
	}
	rapid.Check(t, func(t *rapid.T) {
		const labels = 50
		label := rapid.Uint64Range(0, labels-1)
		pairs := make([]uint64, rapid.IntRange(0, 100).Draw(t, "pairs"))
		for i := range pairs {
			pairs[i] = label.Draw(t, "v")<<32 | label.Draw(t, "u")
		}
		w := binner{
			b:      &builder{sides: rapid.SampledFrom([]sides{both, outOf, into}).Draw(t, "sides")},
			first:  rapid.Uint32Range(0, labels).Draw(t, "first"),
			span:   rapid.Uint32Range(0, labels).Draw(t, "span"),
			picked: make([]uint64, 2*len(pairs)+pickSlack),
		}
		got := slices.Sorted(slices.Values(w.pick(pairs)))
		want := slices.Sorted(slices.Values(w.picked[:w.pickEach(pairs, 0)]))
		if !slices.Equal(got, want) {
			t.Fatalf("picked %x of %x, want %x", got, pairs, want)
		}
	})
}

// The largest label is found wherever it is.
func TestLargestLabel(t *testing.T) {
	for n := range 40 {
		pairs := make([]uint64, n)
		if got := largest(pairs); got != 0 {
			t.Fatalf("the largest of %d zeros is %d", n, got)
		}
		for i := range 2 * n {
			label := uint64(1<<31 + i)
			pairs[i/2] |= label << (i % 2 * 32)
			if got := largest(pairs); uint64(got) != label {
				t.Fatalf("the largest of %x is %x", pairs, got)
			}
			pairs[i/2] ^= (label ^ 5) << (i % 2 * 32)
		}
	}
}

// Labels with the highest bit set are picked too.
func TestPickingLargeLabels(t *testing.T) {
	if !haveVectors {
		t.Skip("no AVX-512")
	}
	const last = 1<<32 - 2
	pairs := slices.Repeat([]uint64{last<<32 | 1, last<<32 | last}, 4)
	w := binner{b: &builder{}, first: last - 9, span: 10, picked: make([]uint64, 100)}
	if got, want := w.pick(pairs), slices.Repeat([]uint64{pick(9, 1)}, 4); !slices.Equal(got, want) {
		t.Errorf("picked %x, want %x", got, want)
	}
}

// Rows are the same with kernels and without.
func TestBuildWithoutKernels(t *testing.T) {
	l := skewed(5000, 60_000)
	without(func() {
		checkAgainstRows(t, build(t, l, 2), rows(l))
		checkDirected(t, build(t, hops.Directed(l), 2), l)
	})
	rapid.Check(t, func(t *rapid.T) {
		l := someList(t)
		without(func() {
			g, err := Build(context.Background(), l, rapid.IntRange(1, 4).Draw(t, "workers"))
			if err != nil {
				t.Fatalf("%v", err)
			}
			defer g.Close()
			checkAgainstRows(t, g, rows(l))
		})
	})
}

// Without kernels the rows are the same too.
func TestTransposingWithoutKernels(t *testing.T) {
	l := skewed(5000, 60_000)
	without(func() { withSmallTiles(func() { checkAgainstRows(t, build(t, l, 3), rows(l)) }) })
}
