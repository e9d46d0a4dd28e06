package calibration

import (
	"fmt"

	"github.com/gohops/hops/internal/topo"
)

// A Machine is what costs depend on: two that are equal may share a calibration.
type Machine struct {
	Model   string     `json:"model"`
	CPUs    int        `json:"cpus"` // that the process may use
	Cores   int        `json:"cores"`
	Sockets int        `json:"sockets"`
	L1d     topo.Cache `json:"l1d"`
	L2      topo.Cache `json:"l2"`
	L3      topo.Cache `json:"l3"`
	Threads int        `json:"threads"`          // that search
	Device  string     `json:"device,omitempty"` // that searches with them
}

// On is a host with that many threads searching.
func On(host topo.Facts, threads int) Machine {
	return Machine{
		Model: host.Model, CPUs: len(host.CPUs), Cores: host.Cores, Sockets: host.Sockets,
		L1d: host.L1d, L2: host.L2, L3: host.L3, Threads: threads,
	}
}

func (m Machine) String() string {
	s := fmt.Sprintf("%s, %d CPUs, %d threads", m.Model, m.CPUs, m.Threads)
	if m.Device != "" {
		s += ", " + m.Device
	}
	return s
}
