package learn

import (
	"math"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/gohops/hops/level"
)

var hostAndDevice = []level.Step{{Name: "top-down"}, {Name: "top-down@gpu", Device: "gpu"}}

// Hindsight is as good as trying all ways.
func TestHindsightIsTheBestOfAllWays(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 8).Draw(t, "levels")
		times := make([][]time.Duration, n)
		for d := range times {
			times[d] = []time.Duration{
				time.Duration(rapid.IntRange(1, 100).Draw(t, "host")),
				time.Duration(rapid.IntRange(0, 100).Draw(t, "device")), // 0: not measured
			}
		}
		there, back := time.Duration(rapid.IntRange(0, 150).Draw(t, "there")), time.Duration(rapid.IntRange(0, 150).Draw(t, "back"))
		move := func(_ int, from, to string) time.Duration {
			if from == to {
				t.Fatalf("a move from %q to %q", from, to)
			}
			return map[string]time.Duration{"gpu": there, "": back}[to]
		}
		want := time.Duration(math.MaxInt64)
		for way := range 1 << n {
			sum, here, possible := time.Duration(0), "", true
			for d := range times {
				s := way >> d & 1
				if to := hostAndDevice[s].Device; to != here {
					sum, here = sum+move(d, here, to), to
				}
				sum += times[d][s]
				possible = possible && times[d][s] > 0
			}
			if possible {
				want = min(want, sum)
			}
		}
		if got := Hindsight(times, hostAndDevice, move); got != want {
			t.Errorf("%v, want %v", got, want)
		}
	})
}

func TestLearnMoves(t *testing.T) {
	var r Rehearsal
	for i := int64(1); i < 20; i++ {
		r.Moves = append(r.Moves, Move{"gpu", 1000 * i, time.Duration(5000 + 20*i)}, Move{"", i, 300})
	}
	var m DeviceModel
	m.Learn([]Rehearsal{r})
	for _, tt := range []struct {
		got  time.Duration
		want time.Duration
	}{
		{m.Moves["gpu"].Time(MoveTerms(1 << 20)), 5000 + 20<<20/1000},
		{m.Moves[""].Time(MoveTerms(10)), 300},
	} {
		if math.Abs(float64(tt.got-tt.want)) > 0.01*float64(tt.want) {
			t.Errorf("%v, want %v", tt.got, tt.want)
		}
	}
}
