package learn

import (
	"context"
	"fmt"
	"math/rand/v2"
	"runtime/debug"
	"slices"
	"time"

	"github.com/gohops/hops"
	"github.com/gohops/hops/level"
)

// An Explorer is a searcher that can time every step on every level of a search.
// It reaches each level by the engine's policy that knows nothing of the machine.
type Explorer interface {
	Steps() []level.Step
	Explore(ctx context.Context, root hops.Vertex, runs int) ([]level.Exploration, error)
	Close() error
}

// Build makes an Explorer for a graph.
type Build func(ctx context.Context, src hops.Source) (Explorer, error)

// Calibrate explores the graphs of a training set and fits a model to half of the
// searches; the other half tells how good the model is. It calls advance with the
// number of searches done.
func Calibrate(ctx context.Context, set TrainingSet, build Build, advance func(done int64)) (*Calibration, error) {
	start := time.Now()
	graphs, err := set.graphs()
	if err != nil {
		return nil, err
	}
	e := session{set: set, advance: advance}
	for _, g := range graphs {
		if err := e.explore(ctx, g, build); err != nil {
			return nil, fmt.Errorf("learn: %s: %w", g.name, err)
		}
	}
	c, err := e.conclude()
	if err != nil {
		return nil, err
	}
	c.Learned, c.Took = start, time.Since(start)
	return c, nil
}

// A session collects the explored levels of all graphs.
type session struct {
	set        TrainingSet
	advance    func(done int64)
	done       int64
	steps      []level.Step
	graphs     []explored
	rehearsals []Rehearsal // of several devices
}

// explored are the levels of one graph.
type explored struct {
	training
	learned, held []level.Exploration
	draw          *rand.Rand // draws the roots
	judged        Judgement  // the times of all searches held out, where there are several devices
}

func newExplored(g training) explored {
	return explored{training: g, draw: rand.New(rand.NewPCG(uint64(g.NumVertices()), uint64(g.NumEdges())))}
}

const (
	// minLevels and minVertices bound the searches that are learned from: a search
	// from an isolated vertex, or in a tiny component, leaves nothing to decide.
	minLevels   = 3
	minVertices = 33
	// attempts is the number of roots drawn for each root wanted before a graph is
	// taken to have no more: half of the vertices of a Kronecker graph are isolated.
	attempts = 64
)

// isLarge tells whether a search is worth learning from.
func isLarge(levels []level.Exploration) bool {
	var vertices int64
	for _, l := range levels {
		vertices += l.Front.Vertices
	}
	return len(levels) >= minLevels && vertices >= minVertices
}

// search calls visit with random roots until it has found as many as wanted to be
// worth learning from. No garbage is collected while levels are timed.
func (e *session) search(x *explored, want int, visit func(root hops.Vertex) (worth bool, err error)) error {
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	for range attempts * want {
		worth, err := visit(hops.Vertex(x.draw.Uint64N(uint64(x.NumVertices()))))
		if err != nil {
			return err
		}
		if !worth {
			continue
		}
		e.done++
		e.advance(e.done)
		if want--; want == 0 {
			break
		}
	}
	return nil
}

// explore explores the searches of one graph, and holds every other one out.
func (e *session) explore(ctx context.Context, g training, build Build) error {
	s, err := build(ctx, g.Source)
	if err != nil {
		return err
	}
	defer s.Close()
	e.steps = s.Steps()
	x, taken := newExplored(g), 0
	err = e.search(&x, g.roots, func(root hops.Vertex) (bool, error) {
		levels, err := s.Explore(ctx, root, e.set.Runs)
		if err != nil || !isLarge(levels) {
			return false, err
		}
		if taken++; taken%2 == 1 {
			x.learned = append(x.learned, levels...)
		} else {
			x.held = append(x.held, levels...)
		}
		return true, nil
	})
	e.graphs = append(e.graphs, x)
	return err
}

// conclude fits the model and compares it with the searches held out.
func (e *session) conclude() (*Calibration, error) {
	var learned, weighed, held []level.Exploration
	for _, g := range e.graphs {
		learned, held = append(learned, g.learned...), append(held, g.held...)
		weighed = append(weighed, normalized(g.learned)...)
	}
	m, err := Fit(Samples(learned, e.steps))
	if err != nil {
		return nil, fmt.Errorf("learn: %w", err)
	}
	m = m.Useful(learned, e.steps).Tune(weighed, e.steps)
	c := &Calibration{DeviceModel: DeviceModel{Steps: m}, Alpha: alpha(learned, e.steps), Speeds: fitSpeeds(e.graphs, e.steps), Agreement: judge(m, Samples(held, e.steps))}
	e.addGraphs(c, func(g explored) Regrets {
		return Regrets{Without: 100 * Regret(g.held), With: 100 * Regret(Choose(g.held, m, e.steps))}
	})
	return c, nil
}

// addGraphs adds the graphs with their regrets, and the mean of these.
func (e *session) addGraphs(c *Calibration, regret func(explored) Regrets) {
	for _, g := range e.graphs {
		r := regret(g)
		c.Graphs = append(c.Graphs, TrainedGraph{g.name, len(g.learned) + len(g.held), r})
		c.Regrets.Without += r.Without / float64(len(e.graphs))
		c.Regrets.With += r.With / float64(len(e.graphs))
	}
}

// normalized returns the levels of a graph with all times divided by the sum of the best
// ones, so that tuning gives small graphs the same weight as large ones.
func normalized(levels []level.Exploration) []level.Exploration {
	const whole = float64(time.Hour)
	best := max(bestTime(levels), 1)
	weighed := slices.Clone(levels)
	for i := range weighed {
		weighed[i].Times = slices.Clone(weighed[i].Times)
		for j, t := range weighed[i].Times {
			weighed[i].Times[j] = time.Duration(whole * float64(t) / float64(best))
		}
	}
	return weighed
}

// alpha is the share of the remaining row entries that bottom-up levels look at
// where they are the best choice.
func alpha(levels []level.Exploration, steps []level.Step) float64 {
	var looked, remaining float64
	for _, l := range levels {
		if best := slices.Index(l.Times, slices.Min(l.Times)); steps[best].Direction == level.BottomUp {
			looked += float64(l.Front.Work[level.BottomUp])
			remaining += float64(l.Front.Remaining)
		}
	}
	return looked / max(remaining, 1)
}
