package twin

import (
	"fmt"
	"math"

	"github.com/gohops/hops/internal/ranks/rank"
)

// A Machine is a cluster. Times are in nanoseconds, bandwidths in bytes a second.
type Machine struct {
	Name  string
	Nodes int // that it had

	// A node has Units: sockets, or devices. A rank has one of them, or its share of
	// all sockets where there are fewer ranks than sockets.
	Units int
	// Remote is how many times as long an access takes in the memory of another unit
	// of the node. A rank with several units has its memory interleaved over them;
	// with Unbound the threads of every rank move over all units, and copies between
	// ranks are as slow as other accesses.
	Remote  float64
	Unbound bool
	// Atomic is how many times as long a row entry takes top-down in a rank with
	// several units, whose threads visit vertices by atomic operations. 0 is 1.
	Atomic float64
	Rates  Rates // of a unit

	Topology  string // "torus5d", "fattree" or "dragonfly"
	Link      float64
	Latency   float64 // of a message, without the hops
	Hop       float64 // latency of each further link
	Adapters  int     // of a node; 0: its links are its own, as in a torus
	Overhead  float64 // of the processor for each packet of the network, sent or received
	Packet    float64 // bytes of a packet of the network
	Header    float64 // bytes of its header
	GroupSize int     // nodes of a group of a dragonfly

	Memory float64 // bandwidth of a rank for copies to ranks of its node, and for copies from them
	Device bool    // messages to other nodes take the path of Memory too, as over PCIe
	Bridge float64 // bandwidth between the adapter and all units of a node but the first; 0: no limit

	// Combine is the latency of a reduction in hardware; 0: reductions are made of
	// messages.
	Combine float64
}

// Rates are what a unit takes for its work, in nanoseconds.
type Rates struct {
	Scanned float64 // row entry read top-down
	Probed  float64 // row entry read bottom-up
	Visited float64 // vertex that is found
	Swept   float64 // word of a bitmap
	United  float64 // word of a bitmap that is combined with another
	Byte    float64 // byte of a packet that is made or read
}

// shape is how the rates of all machines relate to each other: as the rates of one of two
// cores of a Xeon at 2.1 GHz, fitted to explored levels (docs/design/cluster.md). The cost
// of an edge top-down is divided between reading its entry, and making and reading
// its 8 bytes in a packet.
var shape = Rates{Scanned: 2.9, Probed: 1.8, Visited: 2.6, Swept: 5, United: 0.45, Byte: 0.25}

// faster returns rates of a unit that is some times as fast.
func (r Rates) faster(times float64) Rates {
	return Rates{r.Scanned / times, r.Probed / times, r.Visited / times, r.Swept / times, r.United / times, r.Byte / times}
}

// cost is what work takes, in picoseconds.
func (r Rates) cost(w rank.Work) int64 {
	return picoseconds(float64(w.Scanned)*r.Scanned) + picoseconds(float64(w.Probed)*r.Probed) +
		picoseconds(float64(w.Visited)*r.Visited) + picoseconds(float64(w.Swept)*r.Swept) + picoseconds(float64(w.United)*r.United) +
		picoseconds(float64(w.Packed)*r.Byte)
}

// picoseconds rounds nanoseconds, the same on every processor.
func picoseconds(ns float64) int64 { return int64(math.Round(float64(ns * 1000))) }

// at returns the machine with ranks of its nodes, and with fixed costs for a grain.
func (m Machine) at(grain, perNode int) Machine {
	g := float64(grain)
	m.Latency, m.Hop, m.Combine = m.Latency/g, m.Hop/g, m.Combine/g
	units := float64(max(1, m.Units))
	each := max(1, units/float64(perNode)) // units of a rank
	if m.Device {
		each = 1
	}
	elsewhere := 1 - 1/each
	if m.Unbound {
		elsewhere = 1 - 1/units
	}
	slower := 1 + elsewhere*(max(1, m.Remote)-1)
	m.Rates = m.Rates.faster(each / slower)
	if m.Unbound {
		m.Memory /= slower
	}
	if each > 1 {
		m.Rates.Scanned *= max(1, m.Atomic)
	}
	if m.Packet == 0 {
		m.Packet = rank.MaxPacket
	}
	return m
}

func (m Machine) check() error {
	for what, ok := range map[string]bool{
		"Nodes":                   m.Nodes > 0,
		"Link":                    m.Link > 0,
		"Memory":                  m.Memory > 0,
		"Rates":                   m.Rates != Rates{} && min(m.Rates.Scanned, m.Rates.Probed, m.Rates.Visited, m.Rates.Swept, m.Rates.United, m.Rates.Byte) >= 0,
		"latencies and overheads": min(m.Latency, m.Hop, m.Combine, m.Overhead, m.Packet, m.Header, m.Bridge) >= 0,
		"Topology":                m.Topology == torus || m.Topology == fatTree && m.Adapters > 0 || m.Topology == dragonfly && m.Adapters > 0 && m.GroupSize > 0,
	} {
		if !ok {
			return fmt.Errorf("twin: %s: %s cannot be as they are given", m.Name, what)
		}
	}
	return nil
}
