package projection

import (
	"fmt"
	"math"

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
	const here = "measured here, mean"
	return []Check{
		{what("vertices found"), "vertices", vertices, found / n, here},
		{what("edges examined"), "edges", entries, examined / n, here},
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
		{what("edges"), "edges", e, edges / n, "counted here, mean"},
		{what("bytes"), "B", b, bytes / n, "counted here, mean"},
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
