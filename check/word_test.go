package check

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/gohops/hops"
)

// All pairs of codes, in trees of every depth up to a few changes of width.
func TestApartIsADifferenceOfMoreThanOne(t *testing.T) {
	for last := rootCode; last < 70; last++ {
		l := layoutOf(last)
		for a := level(0); a <= last; a++ {
			for b := level(0); b <= last; b++ {
				wantApart := max(a, b)-min(a, b) > 1
				if got := l.apart(l.pack(a, math.MaxUint64), l.pack(b, 0)); got != wantApart {
					t.Fatalf("last %d: apart(%d, %d) = %v", last, a, b, got)
				}
			}
		}
	}
}

func TestApartAtTheDeepestLevel(t *testing.T) {
	l := layoutOf(deepest)
	for _, c := range []struct {
		a, b level
		want bool
	}{
		{deepest, 0, true},
		{0, deepest, true},
		{deepest, rootCode, true},
		{deepest, deepest - 1, false},
		{deepest - 2, deepest, true},
		{deepest, deepest, false},
	} {
		if got := l.apart(l.pack(c.a, 1), l.pack(c.b, 2)); got != c.want {
			t.Errorf("apart(%d, %d) = %v", c.a, c.b, got)
		}
	}
}

func TestWordsKeepCodesAndKnowTheirParents(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		last := rapid.Uint32Range(rootCode, deepest).Draw(t, "last")
		code := rapid.Uint32Range(0, last).Draw(t, "code")
		parent := rapid.Uint64().Draw(t, "parent")
		l := layoutOf(last)
		word := l.pack(code, parent)
		if got := l.code(word); got != code {
			t.Errorf("code %d became %d", code, got)
		}
		if !l.likely(word, hops.Vertex(parent)) {
			t.Errorf("%d is not likely the parent in %x", parent, word)
		}
		if other := parent ^ 1; l > 1 && l.likely(word, hops.Vertex(other)) {
			t.Errorf("%d is likely the parent in %x", other, word)
		}
	})
}
