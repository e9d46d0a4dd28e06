// Package projection predicts searches on machines that are not here.
//
// A prediction has three parts, each of which is checked on its own:
//
//   - Work (work.go): how many vertices and edges each level handles. Searches at
//     several scales are run on the twin of a node, every level's share of the graph is fitted as a
//     function of the scale, and extended.
//   - Rates: how long a node takes for its part of a level. They are those of
//     the twin of a node, learned from the model times of the same searches as the
//     cost model of package level learns them, times the speed of a node relative
//     to it, and times the imbalance between nodes (imbalance.go), learned from twins.
//   - Network (network.go): how long the bytes of a level take, from the injection
//     and bisection bandwidth of a topology, and what collectives cost.
//
// The result is a projection and is called one everywhere. Check tells how
// far off projections are where the truth is known: at scales that were held out
// of the fit, for numbers of ranks that were, and for the machines of the papers.
package projection

import (
	"cmp"
	"fmt"
	"math"
	"time"

	"github.com/gohops/hops/level"
)

// An Exchange is how the nodes of a machine tell each other.
type Exchange string

const (
	Messages  Exchange = "messages"  // every edge to the owner of its other end, both directions
	Allgather Exchange = "allgather" // bottom-up over a gathered frontier
	Grid      Exchange = "2d"        // blocks of the matrix: columns share the frontier, rows find
)

// A Machine is nodes and what joins them.
type Machine struct {
	Name     string
	Speed    float64 // of a node, relative to the twin of a node; 0: 1
	Network  Network
	Exchange Exchange
	Bulk     bool // computing and sending take turns instead of overlapping
}

// A Level is the prediction of one level.
type Level struct {
	Step     string
	Frontier float64
	Examined float64
	Found    float64
	Bytes    float64 // sent by all nodes

	Compute time.Duration // of a node
	Network time.Duration // for its bytes
	Collect time.Duration // collectives and latency
	Time    time.Duration
}

// A Projection is the prediction of a search.
type Projection struct {
	Machine string
	Scale   int
	Nodes   int
	Levels  []Level
	Time    time.Duration
	Edges   float64
	TEPS    float64
}

// collectives is how many reductions a level ends with: what was found, and
// whether anything was.
const collectives = 2

// Project predicts a search of a graph of a scale on so many nodes.
func (m *Model) Project(machine Machine, scale, nodes int) (Projection, error) {
	if nodes < 1 || scale < 1 || scale > 60 {
		return Projection{}, fmt.Errorf("projection: scale %d on %d nodes: impossible", scale, nodes)
	}
	if err := machine.Network.check(nodes); err != nil {
		return Projection{}, err
	}
	work := m.Work(scale)
	p := Projection{Machine: machine.Name, Scale: scale, Nodes: nodes, Edges: work.Edges}
	for _, w := range work.Levels {
		l := m.level(machine, w, float64(nodes))
		p.Levels = append(p.Levels, l)
		p.Time += l.Time
	}
	if p.Time <= 0 {
		return p, fmt.Errorf("projection: scale %d on %d nodes takes no time: the rates are not those of a machine", scale, nodes)
	}
	p.TEPS = p.Edges / p.Time.Seconds()
	return p, nil
}

// level predicts one level on so many nodes: that with the largest part decides.
func (m *Model) level(machine Machine, w LevelWork, nodes float64) Level {
	l := Level{Step: w.Direction.String(), Frontier: w.Frontier, Examined: w.Examined, Found: w.Found}
	l.Compute = seconds(m.compute(w, nodes) * m.Imbalance.of(nodes) / cmp.Or(machine.Speed, 1))
	if nodes > 1 {
		l.Bytes = m.bytes(machine.Exchange, w, nodes)
		net := machine.Network
		l.Network = seconds(net.AllToAll(l.Bytes/nodes, nodes))
		l.Collect = seconds(collectives*net.Reduce(8, nodes) + steps(machine.Exchange, nodes)*net.Latency)
	}
	l.Time = max(l.Compute, l.Network)
	if machine.Bulk {
		l.Time = l.Compute + l.Network
	}
	l.Time += l.Collect
	return l
}

// compute is the time of a node of this machine for its part of a level.
func (m *Model) compute(w LevelWork, nodes float64) float64 {
	whole := func(x float64) int64 { return int64(math.Ceil(x / nodes)) }
	f := level.Front{Size: whole(w.Vertices), Vertices: whole(w.Frontier), Unvisited: whole(w.Unvisited)}
	f.Work[w.Direction] = whole(w.Examined)
	return m.Rates[w.Direction.String()].Of(f, w.Direction).Seconds()
}

// bytes is what all nodes send in a level.
func (m *Model) bytes(how Exchange, w LevelWork, nodes float64) float64 {
	remote := 1 - 1/nodes
	gathered := how != Messages && w.Direction != level.TopDown
	switch {
	case how == Grid:
		side := math.Sqrt(nodes)
		// Each node takes part in a gathering along its column and in a reduction
		// along its row, of a bitmap of one block each; parents follow.
		return nodes*2*w.Vertices/side/8*(1-1/side) + 8*w.Found*remote
	case gathered:
		return w.Vertices / 8 * (nodes - 1)
	}
	c := m.Traffic[w.Direction]
	return c.PerEntry * w.Examined * remote * c.Bytes
}

// steps is how many messages of a level wait for each other.
func steps(how Exchange, nodes float64) float64 {
	if how == Grid {
		return 2 * math.Sqrt(nodes) // the prefix along the row, and back along the column
	}
	return 2 // the last packet, and its answer
}

func seconds(s float64) time.Duration { return time.Duration(s * 1e9) }
