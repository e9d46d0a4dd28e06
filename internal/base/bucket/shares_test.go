package bucket

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// weights are drawn from all finite ones, small ones and equal ones included.
func weights(t *rapid.T) []float32 {
	one := rapid.OneOf(
		rapid.Float32Range(0, math.MaxFloat32), rapid.Float32Range(0, 1),
		rapid.SampledFrom([]float32{0, 1, 2, math.SmallestNonzeroFloat32, math.MaxFloat32}),
	)
	return rapid.SliceOfN(one, 1, 200).Draw(t, "weights")
}

// sharesOf counts weights as the entries of rows of one length.
func sharesOf(list []float32, degree uint64) Shares {
	c := Counts{Entries: uint64(len(list)), Squares: uint64(len(list)) * degree}
	for _, w := range list {
		c.Classes[math.Float32bits(w)>>ClassBits]++
	}
	return NewShares(&c, slices.Max(list))
}

// below is the share of the weights below a bound, by counting.
func below(list []float32, bound float64) float64 {
	count := 0
	for _, w := range list {
		if float64(w) < bound {
			count++
		}
	}
	return float64(count) / float64(len(list))
}

// nextClass is the least weight of the class after that of a weight.
func nextClass(w float32) float64 {
	return float64(math.Float32frombits((math.Float32bits(w)>>ClassBits + 1) << ClassBits))
}

// A share counts all weights below a bound, and beyond it at most those of the bound's class.
func TestSharesAreWithinAClass(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		list := weights(t)
		s := sharesOf(list, 3)
		w := rapid.OneOf(rapid.SampledFrom(list), rapid.Float32Range(0, math.MaxFloat32)).Draw(t, "bound")
		got := s.Of(float64(w))
		if least, most := below(list, float64(w)), below(list, nextClass(w)); w > 0 && (got < least || got > most) {
			t.Errorf("%v of the weights are below %v, said to be %v (%v up to the next class)", least, w, got, most)
		}
		if s.Of(0) != 0 || s.Of(-1) != 0 || s.Of(math.MaxFloat32) != 1 || s.Degree != 3 {
			t.Errorf("%v below nothing, %v below everything, degree %v", s.Of(0), s.Of(math.MaxFloat32), s.Degree)
		}
	})
}

// A quantile has the share below it, unless it is the heaviest weight, and the class before it has not.
func TestQuantiles(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		list := weights(t)
		s := sharesOf(list, 1)
		share := rapid.Float64Range(0.001, 1).Draw(t, "share")
		q := s.Quantile(share)
		if q != s.Heaviest && below(list, float64(q)) < share {
			t.Errorf("%v of the weights are below %v, want %v", below(list, float64(q)), q, share)
		}
		if class := math.Float32bits(q) >> ClassBits; q != s.Heaviest && class > 0 {
			if before := math.Float32frombits((class - 1) << ClassBits); below(list, float64(before)) >= share {
				t.Errorf("%v of the weights are below %v already, the quantile is %v", below(list, float64(before)), before, q)
			}
		}
	})
}

// Candidates are counted up to the octave that begins below the weight.
func TestWakersBelow(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		list := weights(t)
		var o Octaves
		for i, w := range list {
			for e := Octave(w); e < NumOctaves; e++ {
				o.Ends[e]++
				o.Degree[e] += uint64(i)
			}
		}
		bound := rapid.OneOf(rapid.SampledFrom(list), rapid.Just(float32(math.Inf(1))), rapid.Float32Range(0, 4)).Draw(t, "bound")
		wakers, entries := o.Below(bound)
		var want, rows int64
		for i, w := range list {
			if begin := math.Float32frombits(uint32(Octave(w)) << 23); begin < bound {
				want, rows = want+1, rows+int64(i)
			}
		}
		if wakers != want || entries != rows {
			t.Errorf("%d wakers with %d entries below %v, want %d and %d", wakers, entries, bound, want, rows)
		}
	})
}

// Doubled is a power of two beyond a distance, and half of it is not.
func TestDoubled(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x := rapid.Float64Range(1e-30, 1e30).Draw(t, "x")
		d := float64(Doubled(x))
		if fraction, _ := math.Frexp(d); fraction != 0.5 || d <= x || d/2 > x {
			t.Errorf("the least power of two beyond %v is not %v", x, d)
		}
	})
}

// Top-down, the estimate is the entries of the vertices found whose weights are between the distance
// and its double. Bottom-up it looks at each waker that was not found, once at least.
func TestWork(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		list := weights(t)
		vertices := rapid.Int64Range(1, 1000).Draw(t, "vertices")
		g := Graph{Shares: sharesOf(list, 1), Vertices: vertices, Entries: int64(len(list))}
		wakers := rapid.Int64Range(0, vertices).Draw(t, "wakers")
		for e := range NumOctaves {
			g.Candidates.Ends[e] = uint64(wakers)
		}
		x, found := rapid.Float64Range(1e-6, 1e6).Draw(t, "x"), rapid.Int64Range(0, vertices).Draw(t, "found")
		degree := rapid.Int64Range(0, g.Entries).Draw(t, "degree")
		down, up := g.Work(x, found, degree)
		between := below(list, nextClass(float32(2*x))) - below(list, x)
		if down < 0 || float64(down) > between*float64(degree)+1e-9 {
			t.Errorf("%d of %d entries top-down, want at most the share %v", down, degree, between)
		}
		awake := max(0, wakers-found)
		if up < awake || awake == 0 && up != 0 || up > awake*(1+g.Entries) {
			t.Errorf("%d entries bottom-up for %d wakers", up, awake)
		}
		if _, fewer := g.Work(x, min(found+1, vertices), degree); awake == 1 && found < vertices && fewer != 0 {
			t.Errorf("%d entries bottom-up when all wakers are found", fewer)
		}
	})
}

// D₀ follows the bound while rows of what was found are few, and then stays where a bucket began.
func TestMoveNear(t *testing.T) {
	g := Graph{Vertices: 6400}
	if near, stays := g.MoveNear(1, 2, 100); near != 2 || stays {
		t.Errorf("with as many entries as a 64th of the vertices: %v, stays %v", near, stays)
	}
	if near, stays := g.MoveNear(1, 2, 101); near != 1 || !stays {
		t.Errorf("with more: %v, stays %v", near, stays)
	}
}
