package learn

import (
	"cmp"
	"fmt"
	"math/rand/v2"

	"github.com/gohops/hops"
	"github.com/gohops/hops/edge"
)

// A TrainingSet is what to learn from: the benchmark's graph at every scale from
// MinScale to MaxScale, other random graphs at scales between these, and two that
// are as far from them as graphs can be: a star, which is one row, and a grid, whose levels are
// many and small. A full set has the graphs of Zhang et al. instead of the random ones: see PaperGraphs.
type TrainingSet struct {
	MinScale, MaxScale int
	Stride             int // between scales; 0 is 1
	Others             int
	OthersMaxScale     int // 0 is MaxScale
	Roots              int // for each graph; every other one is held out
	OthersRoots        int // for each of the others; 0 is Roots
	Runs               int // of every step on every level; the least time counts

	quick bool // of the usual scale
}

// The scales of the largest graph to learn from. Its arrays should not fit in the
// caches, or nothing is learned about memory.
const (
	FullScale  = 20
	QuickScale = 18
	LeastScale = 10
	MostScale  = 28

	// manyWorkers is the number of threads from which on graphs are larger by
	// manyScale. Many workers pass over the bitmaps of small graphs in no time: the
	// cost of a vertex would be drawn from the cost of starting a level, and would be
	// far too high for large graphs.
	manyWorkers = 8
	manyScale   = 2
)

// Training is the usual set for so many threads. A scale other than 0 replaces the scale of
// the largest graph; a quick set has fewer and smaller graphs.
func Training(threads, scale int, quick bool) TrainingSet {
	more := 0
	if threads >= manyWorkers {
		more = manyScale
	}
	p := TrainingSet{MinScale: FullScale - 4, MaxScale: FullScale + more, Others: PaperGraphs, OthersMaxScale: FullScale - 1, Roots: 6, OthersRoots: 2, Runs: 3}
	if quick {
		p = TrainingSet{MinScale: QuickScale - 2, MaxScale: QuickScale + more, Stride: 1 + more/2, Others: 3, OthersMaxScale: QuickScale, Roots: 6, Runs: 5, quick: true}
	}
	if scale > 0 {
		p.MinScale, p.MaxScale, p.OthersMaxScale = scale-(p.MaxScale-p.MinScale), scale, min(p.OthersMaxScale, scale)
		p.quick = false
	}
	return p
}

// ForDevices is the set for a host and a device together. It has a large graph even when
// it should be quick, because the worth of a device shows there.
func (p TrainingSet) ForDevices() TrainingSet {
	if p.quick {
		p.MaxScale, p.Stride, p.OthersMaxScale = FullScale, 2, QuickScale
		p.Roots, p.Runs = 4, 3
	}
	return p
}

// Searches is how many will be explored in all.
func (p TrainingSet) Searches() int {
	return ((p.MaxScale-p.MinScale)/max(p.Stride, 1)+1)*p.Roots + p.Others*cmp.Or(p.OthersRoots, p.Roots) + numShapes*shapeRoots
}

// largest is the scale of the largest of the others.
func (p TrainingSet) largest() int { return cmp.Or(p.OthersMaxScale, p.MaxScale) }

// A training is a graph to learn from.
type training struct {
	name  string
	roots int
	hops.Source
	random bool // one of the R-MAT graphs, which are the paper's in a full set
}

// graphs returns the graphs of a plan, the same ones every time. The first of the
// others is uniform, which is as far from the benchmark's as random graphs go;
// the rest have random probabilities, and in a small set random edge factors.
func (p TrainingSet) graphs() ([]training, error) {
	var graphs []training
	for scale := p.MinScale; scale <= p.MaxScale; scale += max(p.Stride, 1) {
		k, err := edge.NewKronecker(scale, 16, 2, 3)
		if err != nil {
			return nil, err
		}
		graphs = append(graphs, training{fmt.Sprintf("Kronecker, scale %d", scale), p.Roots, k, false})
	}
	r := rand.New(rand.NewPCG(2, 3))
	for i := range p.Others {
		scale := p.largest() - i%(p.largest()-p.MinScale+1)
		q, factor := [4]float64{0.25, 0.25, 0.25, 0.25}, 16
		if i > 0 {
			q = quadrants(r)
		}
		if i > 0 && p.Others < PaperGraphs {
			factor = 8 + r.IntN(25) // few graphs should differ in degree too
		}
		g, err := edge.NewRMAT(scale, factor, q[0], q[1], q[2], q[3], r.Uint64())
		if err != nil {
			return nil, err
		}
		name := fmt.Sprintf("R-MAT %.2f %.2f %.2f %.2f, scale %d, factor %d", q[0], q[1], q[2], q[3], scale, factor)
		graphs = append(graphs, training{name, cmp.Or(p.OthersRoots, p.Roots), g, true})
	}
	grid, err := grid(p.largest())
	return append(graphs, star(p.largest()), grid), err
}

const (
	numShapes  = 2 // graphs that are not random: a star and a grid
	shapeRoots = 2 // searches of each of these that are explored, which are all alike
)

func star(scale int) training {
	n := hops.Vertex(1) << scale
	var edges []hops.Edge
	for v := hops.Vertex(1); v < n; v++ {
		edges = append(edges, hops.Edge{U: 0, V: v})
	}
	return training{fmt.Sprintf("star, scale %d", scale), shapeRoots, edge.List(edges, n), false}
}

// grid is a square one, or nearly.
func grid(scale int) (training, error) {
	g, err := edge.NewGrid(1<<(scale/2), 1<<(scale-scale/2))
	return training{fmt.Sprintf("grid, scale %d", scale), shapeRoots, g, false}, err
}

// quadrants draws the probabilities of an R-MAT graph: the first from ¼, where it
// is uniform, to ⅔, beyond which hardly anything is connected, and what remains
// for the others in random shares.
func quadrants(r *rand.Rand) (q [4]float64) {
	q[0] = 0.25 + r.Float64()*(2.0/3-0.25)
	b, c, d := 0.1+r.Float64(), 0.1+r.Float64(), 0.1+r.Float64()
	rest := (1 - q[0]) / (b + c + d)
	q[1], q[2] = b*rest, c*rest
	q[3] = 1 - q[0] - q[1] - q[2]
	return q
}
