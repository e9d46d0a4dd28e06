package learn

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/gohops/hops"
	"github.com/gohops/hops/edge"
)

// A search for shortest paths settles vertices by buckets of distances. Wide buckets lower
// distances more often than they need to, narrow ones have more phases, and which of the
// two costs less depends on the machine. The engine chooses the width Δ from the graph; here
// a factor of it is learned for each of the two ways in which graphs are searched.
//
// All factors are tried in turn on each root. The one with the least time on half of the
// searches is chosen, and the other half tells whether it helps.

// A PathTimer searches one graph for shortest paths, with buckets of any width.
type PathTimer interface {
	// ByQueues tells in which of the two ways the graph is searched.
	ByQueues() bool
	// Time searches from a root, with Δ so many times what the graph suggests. It returns
	// how long that took, and how many vertices were reached.
	Time(ctx context.Context, root hops.Vertex, factor float64) (took time.Duration, reached int64, err error)
	Close() error
}

// BuildPaths makes a PathTimer for a graph.
type BuildPaths func(ctx context.Context, src hops.WeightedSource) (PathTimer, error)

// Widths are what was learned about Δ.
type Widths struct {
	Buckets Width `json:"buckets"` // of graphs with hubs
	Queues  Width `json:"queues"`  // of graphs without, such as roads and grids
}

// A Width is a factor of Δ.
type Width struct {
	Factor float64 `json:"factor"` // with the least time on the searches that were learned from
	Time   float64 `json:"time"`   // with it on those held out, over that with Δ as it is
}

// leastGain is the share of the time that another width takes at most if it is used: with
// less of a gain, calibrations choose now one and now another.
const leastGain = 0.98

// Best is the factor to use: 1 if the other does not help.
func (w Width) Best() float64 {
	if w.Time <= leastGain {
		return w.Factor
	}
	return 1
}

// check tells why a width cannot have been learned.
func (w Width) check() error {
	if !slices.Contains(widthFactors, w.Factor) || !(w.Time > 0) {
		return fmt.Errorf("takes %v of the time with buckets %v times as wide", w.Time, w.Factor)
	}
	return nil
}

// widthFactors are those that are tried. The first leaves Δ as it is.
var widthFactors = []float64{1, 1. / 4, 1. / 2, 2, 4}

// pathSearches is the number of searches of each graph; every other one is held out.
const pathSearches = 6

// PathSearches is how many searches CalibrateWidths runs with each factor.
func (p TrainingSet) PathSearches() int { return numWeighted * pathSearches }

// CalibrateWidths learns the factors of Δ. It calls advance with the number of searches done.
func CalibrateWidths(ctx context.Context, set TrainingSet, build BuildPaths, advance func(done int64)) (*Widths, error) {
	graphs, err := set.weighted()
	if err != nil {
		return nil, err
	}
	e := session{set: set, advance: advance}
	var buckets, queues tally
	for _, g := range graphs {
		if err := e.timePaths(ctx, g, build, &buckets, &queues); err != nil {
			return nil, fmt.Errorf("learn: %s: %w", g.name, err)
		}
	}
	return &Widths{buckets.best(), queues.best()}, nil
}

// numWeighted is the number of graphs with weights.
const numWeighted = 5

// weighted returns graphs with weights: the benchmark's, a uniform one, and grids. One is
// large even in a quick set: those up to scale 18 alone choose half of Δ, which is no faster
// at scale 20 (two cores).
func (p TrainingSet) weighted() ([]training, error) {
	if p.quick {
		p.MaxScale = max(p.MaxScale, FullScale)
	}
	r := rand.New(rand.NewPCG(5, 7))
	fraction := func() float32 { return r.Float32() }
	whole := func() float32 { return float32(1 + r.IntN(1000)) }
	var graphs []training
	for _, scale := range []int{max(p.MinScale, p.MaxScale-2), p.MaxScale} {
		k, err := edge.NewKronecker(scale, 16, 2, 3)
		if err != nil {
			return nil, err
		}
		graphs = append(graphs, training{name: fmt.Sprintf("Kronecker, scale %d", scale), Source: k})
	}
	uniform, err := edge.NewRMAT(p.largest(), 16, 0.25, 0.25, 0.25, 0.25, r.Uint64())
	if err != nil {
		return nil, err
	}
	large, errLarge := grid(p.largest())
	small, errSmall := grid(max(p.MinScale, p.largest()-2))
	return append(graphs,
		training{name: "uniform", Source: withWeights(uniform, fraction)},
		training{name: large.name, Source: withWeights(large, fraction)},
		training{name: small.name, Source: withWeights(small, whole)},
	), errors.Join(errLarge, errSmall)
}

func withWeights(src hops.Source, draw func() float32) hops.WeightedSource {
	weights := make([]float32, src.NumEdges())
	for i := range weights {
		weights[i] = draw()
	}
	return edge.WithWeights(src, weights)
}

// timePaths times the searches of one graph.
func (e *session) timePaths(ctx context.Context, g training, build BuildPaths, buckets, queues *tally) error {
	s, err := build(ctx, g.Source.(hops.WeightedSource))
	if err != nil {
		return err
	}
	defer s.Close()
	to := buckets
	if s.ByQueues() {
		to = queues
	}
	x, taken := newExplored(g), 0
	return e.search(&x, pathSearches, func(root hops.Vertex) (bool, error) {
		t, reached, err := e.timeAll(ctx, s, root)
		if err != nil || reached < minVertices {
			return false, err
		}
		half := &to.learned
		if taken++; taken%2 == 0 {
			half = &to.held
		}
		half.add(t)
		return true, nil
	})
}

// times are the times of some searches with each factor, in seconds.
type times []float64

func (t *times) add(more times) {
	if *t == nil {
		*t = make(times, len(widthFactors))
	}
	for i := range more {
		(*t)[i] += more[i]
	}
}

// timeAll searches from a root with all factors in turn, several times, and returns the
// least times.
func (e *session) timeAll(ctx context.Context, s PathTimer, root hops.Vertex) (t times, reached int64, err error) {
	t = make(times, len(widthFactors))
	for run := range max(e.set.Runs, 1) {
		for i, factor := range widthFactors {
			took, vertices, err := s.Time(ctx, root, factor)
			if err != nil || vertices < minVertices {
				return nil, vertices, err
			}
			if seconds := took.Seconds(); run == 0 || seconds < t[i] {
				t[i] = seconds
			}
			reached = vertices
		}
	}
	return t, reached, nil
}

// A tally is the times of all graphs that are searched in one way. Large graphs count more
// than small ones, whose best width is another.
type tally struct{ learned, held times }

// best is the factor with the least time on the searches learned from.
func (y *tally) best() Width {
	if y.learned == nil || y.held == nil || y.held[0] == 0 {
		return Width{1, 1} // there were no two searches, or no clock that could time them
	}
	best := 0
	for i := range y.learned {
		if y.learned[i] < y.learned[best] {
			best = i
		}
	}
	return Width{widthFactors[best], y.held[best] / y.held[0]}
}
