package level

import (
	"math"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/gohops/hops"
)

var hostAndDevice = []Step{{Name: "TC"}, {Name: "TG", Device: "gpu"}}

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
		{m.Moves["gpu"].Time(MoveLoad(1 << 20)), 5000 + 20<<20/1000},
		{m.Moves[""].Time(MoveLoad(10)), 300},
	} {
		if math.Abs(float64(tt.got-tt.want)) > 0.01*float64(tt.want) {
			t.Errorf("%v, want %v", tt.got, tt.want)
		}
	}
}

// What is expected lies between one entry for each open vertex and all there are.
func TestExpectIsPossible(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := Front{Unvisited: rapid.Int64Range(1, 1<<40).Draw(t, "unvisited"), Edges: rapid.Int64Range(1, 1<<40).Draw(t, "edges")}
		f.Remaining = f.Unvisited * rapid.Int64Range(1, 1000).Draw(t, "degree")
		w := Expect(f)
		if w[TopDown] != f.Edges || float64(w[BottomUp]) < 0.999*float64(f.Unvisited)-1 || w[BottomUp] > f.Remaining {
			t.Errorf("%+v: %v", f, w)
		}
	})
	if w := Expect(Front{}); w != ([Directions]int64{}) {
		t.Errorf("nothing left: %v", w)
	}
}

// leaping runs its first two levels at once.
type leaping struct{ fake }

func (m *leaping) Run(s Step) (Front, error) {
	if m.depth > 0 {
		return m.fake.Run(s)
	}
	first, err := m.fake.Run(s)
	second, _ := m.fake.Run(s)
	second.Ran = []hops.Level{
		{Step: "leap.a", Frontier: 1, Found: first.Vertices, Time: tick},
		{Step: "leap.b", Frontier: first.Vertices, Found: second.Vertices, Time: tick},
	}
	return second, err
}

// A step that runs several levels brings their entries along.
func TestSearchTakesManyLevelsAtOnce(t *testing.T) {
	var asked []int32
	p := policyFunc(func(f Front, steps []Step) Step {
		asked = append(asked, f.Depth)
		return steps[0]
	})
	var trace hops.Trace
	if err := Search(t.Context(), &leaping{fake{sizes: []int64{3, 50, 7}}}, p, 0, &trace); err != nil {
		t.Fatal(err)
	}
	if len(trace.Levels) != 4 || trace.Levels[1].Step != "leap.b" || trace.Plan() != "leap+top-down" {
		t.Errorf("%s: %+v", trace.Plan(), trace.Levels)
	}
	if want := []int32{0, 2, 3}; !slices.Equal(asked, want) {
		t.Errorf("asked at depths %v, want %v", asked, want)
	}
}

// Of whole searches the medians count.
func TestAlone(t *testing.T) {
	r := Rehearsal{Whole: []WholeSearch{{"", 30}, {"gpu", 9}, {"", 1000}, {"gpu", 1}, {"", 20}, {"gpu", 8}}}
	if diff := cmp.Diff(map[string]time.Duration{"": 30, "gpu": 8}, r.Alone()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
