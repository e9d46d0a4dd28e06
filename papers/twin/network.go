package twin

import "slices"

const (
	torus     = "torus5d"
	fatTree   = "fattree"
	dragonfly = "dragonfly"
)

// A network is the links of a machine: how long a byte takes on each, and the time from
// which it is free.
//
// A message takes the links of its route one after the other, without waiting for its
// own end (cut-through), and keeps each for as long as its bytes take there. A fat tree
// is not blocking: only adapters limit it. In a dragonfly the nodes of two groups share
// one path between these. In a torus messages take the shortest way, one dimension
// after the other.
type network struct {
	machine Machine
	perNode int
	nodes   int
	dims    []int // of a torus
	groups  int   // of a dragonfly

	perByte []float64 // picoseconds
	free    []int64
	route   []int
	first   struct{ in, bridge, from, to, links int } // of each kind; the first of all are the adapters out
}

func newNetwork(m Machine, nodes, perNode int) *network {
	n := &network{machine: m, perNode: perNode, nodes: nodes}
	add := func(count int, bandwidth float64) (first int) {
		first = len(n.perByte)
		for range count {
			n.perByte = append(n.perByte, 1e12/max(bandwidth, 1))
		}
		return first
	}
	add(nodes*m.Adapters, m.Link)
	n.first.in = add(nodes*m.Adapters, m.Link)
	n.first.bridge = add(2*nodes, m.Bridge)
	n.first.from = add(nodes*perNode, m.Memory)
	n.first.to = add(nodes*perNode, m.Memory)
	switch m.Topology {
	case torus:
		n.dims = dimensions(nodes)
		n.first.links = add(nodes*2*len(n.dims), m.Link)
	case dragonfly:
		n.groups = (nodes + m.GroupSize - 1) / m.GroupSize
		n.first.links = add(n.groups*n.groups, m.Link*float64(m.GroupSize)/float64(max(1, n.groups-1)))
	}
	n.free = make([]int64, len(n.perByte))
	return n
}

// dimensions returns the lengths of a torus of five dimensions, the last of which is
// at most 2, as even as can be: 4 × 4 × 4 × 4 × 2 for 512 nodes.
func dimensions(nodes int) []int {
	dims := []int{1, 1, 1, 1, 1}
	if nodes%2 == 0 {
		dims[4], nodes = 2, nodes/2
	}
	var factors []int
	for f := 2; nodes > 1; f++ {
		for ; nodes%f == 0; nodes /= f {
			factors = append(factors, f)
		}
	}
	for _, f := range slices.Backward(factors) {
		least := 0
		for d := range 4 {
			if dims[d] < dims[least] {
				least = d
			}
		}
		dims[least] *= f
	}
	return dims
}

// send sends a message of some bytes from one rank to another, both numbered over the
// whole machine. It returns when the sender's memory is free, and when all has arrived.
func (n *network) send(from, to int, bytes float64, start int64) (int64, int64) {
	if from == to {
		return start, start
	}
	n.route = n.route[:0]
	latency := n.machine.Latency
	if a, b := from/n.perNode, to/n.perNode; a == b {
		n.route = append(n.route, n.first.from+from, n.first.to+to)
		latency = min(latency, sameNode)
	} else {
		n.leave(from)
		n.cross(a, b)
		n.arrive(to)
	}
	at, longest, left := start, int64(0), start
	for i, l := range n.route {
		if i > 0 {
			at += picoseconds(n.machine.Hop)
		}
		at = max(at, n.free[l])
		took := int64(bytes * n.perByte[l])
		n.free[l] = at + took
		longest = max(longest, took)
		if i == 0 {
			left = n.free[l]
		}
	}
	return left, at + longest + picoseconds(latency)
}

// sameNode is the latency of a message within a node, in nanoseconds, at most.
const sameNode = 500

// leave and arrive add the links between a rank and the network.
func (n *network) leave(from int) {
	node, unit := from/n.perNode, from%n.perNode
	if n.machine.Device {
		n.route = append(n.route, n.first.from+from)
	}
	if n.machine.Bridge > 0 && unit > 0 {
		n.route = append(n.route, n.first.bridge+2*node)
	}
	if a := n.machine.Adapters; a > 0 {
		n.route = append(n.route, node*a+unit%a)
	}
}

func (n *network) arrive(to int) {
	node, unit := to/n.perNode, to%n.perNode
	if a := n.machine.Adapters; a > 0 {
		n.route = append(n.route, n.first.in+node*a+unit%a)
	}
	if n.machine.Bridge > 0 && unit > 0 {
		n.route = append(n.route, n.first.bridge+2*node+1)
	}
	if n.machine.Device {
		n.route = append(n.route, n.first.to+to)
	}
}

// cross adds the links between two nodes.
func (n *network) cross(a, b int) {
	switch n.machine.Topology {
	case torus:
		n.walk(a, b)
	case dragonfly:
		if p, q := a/n.machine.GroupSize, b/n.machine.GroupSize; p != q {
			n.route = append(n.route, n.first.links+p*n.groups+q)
		}
	}
}

// walk adds the links of a torus from node to node. Where both ways around are equally
// long, nodes take them in turns.
func (n *network) walk(a, b int) {
	stride := 1
	for d, size := range n.dims {
		at, goal := a/stride%size, b/stride%size
		ahead := (goal - at + size) % size
		step, way := 1, 0
		if 2*ahead > size || 2*ahead == size && at%2 == 1 {
			step, way = size-1, 1
		}
		for ; at != goal; at = (at + step) % size {
			n.route = append(n.route, n.first.links+(a*len(n.dims)+d)*2+way)
			next := (at + step) % size
			a += (next - at) * stride
		}
		stride *= size
	}
}
