package projection

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/gohops/hops"
	"github.com/gohops/hops/graph500"
	"github.com/gohops/hops/level"
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
	if n.Topology == Torus5D {
		return 10 * n.Bandwidth
	}
	return cmp.Or(n.Ports, 1) * n.Bandwidth
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

// Traffic is what edges cost when they are sent: of the entries examined whose
// other end is elsewhere, how many are sent, and in how many bytes.
type Traffic struct {
	PerEntry float64 // edges sent, probes and claims, for an entry with a remote end
	Bytes    float64 // of one
}

// paperTraffic stands in where no ranks were measured: every remote entry is
// sent, in the paper's six bytes, or four to five compressed; bottom-up it is
// asked and sometimes answered.
var paperTraffic = map[level.Direction]Traffic{
	level.TopDown:  {PerEntry: 1, Bytes: 5},
	level.BottomUp: {PerEntry: 1.5, Bytes: 5},
}

// LearnTraffic takes what ranks told each other from searches of a scale on a
// cluster of so many, relative to the work that the model expects at that scale.
// Directions of which it has seen nothing are as in the paper.
func (m *Model) LearnTraffic(scale, ranks int, searches []graph500.Search) {
	var entries, sent, bytes [level.Directions]float64
	for _, w := range m.Work(scale).Levels {
		entries[w.Direction] += w.Examined * (1 - 1/float64(ranks))
	}
	for _, s := range searches {
		for _, l := range s.Levels {
			d := directionOf(l.Step)
			sent[d] += float64(l.Messages) / float64(len(searches))
			bytes[d] += float64(packets(l)) / float64(len(searches))
		}
	}
	for d, usual := range paperTraffic {
		m.Traffic[d] = usual
		if entries[d] > 0 && sent[d] > 0 {
			m.Traffic[d] = Traffic{sent[d] / entries[d], bytes[d] / sent[d]}
		}
	}
}

// packets is the bytes that edges were sent in. What the ranks of a level agree on
// apart from that does not grow with the graph.
func packets(l hops.Level) int64 {
	if l.Exchange != nil {
		return l.Exchange.Encoded
	}
	return l.Bytes
}

// Sent predicts the edges and bytes that a search sends on so many ranks.
func (m *Model) Sent(scale, ranks int) (edges, bytes float64) {
	for _, w := range m.Work(scale).Levels {
		c := m.Traffic[w.Direction]
		n := c.PerEntry * w.Examined * (1 - 1/float64(ranks))
		edges, bytes = edges+n, bytes+n*c.Bytes
	}
	return edges, bytes
}
