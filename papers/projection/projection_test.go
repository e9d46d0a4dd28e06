package projection

import (
	"math"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/gohops/hops"
	"github.com/gohops/hops/graph500"
	"github.com/gohops/hops/level"
)

// law is a world in which shares follow the fitted form exactly and times follow
// the cost model: five levels, the middle one finding half of what is reached.
func law(scale int) graph500.Search {
	n := math.Exp2(float64(scale))
	found := []float64{8, math.Sqrt(n), .4 * n, .1 * n, 0}
	s := graph500.Search{Edges: int64(16 * n)}
	frontier, open := 1.0, 0.0
	for _, f := range found {
		open += f
	}
	s.Vertices = int64(open) + 1
	for i, f := range found {
		l := hops.Level{Step: "top-down", Frontier: int64(frontier), Found: int64(f), Examined: int64(3*f) + 2}
		perEntry, perOpen := 2.0, 0.0
		if i == 2 || i == 3 {
			l.Step, perEntry, perOpen = "bottom-up", 1, 3
		}
		l.Time = time.Duration(5000 + perEntry*float64(l.Examined) + perOpen*open)
		s.Levels = append(s.Levels, l)
		frontier, open = f, open-f
	}
	return s
}

func observations(scales ...int) (all []Observation) {
	for _, s := range scales {
		for range 3 {
			all = append(all, Observation{s, law(s)})
		}
	}
	return all
}

func fitted(t testing.TB) *Model {
	m, err := Fit(observations(12, 13, 14, 15, 16))
	if err != nil {
		t.Fatal(err)
	}
	m.LearnTraffic(14, 2, nil)
	return m
}

// What follows the law is extended ten scales on, as exactly as a sum of powers
// is one.
func TestWorkIsExtended(t *testing.T) {
	m := fitted(t)
	for _, scale := range []int{14, 20, 26} {
		want := law(scale)
		got := m.Work(scale)
		if len(got.Levels) != len(want.Levels) {
			t.Fatalf("scale %d: %d levels, want %d", scale, len(got.Levels), len(want.Levels))
		}
		for i, l := range got.Levels {
			w := want.Levels[i]
			if !near(l.Examined, w.Examined) || !near(l.Found, w.Found) || !near(l.Frontier, w.Frontier) {
				t.Errorf("scale %d, level %d: %+v, want %+v", scale, i, l, w)
			}
		}
		if !within(got.Edges, float64(want.Edges), .01) {
			t.Errorf("scale %d: %g edges, want %d", scale, got.Edges, want.Edges)
		}
	}
}

// near allows for rounding, half a vertex, on top of the sum.
func near(got float64, want int64) bool {
	return math.Abs(got-float64(want)) <= .6+.08*float64(want)
}

func within(got, want, share float64) bool { return math.Abs(got-want) <= share*want }

func TestHeldOutScaleIsPredicted(t *testing.T) {
	checks, err := HeldOut(observations(12, 13, 14, 15, 18), 18)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range checks {
		if math.Abs(c.Error()) > .1 {
			t.Errorf("%s: %g, known %g", c.What, c.Projected, c.Known)
		}
	}
	if _, err := HeldOut(observations(12, 13), 14); err == nil {
		t.Error("nothing to compare with, and no error")
	}
	if _, err := Fit(observations(12)); err == nil {
		t.Error("a trend from one scale")
	}
}

func TestOneNodeNeedsNoNetwork(t *testing.T) {
	m := fitted(t)
	plain, err := m.Project(Machine{}, 20, 1)
	if err != nil {
		t.Fatal(err)
	}
	slow, err := m.Project(Machine{Network: Network{Topology: Torus5D, Bandwidth: 1, Latency: 1000}}, 20, 1)
	if err != nil || slow.Time != plain.Time {
		t.Errorf("%v with a network, %v without (%v)", slow.Time, plain.Time, err)
	}
	for _, l := range slow.Levels {
		if l.Bytes != 0 || l.Network != 0 || l.Collect != 0 {
			t.Errorf("one node sends: %+v", l)
		}
	}
	if _, err := m.Project(Machine{}, 20, 2); err == nil {
		t.Error("two nodes without a network")
	}
}

func anyMachine(t *rapid.T) Machine {
	return Machine{
		Speed:    rapid.Float64Range(.1, 10).Draw(t, "speed"),
		Exchange: rapid.SampledFrom([]Exchange{Messages, Allgather, Grid}).Draw(t, "exchange"),
		Bulk:     rapid.Bool().Draw(t, "bulk"),
		Network: Network{
			Topology:  rapid.SampledFrom(Topologies).Draw(t, "topology"),
			Bandwidth: rapid.Float64Range(1e8, 1e11).Draw(t, "bandwidth"),
			Latency:   rapid.Float64Range(0, 1e-4).Draw(t, "latency"),
		},
	}
}

// A better machine is never slower.
func TestBetterIsNeverSlower(t *testing.T) {
	m := fitted(t)
	rapid.Check(t, func(t *rapid.T) {
		machine := anyMachine(t)
		scale, nodes := rapid.IntRange(12, 40).Draw(t, "scale"), 1<<rapid.IntRange(0, 16).Draw(t, "nodes")
		before, err := m.Project(machine, scale, nodes)
		if err != nil {
			t.Fatal(err)
		}
		for name, improve := range map[string]func(*Machine){
			"bandwidth": func(m *Machine) { m.Network.Bandwidth *= 2 },
			"latency":   func(m *Machine) { m.Network.Latency /= 2 },
			"speed":     func(m *Machine) { m.Speed *= 2 },
			"overlap":   func(m *Machine) { m.Bulk = false },
		} {
			better := machine
			improve(&better)
			after, err := m.Project(better, scale, nodes)
			if err != nil {
				t.Fatal(err)
			}
			if after.Time > before.Time {
				t.Fatalf("better %s: %v instead of %v", name, after.Time, before.Time)
			}
		}
		larger, err := m.Project(machine, scale+1, nodes)
		if err != nil || larger.Time < before.Time {
			t.Fatalf("a larger graph takes %v instead of %v (%v)", larger.Time, before.Time, err)
		}
	})
}

// Without a network to speak of, twice the nodes take half the time, fixed costs
// apart.
func TestPerfectNetworkScales(t *testing.T) {
	m := fitted(t)
	machine := Machine{Exchange: Messages, Network: Network{Topology: FatTree, Bandwidth: 1e18}}
	one, err := m.Project(machine, 30, 1)
	if err != nil {
		t.Fatal(err)
	}
	many, err := m.Project(machine, 30, 64)
	if err != nil {
		t.Fatal(err)
	}
	if ratio := one.Time.Seconds() / many.Time.Seconds(); !within(ratio, 64, .05) {
		t.Errorf("64 nodes are %.1f times as fast as one", ratio)
	}
}

// The paper says that 1,024 nodes, a torus of at most eight, have twice the
// bisection of larger machines, for each node.
func TestTorusIsThePapers(t *testing.T) {
	n := Network{Topology: Torus5D, Bandwidth: 1}
	small, large := n.Bisection(1024)/1024, n.Bisection(65536)/65536
	if small != 2*large {
		t.Errorf("%g a node on 1,024 nodes, %g on 65,536", small, large)
	}
	if got := longestDimension(1024); got != 8 {
		t.Errorf("1,024 nodes have a dimension of %g, want 8", got)
	}
	if got := longestDimension(65536); got != 16 {
		t.Errorf("65,536 nodes have a dimension of %g, want 16", got)
	}
}

// Half of the nodes inject into a fat tree's bisection, and half as much passes that of a
// dragonfly. The cut of a torus has two links for every node of a plane.
func TestBisections(t *testing.T) {
	torus, tree, fly := Network{Torus5D, 1e9, 1e-6, 0}, Network{FatTree, 1e9, 1e-6, 0}, Network{Dragonfly, 1e9, 1e-6, 0}
	for nodes, links := range map[float64]float64{1024: 2 * 1024 / 8, 65536: 2 * 65536 / 16} {
		for _, x := range []struct {
			Network
			want float64
		}{{torus, links * 1e9}, {tree, nodes / 2 * tree.Injection()}, {fly, nodes / 4 * fly.Injection()}} {
			if got := x.Bisection(nodes); got != x.want {
				t.Errorf("%+v, %g nodes: %g, want %g", x.Network, nodes, got, x.want)
			}
		}
	}
	if torus.AllToAll(1e6, 1) != 0 || torus.Reduce(8, 1) != 0 {
		t.Error("one node sends to itself over a network")
	}
}

func TestTrafficIsLearned(t *testing.T) {
	m := fitted(t)
	s := law(14)
	for i := range s.Levels {
		s.Levels[i].Messages = s.Levels[i].Examined / 2 // every entry with a remote end, on two ranks
		s.Levels[i].Bytes = 4 * s.Levels[i].Messages
	}
	m.LearnTraffic(14, 2, []graph500.Search{s})
	if c := m.Traffic[level.BottomUp]; !within(c.PerEntry, 1, .02) || !within(c.Bytes, 4, .01) {
		t.Errorf("learned %+v", c)
	}
	for i := range s.Levels {
		s.Levels[i].Messages = s.Levels[i].Examined * 7 / 8
		s.Levels[i].Bytes = 4 * s.Levels[i].Messages
	}
	for _, c := range m.OtherRanks(14, 8, []graph500.Search{s}) {
		if math.Abs(c.Error()) > .05 {
			t.Errorf("%s: %g, counted %g", c.What, c.Projected, c.Known)
		}
	}
}

func TestCalibrationMeetsItsPoint(t *testing.T) {
	m := fitted(t)
	for _, p := range PublishedMachines {
		machine, err := m.Calibrated(p)
		if err != nil {
			t.Fatal(err)
		}
		got, err := m.Project(machine, p.Known[0].Scale, p.Known[0].Nodes)
		if err != nil || !within(got.TEPS, p.Known[0].TEPS, .001) {
			t.Errorf("%s: %g TEPS, known %g (%v)", p.Name, got.TEPS, p.Known[0].TEPS, err)
		}
	}
	checks, err := m.Papers()
	if err != nil || len(checks) < 4 {
		t.Errorf("%d checks, %v", len(checks), err)
	}
}

func TestImpossibleProjections(t *testing.T) {
	m := fitted(t)
	for _, c := range []struct{ scale, nodes int }{{0, 1}, {61, 1}, {20, 0}, {20, -1}} {
		if _, err := m.Project(Machine{}, c.scale, c.nodes); err == nil {
			t.Errorf("scale %d on %d nodes is projected", c.scale, c.nodes)
		}
	}
	for _, n := range []Network{{}, {Topology: "star", Bandwidth: 1}, {Topology: FatTree}, {Topology: FatTree, Bandwidth: 1, Latency: -1}} {
		if _, err := m.Project(Machine{Network: n}, 20, 2); err == nil {
			t.Errorf("%+v is a network", n)
		}
	}
}

// Levels that no graph can have are not projected: a vertex is found by an entry that
// was examined, no vertex has more entries than the heaviest, and vertices are whole.
func TestProjectedLevelsArePossible(t *testing.T) {
	hub := func(scale int) Observation { // the second level is a share of the graph already
		s, n := law(scale), math.Exp2(float64(scale))
		s.Levels[1].Found, s.Levels[1].Examined = int64(n/20), int64(n/8)
		s.Levels[4].Found, s.Levels[4].Examined = 1, 0
		return Observation{scale, s}
	}
	m, err := Fit([]Observation{hub(10), hub(11), hub(12), hub(13), hub(14)})
	if err != nil {
		t.Fatal(err)
	}
	for scale := 10; scale <= 50; scale++ {
		for i, l := range m.Work(scale).Levels {
			if l.Found > l.Examined || l.Found != math.Round(l.Found) || l.Found > l.Unvisited ||
				l.Direction == level.TopDown && l.Examined > 1.001*l.Frontier*maxDegree(scale) {
				t.Errorf("scale %d, level %d: %+v", scale, i, l)
			}
		}
	}
}
