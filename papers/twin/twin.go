// Package twin is the ranks' interface on a machine that is modelled: ranks really run
// and exchange every packet, bitmap and reduction, and the time is the machine's.
//
// Every rank is a goroutine with a clock. Between two calls of its Comm it computes:
// its clock advances by the work that it reports (rank.Work), at the rates of the
// modelled processor. A call of the Comm is processed when no rank can do anything
// earlier (schedule.go), so a rank receives exactly what has arrived at its time, and
// the same search takes the same time on any host under any load. A message
// reserves every link on its route (network.go), one message after the other:
// bandwidth, contention, latency, overlap and imbalance come out of the run.
//
// Collectives (collective.go) are made of messages on the same links, as MPI libraries
// make them, unless the machine combines in hardware.
//
// Not modelled: caches, adaptive routes, and the threads of a rank, for which the rates
// of the processor stand. During construction only communication takes time.
package twin

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/gohops/hops/internal/base/spec"
	"github.com/gohops/hops/internal/ranks/rank"
)

// A Setup says which machine is modelled, and at which size.
type Setup struct {
	Machine string // one of Machines by name, or a file that describes one in JSON
	Nodes   int    // 0: as many as the machine had
	PerNode int    // ranks on a node; 0: one for each socket or device
	// Grain is the number of vertices that each vertex stands for: a search on the
	// graph at hand takes as long as one on a graph that many times the size would,
	// divided by Grain. Latencies and other fixed costs then have the share of the
	// time that they have on the larger graph. 0 is 1.
	Grain int
}

// maxRanks bounds the ranks: beyond, their outboxes alone would not fit any host. 1,024
// ranks took 1.3 GB at scale 16, on two cores.
const maxRanks = 1 << 14

// Comms returns the ranks of the machine.
func (s Setup) Comms() ([]rank.Comm, error) {
	m, s, err := s.whole()
	if err != nil {
		return nil, err
	}
	return newWorld(m.at(s.Grain, s.PerNode), s.Nodes, s.PerNode, s.Grain).comms(), nil
}

// Size returns the numbers of nodes and of ranks on each of them.
func (s Setup) Size() (nodes, perNode int, err error) {
	_, s, err = s.whole()
	return s.Nodes, s.PerNode, err
}

// whole returns the machine, and the setup with the machine's numbers for those that are 0.
func (s Setup) whole() (Machine, Setup, error) {
	m, err := find(s.Machine)
	if err != nil {
		return m, s, err
	}
	if s.Nodes == 0 {
		s.Nodes = m.Nodes
	}
	if s.PerNode == 0 {
		s.PerNode = max(1, m.Units)
	}
	s.Grain = max(1, s.Grain)
	if n := s.Nodes * s.PerNode; s.Nodes < 1 || s.PerNode < 1 || n > maxRanks {
		return m, s, spec.Refuse(fmt.Errorf("twin: %d nodes of %d ranks: want between 1 and %d ranks", s.Nodes, s.PerNode, maxRanks))
	}
	return m, s, nil
}

// Names are the names of the machines that are known.
func Names() (names []string) {
	for _, m := range Machines {
		names = append(names, m.Name)
	}
	return names
}

// Check returns an error unless a machine of that name, or a file with one, exists.
func Check(name string) error {
	_, err := find(name)
	return err
}

func find(name string) (Machine, error) {
	if i := slices.IndexFunc(Machines, func(m Machine) bool { return m.Name == name }); i >= 0 {
		return Machines[i], nil
	}
	if !strings.HasSuffix(name, ".json") {
		return Machine{}, fmt.Errorf("twin: unknown machine %q; there are %s, or a file that ends in .json", name, strings.Join(Names(), ", "))
	}
	data, err := os.ReadFile(name)
	if err != nil {
		return Machine{}, fmt.Errorf("twin: %w", err)
	}
	m := Machine{Name: name}
	decoder := json.NewDecoder(strings.NewReader(string(data)))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&m); err != nil {
		return m, fmt.Errorf("twin: %s: %w", name, err)
	}
	return m, m.check()
}
