package lab

import (
	"context"
	"fmt"

	"github.com/gohops/hops"
	"github.com/gohops/hops/learn"
	"github.com/gohops/hops/level"
)

// explorers are engines that can be explored, the best for the purpose first.
var explorers = []string{"adaptive", "cpu"}

// onDevice is what findings about a device must say.
const onDevice = "Where there is no GPU, the device is whatever OpenCL offers, which may be the CPU: its steps then show that they work, not how fast a GPU is."

// An exploration has the time of every step on every level of searches.
type exploration struct {
	setting string
	steps   []level.Step
	levels  []learn.Exploration // of the first root
	all     []learn.Exploration // of all roots
	missing []string
}

// explore times every step on every level, of so many searches, with the first
// engine that can.
func (l *Lab) explore(ctx context.Context, g graph, searches int) (e exploration, err error) {
	src, roots, err := l.inputs(ctx, g)
	if err != nil {
		return e, err
	}
	roots = roots[:min(searches, len(roots))]
	for _, spec := range explorers {
		graph, missing, err := l.open(ctx, spec, src)
		if err != nil {
			return e, err
		}
		if missing != "" {
			e.missing = append(e.missing, missing)
			continue
		}
		if x, ok := graph.(learn.Explorer); ok {
			err = e.visit(ctx, x, roots, l.Runs)
			e.setting = fmt.Sprintf("%s; %s; %d roots, every step of every level the least of %d runs", g.name, spec, len(roots), l.Runs)
			_ = graph.Close()
			return e, err
		}
		e.missing = append(e.missing, spec+": cannot time single levels")
		_ = graph.Close()
	}
	return e, nil
}

// visit explores all roots.
func (e *exploration) visit(ctx context.Context, x learn.Explorer, roots []hops.Vertex, runs int) error {
	e.steps = x.Steps()
	for i, root := range roots {
		levels, err := x.Explore(ctx, root, runs)
		if err != nil {
			return err
		}
		e.all = append(e.all, levels...)
		if i == 0 {
			e.levels = levels
		}
	}
	return nil
}

// finding returns a finding about the exploration.
func (e exploration) finding() *Finding {
	return &Finding{Basis: []Basis{Measured}, Setting: e.setting, Notes: []string{onDevice}, Missing: e.missing}
}

func topDown(s level.Step) bool { return s.Direction == level.TopDown }
