package edge

import (
	"testing"

	"github.com/gohops/hops/internal/base/mrg"
)

func TestScrambleOfTheReference(t *testing.T) {
	for _, want := range scrambleVectors {
		s := newScrambler(mrg.Seed(2, 3), want.scale)
		for v, label := range want.scrambled {
			if got := s.vertex(uint64(v)); uint64(got) != label {
				t.Errorf("scale %d: scramble(%d) = %d, want %d", want.scale, v, got, label)
			}
		}
	}
}

func TestScrambleKeysOfTheReference(t *testing.T) {
	const val0, val1 = 0x62AF6660B44FCE69, 0x2A3D763B3A6B1F0C
	s := newScrambler(mrg.Seed(2, 3), 20)
	if s.offset != val0+val1 || s.first != val0|0x4519840211493211 || s.second != val1|0x3050852102C843A5 {
		t.Errorf("keys %x %x %x", s.offset, s.first, s.second)
	}
}

func TestScrambleIsOneToOne(t *testing.T) {
	for _, scale := range []int{1, 2, 9, 14} {
		s := newScrambler(mrg.Seed(5, 77), scale)
		seen := make([]bool, 1<<scale)
		for v := range seen {
			label := s.vertex(uint64(v))
			if int(label) >= len(seen) || seen[label] {
				t.Fatalf("scale %d: scramble(%d) = %d is out of range or taken", scale, v, label)
			}
			seen[label] = true
		}
	}
}
