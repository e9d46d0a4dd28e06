package mrg

import (
	"math/big"
	"testing"

	"pgregory.net/rapid"
)

func TestSeedAndOutputsOfTheReference(t *testing.T) {
	s := Seed(2, 3)
	if s != (State{3, 1, 4, 1, 1}) {
		t.Fatalf("Seed(2, 3) = %v", s)
	}
	for i, want := range []uint32{322227026, 531570115, 1424981115, 1111973825, 147993513, 1522609102} {
		if got := s.Next(); got != want {
			t.Errorf("output %d = %d, want %d", i, got, want)
		}
	}
}

func TestSeedSpreadsAllBits(t *testing.T) {
	got := Seed(0xA000_0001_8000_0002, 0xB000_0003_4000_0005)
	want := State{2 + 1, 6 + 1, 5 + 1, 13 + 1, 0xB<<4 + 0xA + 1}
	if got != want {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestJumpsOfTheReference(t *testing.T) {
	if got, want := Ahead(0, 1, 0)[4], (State{76622690, 1262953926, 691591548, 1420879705, 677234486}); got != want {
		t.Errorf("bottom row of A^(2^64) = %v, want %v", got, want)
	}
	if got, want := Ahead(1, 0, 0)[4], (State{223523295, 1025489125, 1401138388, 1931651083, 397527729}); got != want {
		t.Errorf("bottom row of A^(2^128) = %v, want %v", got, want)
	}
	s := Seed(2, 3)
	for i, want := range []State{
		{1179132795, 1245280163, 1454495194, 816691580, 2062335085},
		{623680852, 1596013026, 508353307, 2014576893, 56442308},
	} {
		s.Skip(0, 1, 0)
		if s != want {
			t.Errorf("state of edge %d = %v, want %v", i+1, s, want)
		}
	}
}

// Graph500 draws its search keys from stream 2, which starts after 2·2¹²⁸ steps.
func TestFloat64OfStream2MatchesTheReference(t *testing.T) {
	want := []float64{
		0.41021208282928501, 0.037614701324416445, 0.48451728100111585, 0.72508759913279375,
		0.99408983984573107, 0.22116682457089326, 0.23379613431561722, 0.88925754995450712,
	}
	for i, w := range want {
		s := Seed(2, 3)
		s.Skip(2, 0, 2*uint64(i))
		if got := s.Float64(); got != w {
			t.Errorf("double %d = %.17g, want %.17g", i, got, w)
		}
	}
}

func drawState(t *rapid.T) State {
	var s State
	for i := range s {
		s[i] = rapid.Uint32Range(0, Modulus-1).Draw(t, "word")
	}
	return s
}

func TestShortSkipIsRepeatedNext(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawState(t)
		n := rapid.Uint64Range(0, 300).Draw(t, "steps")
		skipped := s
		skipped.Skip(0, 0, n)
		for range n {
			s.Next()
		}
		if s != skipped {
			t.Fatalf("%d steps lead to %v, the skip to %v", n, s, skipped)
		}
	})
}

func TestSkipsAdd(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		word := rapid.Uint64Range(0, 1<<62)
		a, b := [3]uint64{}, [3]uint64{}
		for i := range a {
			a[i], b[i] = word.Draw(t, "a"), word.Draw(t, "b")
		}
		twice := drawState(t)
		once := twice
		twice.Skip(a[0], a[1], a[2])
		twice.Skip(b[0], b[1], b[2])
		once.Skip(a[0]+b[0], a[1]+b[1], a[2]+b[2])
		if once != twice {
			t.Fatalf("one skip leads to %v, two to %v", once, twice)
		}
	})
}

func TestApplyIsTheMatrixProduct(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawState(t)
		j := Ahead(rapid.Uint64().Draw(t, "high"), rapid.Uint64().Draw(t, "mid"), rapid.Uint64().Draw(t, "low"))
		to := j.Apply(&s)
		for r, row := range j {
			sum := new(big.Int)
			for c := range row {
				sum.Add(sum, new(big.Int).Mul(big.NewInt(int64(row[c])), big.NewInt(int64(s[c]))))
			}
			if want := sum.Mod(sum, big.NewInt(Modulus)).Uint64(); uint64(to[r]) != want {
				t.Fatalf("word %d is %d, want %d", r, to[r], want)
			}
		}
	})
}

func TestAheadEqualsSkip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		high, mid, low := rapid.Uint64().Draw(t, "high"), rapid.Uint64().Draw(t, "mid"), rapid.Uint64().Draw(t, "low")
		s, j := drawState(t), Ahead(high, mid, low)
		jumped := j.Apply(&s)
		if s.Skip(high, mid, low); s != jumped {
			t.Fatalf("the skip leads to %v, the jump to %v", s, jumped)
		}
	})
}

func TestReduceIsTheRemainder(t *testing.T) {
	check := func(x uint64) {
		if got := reduce(x); uint64(got) != x%Modulus {
			t.Fatalf("reduce(%d) = %d, want %d", x, got, x%Modulus)
		}
	}
	for _, x := range []uint64{0, 1, Modulus - 1, Modulus, Modulus + 1, 2 * Modulus, 1<<62 - 1, 1 << 62, ^uint64(0), ^uint64(0) - 1} {
		check(x)
	}
	rapid.Check(t, func(t *rapid.T) { check(rapid.Uint64().Draw(t, "x")) })
}

func BenchmarkNext(b *testing.B) {
	s := Seed(2, 3)
	for b.Loop() {
		s.Next()
	}
}

func BenchmarkSkip(b *testing.B) {
	s := Seed(2, 3)
	for i := uint64(0); b.Loop(); i++ {
		s.Skip(0, i*0x9E3779B97F4A7C15>>18, 0)
	}
}
