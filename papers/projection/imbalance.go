package projection

import (
	"fmt"
	"math"

	"github.com/gohops/hops/graph500"
)

// Imbalance is how much longer a search takes than the mean node works: the rest is
// waiting for the slowest. It is learned from twins, machines that are modelled, on which
// graphs grow with the nodes, and grows with them like a power.
type Imbalance struct{ a, b float64 }

// of returns the factor on so many nodes.
func (i Imbalance) of(nodes float64) float64 {
	if nodes <= 1 {
		return 1
	}
	return max(1, math.Exp(i.a+i.b*math.Log2(nodes)))
}

// A TwinRun is a size of the twin that imbalance is learned from.
type TwinRun struct{ Nodes, Scale int }

// NodeEngine is the twin that work and rates are learned from: one node with a core like
// those of the machine that the rates of twins were measured on, in model time.
const NodeEngine = "cluster:twin=host,nodes=1,exchange=probe"

// TwinRuns are the sizes for graphs up to a scale.
func TwinRuns(scale int) []TwinRun {
	return []TwinRun{{4, scale - 4}, {16, scale - 2}, {64, scale}}
}

// Engine is the string of the twin: every vertex stands for as many as a node of
// BlueGene/Q had for one of these.
func (t TwinRun) Engine() string {
	return fmt.Sprintf("cluster:twin=bluegene-q,nodes=%d,exchange=probe,grain=16384,heavy=4", t.Nodes)
}

// LearnImbalance fits the imbalance to searches of twins with so many nodes each.
func (m *Model) LearnImbalance(runs []TwinRun, searches [][]graph500.Search) {
	var n, sx, sy, sxx, sxy float64
	for i, run := range runs {
		var took, worked float64
		for _, s := range searches[i] {
			for _, l := range s.Levels {
				if x := l.Exchange; x != nil {
					took += l.Time.Seconds()
					worked += (x.Computing + x.Sending + x.Switching).Seconds()
				}
			}
		}
		if worked > 0 && took > 0 {
			x, y := math.Log2(float64(run.Nodes)), math.Log(took/worked)
			n, sx, sy, sxx, sxy = n+1, sx+x, sy+y, sxx+x*x, sxy+x*y
		}
	}
	if d := n*sxx - sx*sx; d != 0 {
		b := max(0, (n*sxy-sx*sy)/d)
		m.Imbalance = Imbalance{(sy - b*sx) / n, b}
	}
}
