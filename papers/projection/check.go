package projection

import (
	"fmt"
	"math"
	"strings"

	"github.com/gohops/hops/graph500"
	"github.com/gohops/hops/level"
)

// A Check is a projection beside the truth.
type Check struct {
	What      string
	Unit      string
	Projected float64
	Known     float64
	Source    string // of what is known
}

// Error is how far the projection is off, as a share of what is known.
func (c Check) Error() float64 { return c.Projected/c.Known - 1 }

// HeldOut fits everything below a scale, from which searches are given too, and
// projects that scale on one node.
func HeldOut(searches []Observation, scale int) ([]Check, error) {
	var below []Observation
	var time, examined, found, levels, n float64
	for _, o := range searches {
		if o.Scale < scale {
			below = append(below, o)
		}
		if o.Scale != scale {
			continue
		}
		n++
		levels += float64(len(o.Search.Levels))
		for _, l := range o.Search.Levels {
			time += l.Time.Seconds()
			examined += float64(l.Examined)
			found += float64(l.Found)
		}
	}
	m, err := Fit(below)
	if err != nil {
		return nil, err
	}
	if n == 0 {
		return nil, fmt.Errorf("projection: no searches at scale %d to compare with", scale)
	}
	p, err := m.Project(Machine{}, scale, 1)
	if err != nil {
		return nil, err
	}
	var entries, vertices float64
	for _, l := range p.Levels {
		entries, vertices = entries+l.Examined, vertices+l.Found
	}
	what := func(s string) string { return fmt.Sprintf("%s at scale %d, from scales %v", s, scale, m.Scales) }
	const here = "on the twin of a node, mean"
	return []Check{
		{what("vertices found"), "vertices", vertices, found / n, here},
		{what("entries examined"), "entries", entries, examined / n, here},
		{what("levels"), "levels", float64(len(p.Levels)), levels / n, here},
		{what("time of a search"), "s", p.Time.Seconds(), time / n, here},
	}, nil
}

// OtherRanks compares what a search sends on a number of ranks that traffic was
// not learned from.
func (m *Model) OtherRanks(scale, ranks int, searches []graph500.Search) []Check {
	var edges, bytes float64
	for _, s := range searches {
		for _, l := range s.Levels {
			edges += float64(l.Messages)
			bytes += float64(packets(l))
		}
	}
	n := math.Max(float64(len(searches)), 1)
	e, b := m.Sent(scale, ranks)
	what := func(s string) string { return fmt.Sprintf("%s sent on %d ranks at scale %d", s, ranks, scale) }
	return []Check{
		{what("edges"), "edges", e, edges / n, "counted on the twin, mean"},
		{what("bytes"), "B", b, bytes / n, "counted on the twin, mean"},
	}
}

// Papers compares with what the papers' texts say of their own machines.
func (m *Model) Papers() ([]Check, error) {
	var checks []Check
	for _, p := range PublishedMachines {
		machine, err := m.Calibrated(p)
		if err != nil {
			return nil, err
		}
		for _, k := range p.Known[1:] {
			got, err := m.Project(machine, k.Scale, k.Nodes)
			if err != nil {
				return nil, err
			}
			checks = append(checks, Check{
				fmt.Sprintf("%s: scale %d on %d nodes, from scale %d on %d", p.Name, k.Scale, k.Nodes, p.Known[0].Scale, p.Known[0].Nodes),
				"TEPS", got.TEPS, k.TEPS, k.Source,
			})
		}
		more, err := m.shape(p.Name, machine)
		if err != nil {
			return nil, err
		}
		checks = append(checks, more...)
	}
	return checks, nil
}

// shape compares what the texts say other than rates.
func (m *Model) shape(name string, machine Machine) ([]Check, error) {
	switch name {
	case "numa":
		p, err := m.Project(machine, 31, 8)
		if err != nil {
			return nil, err
		}
		var gathering float64
		for _, l := range p.Levels {
			if l.Step == level.BottomUp.String() {
				gathering += (l.Network + l.Collect).Seconds()
			}
		}
		return []Check{{"numa: share of bottom-up communication on 8 nodes", "%", 100 * gathering / p.Time.Seconds(), 18, "section IV-D"}}, nil
	case "romeo":
		few, err := m.Project(machine, 21, 16)
		if err != nil {
			return nil, err
		}
		many, err := m.Project(machine, 21, 64)
		if err != nil {
			return nil, err
		}
		return []Check{{"romeo: 64 GPUs over 16 at scale 21, below 1 in the paper", "×", many.TEPS / few.TEPS, 1, "section 3.5.2: lower"}}, nil
	}
	return nil, nil
}

// A Known point is a rate that a paper gives in its text.
type Known struct {
	Scale, Nodes int
	TEPS         float64
	Source       string
}

// A Published machine is one of a paper: what is known of it, and rates. The first
// rate calibrates the speed of its nodes, the others are predicted.
type Published struct {
	Machine
	Known   []Known
	Assumed string // what the text does not say
}

const giga, tera = 1e9, 1e12

// Nodes are looked for between these speeds, relative to this machine.
const slowest, fastest = 1e-4, 1e4

// PublishedMachines are those of the papers.
var PublishedMachines = []Published{
	{
		Machine: Machine{
			Name: "bluegene-q", Exchange: Messages,
			Network: Network{Topology: Torus5D, Bandwidth: 2 * giga, Latency: 1e-6},
		},
		Known: []Known{
			{36, 4096, 1.4 * tera, "section IV-D"},
			{40, 65536, 15.3 * tera, "abstract"},
		},
		Assumed: "links of 2 GB/s each way and a latency of 1 µs: IBM's figures for BlueGene/Q, not in the text",
	},
	{
		Machine: Machine{
			Name: "numa", Exchange: Allgather, Bulk: true,
			Network: Network{Topology: FatTree, Bandwidth: 4 * giga, Latency: 2e-6, Ports: 2},
		},
		Known: []Known{
			{32, 16, 39.2 * giga, "abstract"},
		},
		Assumed: "4 GB/s of data on each of two 40 Gb/s ports, a latency of 2 µs",
	},
	{
		Machine: Machine{
			Name: "romeo", Exchange: Grid, Bulk: true,
			Network: Network{Topology: FatTree, Bandwidth: 4 * giga, Latency: 2e-5},
		},
		Known: []Known{
			{21, 16, 4.8 * giga, "section 3.5.2, strong scaling"},
			{27, 64, 13.7 * giga, "section 3.5.3; the scale is ours, the largest graph over the GPUs it took"},
		},
		Assumed: "4 GB/s and 20 µs between GPUs through a host and InfiniBand QDR",
	},
}

// ByName returns the machine of a paper.
func ByName(name string) (Published, error) {
	var names []string
	for _, p := range PublishedMachines {
		if p.Name == name {
			return p, nil
		}
		names = append(names, p.Name)
	}
	return Published{}, fmt.Errorf("unknown machine %q; there are %s", name, strings.Join(names, ", "))
}

// Calibrated returns the machine with nodes of the speed that makes the first
// known rate come true.
func (m *Model) Calibrated(p Published) (Machine, error) {
	machine, goal := p.Machine, p.Known[0]
	lo, hi := slowest, fastest
	for range 60 {
		machine.Speed = math.Sqrt(lo * hi)
		got, err := m.Project(machine, goal.Scale, goal.Nodes)
		if err != nil {
			return machine, err
		}
		if got.TEPS < goal.TEPS {
			lo = machine.Speed
		} else {
			hi = machine.Speed
		}
	}
	if hi == fastest {
		return machine, fmt.Errorf("projection: %s: no speed of nodes reaches %g TEPS on its network", p.Name, goal.TEPS)
	}
	return machine, nil
}
