package learn

import (
	"encoding/json"
	"maps"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/gohops/hops/internal/testing/enginetest"
	"github.com/gohops/hops/internal/testing/leveltest"
	"github.com/gohops/hops/level"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// truth is a machine like those that there are, in nanoseconds.
var truth = Model{
	"top-down": {
		Fixed: 9000, PerVertex: 0.02, PerRow: 12, PerOpen: 3, PerEntry: 1.5,
		Short: &Cost{Fixed: 200, PerVertex: 0.02, PerRow: 10, PerOpen: 0.5, PerEntry: 1.75},
	},
	"bottom-up": {Fixed: 15000, PerVertex: 0.05, PerOpen: 2.5, PerEntry: 0.75},
	"split":     {Fixed: 30000, PerVertex: 0.07, PerOpen: 1.25, PerEntry: 2},
}

// randomFront is a frontier of any size in a graph of leveltest.Up to 2^22 vertices.
func randomFront(r *rand.Rand) level.Front {
	upTo := func(n int64) int64 { return int64(math.Exp(r.Float64() * math.Log(float64(n)))) }
	f := level.Front{Size: 1 << (14 + r.IntN(9)), Last: level.Direction(r.IntN(2))}
	f.Vertices, f.Unvisited = upTo(f.Size), upTo(f.Size)
	f.Work = [level.Directions]int64{f.Vertices * upTo(64), f.Unvisited * upTo(64), f.Unvisited * upTo(16)}
	f.Edges = f.Work[level.TopDown]
	return f
}

// measured are levels of the machine m with an error of at most noise, relative
// to the time.
func measured(r *rand.Rand, m Model, levels int, noise float64) (samples []Sample, explored []level.Exploration) {
	for range levels {
		e := level.Exploration{Front: randomFront(r)}
		for _, s := range leveltest.Steps {
			exact := float64(m[s.Name].Of(e.Front, s.Direction))
			took := time.Duration(exact * (1 + noise*(2*r.Float64()-1)))
			e.Times = append(e.Times, took)
			samples = append(samples, Sample{e.Front, s, took, false})
		}
		explored = append(explored, e)
	}
	return samples, explored
}

func TestFitRecoversTheMachine(t *testing.T) {
	for _, tt := range []struct{ noise, within float64 }{{0, 0.005}, {0.1, 0.15}} {
		samples, _ := measured(rand.New(rand.NewPCG(1, 2)), truth, 3000, tt.noise)
		got, err := Fit(samples)
		if err != nil {
			t.Fatal(err)
		}
		compare := func(name string, got, want Cost) {
			w, g := want.coefficients(), got.coefficients()
			for i := range w {
				if math.Abs(g[i]-w[i]) > tt.within*math.Max(w[i], 0.1) {
					t.Errorf("noise %v: %s: term %d is %v, want %v", tt.noise, name, i, g[i], w[i])
				}
			}
		}
		for name, want := range truth {
			compare(name, got[name], want)
			if (want.Short == nil) != (got[name].Short == nil) {
				t.Fatalf("%s: %+v, want %+v", name, got[name], want)
			}
			if want.Short != nil {
				compare(name+", short", *got[name].Short, *want.Short)
			}
		}
	}
}

// Short levels cost what they do however few there are of the others.
func TestShortLevelsAreCheap(t *testing.T) {
	samples, _ := measured(rand.New(rand.NewPCG(1, 2)), truth, 500, 0.1)
	m, err := Fit(samples)
	if err != nil {
		t.Fatal(err)
	}
	f := level.Front{Vertices: 1, Edges: 2, Unvisited: 100, Remaining: 200, Size: 1 << 20, Work: [level.Directions]int64{2, 200, 200}}
	if got := m["top-down"].Of(f, level.TopDown); got > 500 {
		t.Errorf("a vertex with two edges takes %v", got)
	}
}

// Of times that scatter the middle is fitted, not the shortest.
func TestRelativeFitIsSymmetric(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	var loads []Terms
	var times []time.Duration
	for range 200 {
		x := Terms{1, math.Exp(r.Float64() * 14)}
		scatter := math.Exp(2 * (r.Float64() - 0.5) * math.Log(8))
		loads, times = append(loads, x), append(times, time.Duration((100_000+2*x[1])*scatter))
	}
	c := fitRelative(loads, times)
	for _, n := range []float64{1, 1e4, 1e6} {
		want := 100_000 + 2*n
		if ratio := float64(c.Time(Terms{1, n})) / want; ratio < 0.7 || ratio > 1.5 {
			t.Errorf("%v is thought to take %.2f of the middle: %+v", n, ratio, c)
		}
	}
}

func (c Cost) coefficients() [numTerms]float64 {
	return [numTerms]float64{c.Fixed, c.PerVertex, c.PerRow, c.PerOpen, c.PerEntry, c.PerByte}
}

// Whatever the times are, no coefficient is negative, and all are numbers.
func TestFitIsNeverNegative(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
		var samples []Sample
		for range rapid.IntRange(numTerms, 40).Draw(t, "samples") {
			samples = append(samples, Sample{randomFront(r), leveltest.Steps[0], time.Duration(1 + r.Int64N(1<<30)), false})
		}
		m, err := Fit(samples)
		if err != nil {
			t.Fatal(err)
		}
		sum := 0.0
		for _, c := range m["top-down"].coefficients() {
			if !(c >= 0) || math.IsInf(c, 0) {
				t.Fatalf("%+v", m)
			}
			sum += c
		}
		if sum == 0 {
			t.Fatal("levels that take time cost nothing")
		}
	})
}

func TestFitNeedsSamples(t *testing.T) {
	samples, _ := measured(rand.New(rand.NewPCG(1, 2)), truth, numTerms-1, 0)
	if m, err := Fit(samples); err == nil {
		t.Errorf("a model from %d levels: %v", numTerms-1, m)
	}
	more, _ := measured(rand.New(rand.NewPCG(3, 4)), truth, 1, 0)
	m, err := Fit(append(samples, more[0], more[1]))
	if _, rare := m["split"]; err != nil || len(m) != 2 || rare {
		t.Errorf("model %v, error %v; want the two steps with %d levels", m, err, numTerms)
	}
}

// Of what takes more than four times as long as the best, only that is known.
func TestSamplesBoundTheHopeless(t *testing.T) {
	got := Samples([]level.Exploration{
		{Front: level.Front{Depth: 1}, Times: []time.Duration{10, 40, 41}},
		{Front: level.Front{Depth: 2}, Times: []time.Duration{900, 0, 200}},
	}, leveltest.Steps)
	want := []Sample{
		{level.Front{Depth: 1}, leveltest.Down, 10, false},
		{level.Front{Depth: 1}, leveltest.Up, 40, false},
		{level.Front{Depth: 1}, leveltest.Split, 40, true},
		{level.Front{Depth: 2}, leveltest.Down, 800, true},
		{level.Front{Depth: 2}, leveltest.Split, 200, false},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// What was hopelessFactor on small levels is not thought to be quick there, though its
// exact times are those of large ones.
func TestBoundsAreKept(t *testing.T) {
	var samples []Sample
	for n := int64(1 << 20); n < 1<<23; n += 1 << 18 {
		f := level.Front{Size: 1 << 20, Unvisited: n, Work: [level.Directions]int64{level.BottomUp: n}}
		samples = append(samples, Sample{Front: f, Step: leveltest.Up, Time: time.Duration(n)})
	}
	tiny := level.Front{Size: 1 << 20, Unvisited: 1, Work: [level.Directions]int64{level.BottomUp: 1}}
	samples = append(samples, Sample{Front: tiny, Step: leveltest.Up, Time: 20_000, Bound: true})
	m, err := Fit(samples)
	if err != nil {
		t.Fatal(err)
	}
	if got := m["bottom-up"].Of(tiny, level.BottomUp); got < 15_000 {
		t.Errorf("an empty level is thought to take %v, and takes more than 20 µs", got)
	}
	large := samples[8]
	if got := m["bottom-up"].Of(large.Front, level.BottomUp); got < large.Time*9/10 || got > large.Time*11/10 {
		t.Errorf("a large level is thought to take %v, and takes %v", got, large.Time)
	}
}

func TestModelPicksTheFastestStepItKnows(t *testing.T) {
	m := Model{"top-down": {PerEntry: 1}, "bottom-up": {Fixed: 100}}
	for edges, want := range map[int64]level.Step{99: leveltest.Down, 101: leveltest.Up} {
		if got := m.Next(level.Front{Work: [level.Directions]int64{edges, 0, 0}}, leveltest.Steps); got != want {
			t.Errorf("%d edges: %s, want %s", edges, got.Name, want.Name)
		}
	}
	if got := (Model{"sideways": {}}).Next(level.Front{}, leveltest.Steps); got != leveltest.Down {
		t.Errorf("a model of other steps takes %s, want the first", got.Name)
	}
}

// A model of the machine itself regrets nothing.
func TestTheTruthHasNoRegret(t *testing.T) {
	_, levels := measured(rand.New(rand.NewPCG(3, 4)), truth, 500, 0)
	if r := Regret(Choose(levels, truth, leveltest.Steps)); r != 0 {
		t.Errorf("regret %v", r)
	}
}

func TestTuneNeverLosesMore(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
		_, levels := measured(r, truth, 40, rapid.Float64Range(0, 0.9).Draw(t, "noise"))
		wrong := Model{}
		for name, c := range truth {
			wrong[name] = c.Scaled(math.Exp(4 * (r.Float64() - 0.5)))
		}
		before := wrong["split"]
		tuned := wrong.Tune(levels, leveltest.Steps)
		if a, b := Regret(Choose(levels, wrong, leveltest.Steps)), Regret(Choose(levels, tuned, leveltest.Steps)); b > a {
			t.Fatalf("regret %v became %v", a, b)
		}
		if wrong["split"] != before {
			t.Fatal("Tune changed the model that it was given")
		}
	})
}

// One step is thought three times as slow as it is; tuning finds that out.
func TestTuneMends(t *testing.T) {
	_, levels := measured(rand.New(rand.NewPCG(5, 6)), truth, 500, 0)
	wrong := Model{"top-down": truth["top-down"].Scaled(3), "bottom-up": truth["bottom-up"], "split": truth["split"]}
	before := Regret(Choose(levels, wrong, leveltest.Steps))
	after := Regret(Choose(levels, wrong.Tune(levels, leveltest.Steps), leveltest.Steps))
	if before < 0.01 || after > before/10 {
		t.Errorf("regret %v became %v", before, after)
	}
}

// What is right stays, and what is wrong is mended without drifting away.
func TestTuneLeavesWhatIsRight(t *testing.T) {
	_, levels := measured(rand.New(rand.NewPCG(7, 8)), truth, 500, 0)
	if diff := cmp.Diff(truth, truth.Tune(levels, leveltest.Steps)); diff != "" {
		t.Errorf("a model without regret changed (-before +after):\n%s", diff)
	}
	wrong := maps.Clone(truth)
	wrong["top-down"] = truth["top-down"].Scaled(2)
	for name, c := range wrong.Tune(levels, leveltest.Steps) {
		if ratio := c.Fixed / truth[name].Fixed; ratio < 0.5 || ratio > 2 {
			t.Errorf("%s is thought to take %.2f of its time", name, ratio)
		}
	}
}

func TestModelSurvivesJSON(t *testing.T) {
	text, err := json.Marshal(truth)
	if err != nil {
		t.Fatal(err)
	}
	var got Model
	if err := json.Unmarshal(text, &got); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(truth, got); diff != "" {
		t.Errorf("by way of %s (-want +got):\n%s", text, diff)
	}
}

// A step that was never the best is forgotten.
func TestUseful(t *testing.T) {
	steps := []level.Step{{Name: "a"}, {Name: "b"}, {Name: "c"}, {Name: "d", Device: "gpu"}, {Name: "e", Device: "gpu"}}
	m := Model{"a": {Fixed: 1}, "b": {Fixed: 2}, "c": {Fixed: 3}, "d": {Fixed: 4}}
	levels := []level.Exploration{{Times: []time.Duration{5, 6, 7, 9, 8}}, {Times: []time.Duration{6, 6, 7, 8, 9}}}
	got := m.Useful(levels, steps)
	if want := (Model{"a": {Fixed: 1}, "b": {Fixed: 2}, "d": {Fixed: 4}}); !maps.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

func TestPoliciesKeepNoState(t *testing.T) {
	samples, _ := measured(rand.New(rand.NewPCG(1, 2)), truth, 3000, 0)
	m, err := Fit(samples)
	if err != nil {
		t.Fatal(err)
	}
	enginetest.CheckPolicy(t, m, leveltest.Steps)
}
