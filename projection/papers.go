package projection

import (
	"fmt"
	"math"
	"strings"
)

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
