package learn

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/gohops/hops"
	"github.com/gohops/hops/level"
)

// fabled explores searches whose levels cost what trueCosts says. The policy without
// knowledge always goes top-down.
type fabled struct {
	size   int64
	r      *rand.Rand
	empty  bool // all vertices are isolated
	closed *int
}

var trueCosts = Model{
	"top-down":  {Fixed: 1000, PerRow: 10, PerEntry: 2},
	"bottom-up": {Fixed: 3000, PerVertex: 0.1, PerOpen: 1, PerEntry: 1},
}

func (f fabled) Steps() []level.Step { return steps }
func (f fabled) Close() error        { *f.closed++; return nil }

func (f fabled) Explore(ctx context.Context, root hops.Vertex, _ int) (levels []level.Exploration, err error) {
	if f.empty || root%2 == 0 {
		return make([]level.Exploration, 1), ctx.Err()
	}
	for range 6 {
		front := level.Front{Size: f.size, Vertices: 1 + f.r.Int64N(f.size), Unvisited: f.r.Int64N(f.size)}
		front.Work = [level.Directions]int64{front.Vertices * f.r.Int64N(32), front.Unvisited * f.r.Int64N(8)}
		e := level.Exploration{Front: front}
		for _, s := range steps {
			e.Times = append(e.Times, trueCosts[s.Name].Of(front, s.Direction))
		}
		levels = append(levels, e)
	}
	return levels, ctx.Err()
}

var plan = TrainingSet{MinScale: 10, MaxScale: 12, Others: 4, Roots: 6, Runs: 1}

func fable(empty bool, closed *int) Build {
	return func(_ context.Context, src hops.Source) (Explorer, error) {
		return fabled{int64(src.NumVertices()), rand.New(rand.NewPCG(1, uint64(src.NumEdges()))), empty, closed}, nil
	}
}

func TestLearn(t *testing.T) {
	var closed int
	var done []int64
	c, err := Calibrate(t.Context(), plan, fable(false, &closed), func(n int64) { done = append(done, n) })
	if err != nil {
		t.Fatal(err)
	}
	if c.Regrets.Without < 10 || c.Regrets.With > 0.5 {
		t.Errorf("regret %+v; the model is exact and top-down is often wrong", c.Regrets)
	}
	if len(c.Graphs) != 9 || closed != 9 {
		t.Errorf("%d graphs, %d closed, want 9", len(c.Graphs), closed)
	}
	for _, g := range c.Graphs {
		roots := plan.Roots
		if strings.HasPrefix(g.Name, "star") || strings.HasPrefix(g.Name, "grid") {
			roots = shapeRoots
		}
		if g.Levels != roots*6 {
			t.Errorf("%s: %d levels, want %d", g.Name, g.Levels, roots*6)
		}
	}
	if len(done) != plan.Searches() || done[len(done)-1] != int64(plan.Searches()) {
		t.Errorf("told of %v, want 1 … %d", done, plan.Searches())
	}
	for _, f := range c.Agreement {
		if f.Error > 150 || f.Measured < f.From || f.Measured >= 10*f.From {
			t.Errorf("fit %+v", f)
		}
	}
	if len(c.Agreement) == 0 || c.Took <= 0 || c.Learned.IsZero() {
		t.Errorf("%+v", c)
	}
}

func TestNothingToLearnFrom(t *testing.T) {
	var closed int
	if c, err := Calibrate(t.Context(), plan, fable(true, &closed), func(int64) {}); err == nil {
		t.Errorf("learned %+v from isolated vertices", c)
	}
}

func TestLearnStops(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	var closed int
	_, err := Calibrate(ctx, plan, fable(false, &closed), func(n int64) {
		if n == 8 {
			cancel()
		}
	})
	if !errors.Is(err, context.Canceled) || closed != 2 {
		t.Errorf("error %v, %d graphs closed, want 2", err, closed)
	}
}

func TestGraphsAreTheSameEveryTime(t *testing.T) {
	first, err := plan.graphs()
	if err != nil {
		t.Fatal(err)
	}
	again, _ := plan.graphs()
	for i, g := range first {
		var a, b [16]hops.Edge
		_, errA := g.EdgesAt(a[:], 0)
		_, errB := again[i].EdgesAt(b[:], 0)
		if a != b || g.name != again[i].name || errA != nil || errB != nil {
			t.Errorf("%s, %s: %v, %v", g.name, again[i].name, errA, errB)
		}
	}
}

func TestQuadrantsAreProbabilities(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for range 1000 {
		q := quadrants(r)
		if sum := q[0] + q[1] + q[2] + q[3]; math.Abs(sum-1) > 1e-12 || min(q[0], q[1], q[2], q[3]) <= 0 {
			t.Fatalf("%v", q)
		}
	}
}

func TestMagnitude(t *testing.T) {
	for d, want := range map[time.Duration]time.Duration{1: 1, 9: 1, 10: 10, 999: 100, 1000: 1000, math.MaxInt64: 1e18} {
		if got := magnitude(d); got != want {
			t.Errorf("%d: %d, want %d", d, got, want)
		}
	}
}

// Tuning compares steps of a level and levels of a graph as before.
func TestAlikeKeepsRegret(t *testing.T) {
	levels := []level.Exploration{
		{Chosen: 1, Times: []time.Duration{100, 150}},
		{Chosen: 0, Times: []time.Duration{900, 800}},
	}
	weighed := normalized(levels)
	if a, b := Regret(levels), Regret(weighed); math.Abs(a-b) > 1e-9 {
		t.Errorf("regret %v became %v", a, b)
	}
	if levels[0].Times[0] != 100 {
		t.Error("alike changed what it was given")
	}
}

// A search into a handful of vertices, however deep, says nothing; the start of a long
// path says something.
func TestSmallSearchesAreNotLearnedFrom(t *testing.T) {
	sizes := func(levels int, vertices int64) (all []level.Exploration) {
		for range levels {
			all = append(all, level.Exploration{Front: level.Front{Vertices: vertices}})
		}
		return all
	}
	for _, tt := range []struct {
		levels []level.Exploration
		want   bool
	}{
		{nil, false},
		{sizes(1, 1), false},
		{sizes(2, 1000), false},
		{sizes(5, 1), false},
		{sizes(3, 1000), true},
		{sizes(32, 2), true},
	} {
		if got := isLarge(tt.levels); got != tt.want {
			t.Errorf("a search of %d levels: %v, want %v", len(tt.levels), got, tt.want)
		}
	}
}
