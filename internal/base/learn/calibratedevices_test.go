package learn

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/gohops/hops"
	"github.com/gohops/hops/level"
)

var twoDevices = []level.Step{
	{Name: "top-down"},
	{Name: "bottom-up", Direction: level.BottomUp},
	{Name: "top-down@gpu", Device: "gpu"},
	{Name: "bottom-up@gpu", Direction: level.BottomUp, Device: "gpu"},
}

// mixed explores searches on a host and a device that is so many times as slow.
type mixed struct {
	fabled
	slow  float64
	model *DeviceModel
}

func (m mixed) Steps() []level.Step { return twoDevices }

func (m mixed) Explore(ctx context.Context, root hops.Vertex, runs int) ([]level.Exploration, error) {
	levels, err := m.fabled.Explore(ctx, root, runs)
	for i := range levels {
		levels[i].Front.Depth = int32(i)
		levels[i].Front.Remaining = 2 * levels[i].Front.Work[level.BottomUp]
		for _, t := range levels[i].Times {
			levels[i].Times = append(levels[i].Times, time.Duration(m.slow*float64(t)))
		}
	}
	return levels, err
}

func (m mixed) Rehearse(context.Context, hops.Vertex, int) (r Rehearsal, _ error) {
	for bytes := int64(1); bytes < 1<<20; bytes *= 2 {
		r.Moves = append(r.Moves, Move{To: "gpu", Bytes: bytes, Time: time.Duration(9000 + bytes/8)})
	}
	for _, name := range []string{"levels@gpu/top-down@gpu", "top-down"} {
		r.Levels = append(r.Levels, Sample{Front: level.Front{Size: m.size}, Step: level.Step{Name: name}, Time: 7000})
	}
	return r, nil
}

// Judge follows the model that the searcher was built with, and has no moves.
func (m mixed) Judge(ctx context.Context, root hops.Vertex, runs int) (j Judgement, err error) {
	levels, err := m.Explore(ctx, root, runs)
	if len(levels) < minLevels {
		return j, err
	}
	j.Levels = Choose(levels, m.model.Steps, twoDevices)
	for _, l := range j.Levels {
		j.Ruled, j.Chosen, j.Best = j.Ruled+l.Times[0], j.Chosen+l.Times[l.Chosen], j.Best+slices.Min(l.Times)
	}
	return j, err
}

func learnDevices(t *testing.T, slow float64) *Calibration {
	t.Helper()
	var closed int
	build := func(_ context.Context, src hops.Source, m *DeviceModel) (Rehearser, error) {
		// The largest levels take seconds, so that a slow device shows.
		return mixed{fabled{1000 * int64(src.NumVertices()), rand.New(rand.NewPCG(1, uint64(src.NumEdges()))), false, &closed}, slow, m}, nil
	}
	host := Model{"top-down": trueCosts["top-down"], "bottom-up": trueCosts["bottom-up"]}
	told := int64(0)
	c, err := CalibrateDevices(t.Context(), plan, build, &Calibration{DeviceModel: DeviceModel{Steps: host}, Regrets: Regrets{Without: 3, With: 7}}, func(n int64) { told = n })
	if err != nil {
		t.Fatal(err)
	}
	if !c.GivenUp && told != int64(plan.MixedSearches()) {
		t.Errorf("told of %d searches, want %d", told, plan.MixedSearches())
	}
	return c
}

func TestLearnDevices(t *testing.T) {
	c := learnDevices(t, 0.5)
	if len(c.Graphs) != 11 || c.GivenUp || c.Regrets.With > 1 || c.Regrets.Without < 50 {
		t.Errorf("%d graphs, regret %+v: a device twice as fast should be used", len(c.Graphs), c.Regrets)
	}
	for _, name := range []string{"top-down", "bottom-up", "top-down@gpu", "bottom-up@gpu", "levels@gpu/top-down@gpu"} {
		if _, ok := c.Steps[name]; !ok {
			t.Errorf("nothing was learned of %s", name)
		}
	}
	if got := c.Moves["gpu"].Time(MoveTerms(80_000)); got < 18_500 || got > 19_500 {
		t.Errorf("a move of 80,000 bytes takes %v, want 19 µs", got)
	}
	if c.Alpha != 0.5 { // of the remaining entries bottom-up looks at half
		t.Errorf("alpha %v, want 0.5", c.Alpha)
	}
}

// A device that is far too slow is found out on the first graph, and no step of it
// is ever taken.
func TestHopelessDevice(t *testing.T) {
	c := learnDevices(t, 100)
	if !c.GivenUp || !c.Helps() {
		t.Error("it was not given up")
	}
	if len(c.Graphs) != 1 || c.Regrets != (Regrets{Without: 3, With: 7}) {
		t.Errorf("%d graphs were explored, want 1; regret %v, want that of the host", len(c.Graphs), c.Regrets)
	}
	for _, name := range []string{"top-down@gpu", "bottom-up@gpu"} {
		if cost, ok := c.Steps[name]; ok {
			t.Errorf("%s: %+v", name, cost)
		}
	}
	if c.Steps["top-down"] != trueCosts["top-down"] {
		t.Errorf("the host's model became %+v", c.Steps["top-down"])
	}
	if _, ok := c.Steps["levels@gpu/top-down@gpu"]; ok {
		t.Error("bursts of the device are in the model")
	}
}
