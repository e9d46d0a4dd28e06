package ceiling

import (
	"fmt"
	"testing"

	"github.com/gohops/hops/internal/base/par"
)

func TestAddReadsEveryWordOnce(t *testing.T) {
	for _, n := range []int{0, 1, 7, 8, 9, 1000} {
		words := make([]uint64, n)
		for i := range words {
			words[i] = uint64(i) + 1
		}
		if got, want := add(words), uint64(n)*uint64(n+1)/2; got != want {
			t.Errorf("%d words: sum %d, want %d", n, got, want)
		}
	}
}

// TestWanderReadsEverywhere marks one word in eight at a time: reads at random
// places must find about an eighth of them each.
func TestWanderReadsEverywhere(t *testing.T) {
	const count, parts = 1 << 16, 8
	for part := range parts {
		words := make([]uint64, 1000)
		for i := range words {
			if i*parts/len(words) == part {
				words[i] = 1
			}
		}
		if got := wander(words, 1, count); got < count/parts*9/10 || got > count/parts*11/10 {
			t.Errorf("part %d: %d of %d reads", part, got, count)
		}
	}
}

func TestMeasure(t *testing.T) {
	if testing.Short() {
		t.Skip("reads memory for a second")
	}
	team := par.NewTeam(2, nil)
	defer team.Close()
	r, err := Measure(team, 0)
	if err != nil || r.Stream <= 0 || r.Lines <= 0 {
		t.Errorf("%+v, %v", r, err)
	}
}

// BenchmarkCeiling measures arrays from the size of a bitmap to one that no cache
// holds.
func BenchmarkCeiling(b *testing.B) {
	team := par.NewTeam(0, nil)
	defer team.Close()
	for bytes := int64(128 << 10); bytes <= 512<<20; bytes *= 8 {
		b.Run(fmt.Sprintf("%dKiB", bytes>>10), func(b *testing.B) {
			var best Rates
			for b.Loop() {
				r, err := Measure(team, bytes)
				if err != nil {
					b.Fatal(err)
				}
				best.Stream, best.Lines = max(best.Stream, r.Stream), max(best.Lines, r.Lines)
			}
			b.ReportMetric(best.Stream/1e9, "GB/s")
			b.ReportMetric(best.Lines/1e6, "Mreads/s")
		})
	}
}
