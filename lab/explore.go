package lab

import (
	"context"
	"fmt"
	"time"

	"github.com/gohops/hops"
	"github.com/gohops/hops/bench"
	"github.com/gohops/hops/learn"
	"github.com/gohops/hops/level"
)

// An explorer is a searcher that can time every step on every level.
type explorer interface {
	Steps() []level.Step
	Explore(ctx context.Context, root hops.Vertex, runs int) ([]learn.Exploration, error)
}

// explorers are engines that can be explored, the best for the purpose first.
var explorers = []string{"adaptive", "cpu"}

// onDevice is what findings about a device must say.
const onDevice = "Where there is no GPU, the device is whatever OpenCL offers, which may be the CPU: its steps then show that they work, not how fast a GPU is."

// An exploration is the levels of one search with the time of every step.
type exploration struct {
	engine, setting string
	steps           []level.Step
	levels          []exploredLevel
	all             []learn.Exploration // of all roots
	missing         []string
}

type exploredLevel struct {
	frontier, edges int64
	times           []time.Duration
	chosen          int
}

// explore times every step on every level, of so many searches, with the first
// engine that can.
func (l *Lab) explore(ctx context.Context, g graph, searches int) (e exploration, err error) {
	src, err := g.source()
	if err != nil {
		return e, err
	}
	roots, err := bench.Roots(ctx, src, l.Roots)
	if err != nil {
		return e, err
	}
	roots = roots[:min(searches, len(roots))]
	for _, spec := range explorers {
		r, err := l.open(ctx, spec, src)
		if err != nil {
			return e, err
		}
		if r.graph == nil {
			e.missing = append(e.missing, r.Missing)
			continue
		}
		if x, ok := r.graph.(explorer); ok {
			err = e.visit(ctx, x, roots, l.Runs)
			e.engine = spec
			e.setting = fmt.Sprintf("%s; %s; %d roots, every step of every level the least of %d runs", g.name, spec, len(roots), l.Runs)
			_ = r.graph.Close()
			return e, err
		}
		e.missing = append(e.missing, spec+": cannot time single levels")
		_ = r.graph.Close()
	}
	return e, nil
}

// visit explores all roots; the levels shown are those of the first.
func (e *exploration) visit(ctx context.Context, x explorer, roots []hops.Vertex, runs int) error {
	e.steps = x.Steps()
	for i, root := range roots {
		levels, err := x.Explore(ctx, root, runs)
		if err != nil {
			return err
		}
		e.all = append(e.all, levels...)
		if i > 0 {
			continue
		}
		for _, l := range levels {
			e.levels = append(e.levels, exploredLevel{l.Front.Vertices, l.Front.Edges, l.Times, l.Chosen})
		}
	}
	return nil
}

// finding returns a finding about the exploration.
func (e exploration) finding() *Finding {
	return &Finding{Basis: []Basis{Measured}, Setting: e.setting, Notes: []string{onDevice}, Missing: e.missing}
}

func topDown(s level.Step) bool { return s.Direction == level.TopDown }
