package projection

import (
	"fmt"
	"math"
	"slices"
)

// A Topology is how nodes are joined.
type Topology string

const (
	Torus5D   Topology = "torus5d"
	FatTree   Topology = "fattree"
	Dragonfly Topology = "dragonfly"
)

// Topologies are all there are.
var Topologies = []Topology{Torus5D, FatTree, Dragonfly}

// A Network is what joins nodes. A single node needs none.
type Network struct {
	Topology  Topology
	Bandwidth float64 // of a link, in bytes a second in each direction
	Latency   float64 // of a small message between neighbours, in seconds
	Ports     float64 // links of a node into the network, but for the torus, which has ten; 0: 1
}

func (n Network) check(nodes int) error {
	if nodes == 1 {
		return nil
	}
	if !slices.Contains(Topologies, n.Topology) {
		return fmt.Errorf("projection: unknown network %q; there are %v", n.Topology, Topologies)
	}
	if !(n.Bandwidth > 0) || !(n.Latency >= 0) || math.IsInf(n.Latency, 0) || n.Ports < 0 {
		return fmt.Errorf("projection: a network of %g B/s and a latency of %g s: impossible", n.Bandwidth, n.Latency)
	}
	return nil
}

// Injection is what one node can send, in bytes a second.
func (n Network) Injection() float64 {
	switch {
	case n.Topology == Torus5D:
		return 10 * n.Bandwidth
	case n.Ports > 0:
		return n.Ports * n.Bandwidth
	}
	return n.Bandwidth
}

// Bisection is what half of the nodes can send to the other half, in bytes a
// second.
//
// A torus is cut across its longest dimension, where two planes of links join the
// halves. A fat tree has as much as its nodes can send. A dragonfly has so on
// paper; random traffic takes two global links where one would do, which leaves
// half.
func (n Network) Bisection(nodes float64) float64 {
	switch n.Topology {
	case Torus5D:
		return 2 * nodes / longestDimension(nodes) * n.Bandwidth
	case Dragonfly:
		return nodes / 4 * n.Injection()
	}
	return nodes / 2 * n.Injection()
}

// longestDimension of a 5D torus as they are built: the fifth dimension has two
// nodes, the others are powers of two as equal as can be.
func longestDimension(nodes float64) float64 {
	bits := math.Ceil(math.Log2(nodes)) - 1
	return math.Max(2, math.Exp2(math.Ceil(bits/4)))
}

// diameter is how many links the farthest nodes are apart.
func (n Network) diameter(nodes float64) float64 {
	switch n.Topology {
	case Torus5D:
		return math.Max(1, 4*longestDimension(nodes)/2+1)
	case Dragonfly:
		return 3
	}
	return math.Max(1, 2*math.Ceil(math.Log(nodes)/math.Log(18))) // switches of 36 ports, half of them upwards
}

// AllToAll is how long it takes when every node sends so many bytes, spread over
// all others: as long as injecting them, or as long as the half that crosses the
// middle takes there, each way.
func (n Network) AllToAll(perNode, nodes float64) float64 {
	if nodes <= 1 || perNode <= 0 {
		return 0
	}
	crossing := perNode * nodes / 4 // half of the bytes cross, half of these in each direction
	return math.Max(perNode/n.Injection(), crossing/n.Bisection(nodes))
}

// Reduce is how long combining a few bytes of all nodes takes: up and down a tree.
func (n Network) Reduce(bytes, nodes float64) float64 {
	if nodes <= 1 {
		return 0
	}
	depth := math.Ceil(math.Log2(nodes))
	return 2 * (depth*(n.Latency+bytes/n.Injection()) + n.diameter(nodes)*n.Latency/8)
}
