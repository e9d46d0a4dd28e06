package learn

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gohops/hops/level"
)

// The steps of the paper, and one that it does not have.
var paperSteps = []level.Step{{Name: "top-down"}, {Name: "bottom-up", Direction: level.BottomUp}, {Name: "split", Direction: level.Split}}

// Equations 2 to 4, by hand: a level goes bottom-up where α times the unvisited entries
// over the one speed is less than the frontier's entries over the other.
func TestSpeedsDecideByTheEquations(t *testing.T) {
	s := &Speeds{Alpha: .25, Of: map[string]float64{"top-down": 100, "bottom-up": 50}}
	for edges, want := range map[int64]string{499: "top-down", 501: "bottom-up"} { // .25 · 1000 / 50 = 5 s = 500 / 100
		if got := s.Next(level.Front{Edges: edges, Remaining: 1000}, paperSteps); got.Name != want {
			t.Errorf("%d entries of the frontier: %s, want %s", edges, got.Name, want)
		}
	}
}

// The speed of a step is the mean of its speeds on all levels of the random graphs, and of
// no other graph; α is the share looked at where bottom-up is best.
func TestSpeedsAreMeansOverLevels(t *testing.T) {
	levels := []level.Exploration{
		{Front: front(100, 1000, 400), Times: []time.Duration{time.Second, 8 * time.Second, time.Millisecond}},
		{Front: front(900, 800, 100), Times: []time.Duration{3 * time.Second, time.Second, 2 * time.Second}},
	}
	other := []level.Exploration{{Front: front(1e6, 1e6, 1e6), Times: []time.Duration{1, 1, 1}}}
	s := fitSpeeds([]explored{{training: training{random: true}, learned: levels}, {learned: other}}, paperSteps)
	if s == nil || s.Graphs != 1 || len(s.Of) != 2 {
		t.Fatalf("%+v", s)
	}
	if s.Of["top-down"] != (100+300)/2 || s.Of["bottom-up"] != (50+100)/2 || s.Alpha != 100.0/800 {
		t.Errorf("%+v", s)
	}
	if fitSpeeds([]explored{{learned: levels}}, paperSteps) != nil {
		t.Error("there were speeds without a random graph")
	}
}

func front(edges, remaining, work int64) level.Front {
	f := level.Front{Edges: edges, Remaining: remaining}
	f.Work[level.BottomUp] = work
	return f
}

// A full training set has the paper's graphs: 20 at each scale from 16 to 19, with 16
// edges a vertex. A quick one has fewer.
func TestPaperGraphs(t *testing.T) {
	graphs, err := Training(2, 0, false).graphs()
	if err != nil {
		t.Fatal(err)
	}
	perSize := map[int64]int{}
	for _, g := range graphs {
		if g.random {
			n := int64(g.NumVertices())
			perSize[n]++
			if g.NumEdges() != 16*n {
				t.Errorf("%s has %d edges", g.name, g.NumEdges())
			}
		}
	}
	for scale := 16; scale <= 19; scale++ {
		if perSize[1<<scale] != 20 || len(perSize) != 4 {
			t.Errorf("graphs by size: %v", perSize)
		}
	}
	quick, _ := Training(2, 0, true).graphs()
	quick = slices.DeleteFunc(quick, func(g training) bool { return !g.random })
	if len(quick) == 0 || len(quick) >= PaperGraphs {
		t.Errorf("a quick set has %d of the graphs", len(quick))
	}
}

// Speeds are there even where the model of the same calibration is of no use, and not
// where the calibration is of another machine or has none.
func TestLoadSpeeds(t *testing.T) {
	dir, here := t.TempDir(), Here(2)
	c := Calibration{Engine: "cpu", Hardware: here, DeviceModel: DeviceModel{Steps: Model{"top-down": {}}}, Regrets: Regrets{Without: 1, With: 9}}
	load := func() (*Speeds, error) {
		if err := Store(Path(dir, "cpu", 2), func() (*Calibration, error) { return &c, nil }); err != nil {
			t.Fatal(err)
		}
		return LoadSpeeds(dir, "cpu", here, paperSteps)
	}
	if _, err := load(); !errors.Is(err, errNoSpeeds) {
		t.Errorf("without speeds: %v", err)
	}
	c.Speeds = &Speeds{Alpha: .5, Of: map[string]float64{"top-down": 7}}
	if s, err := load(); err != nil || s.Of["top-down"] != 7 {
		t.Errorf("%+v, %v", s, err)
	}
	c.Hardware.Model = "another"
	if _, err := load(); !errors.Is(err, ErrElsewhere) || !strings.Contains(err.Error(), "another") {
		t.Errorf("elsewhere: %v", err)
	}
}
