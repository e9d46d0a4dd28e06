package lab

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gohops/hops"
	"github.com/gohops/hops/graph500"
	"github.com/gohops/hops/level"
)

// A world is what engines cost in a test: the levels of a search as the world
// would have them, given what a plain search looks like.
type world func(e engineSpec, depth int, l *hops.Level)

// An engineSpec is an engine string, taken apart.
type engineSpec struct {
	name    string
	options map[string]string
	scale   int // of the graph
	degree  float64
}

// is tells whether the engine has an option: "direction=top-down".
func (e engineSpec) is(option string) bool {
	key, value, _ := strings.Cut(option, "=")
	got, set := e.options[key]
	return set && got == value
}

func parseSpec(text string) engineSpec {
	name, rest, _ := strings.Cut(text, ":")
	e := engineSpec{name: name, options: map[string]string{}}
	for _, pair := range strings.Split(rest, ",") {
		if key, value, ok := strings.Cut(pair, "="); ok {
			e.options[key] = value
		}
	}
	return e
}

// fakeLab runs a serial search for every engine, whose trace is on a model's
// clock and says what the world says. Engines named in missing do not exist.
func fakeLab(w world, missing ...string) *Lab {
	scale := 8
	if testing.Short() { // under the race detector
		scale = 7
	}
	meter := new(fakeMeter)
	return &Lab{
		Host:    graph500.Host{CPUs: graph500.CPUSet{0, 1, 2, 3}, Online: graph500.CPUSet{0, 1, 2, 3}, Sockets: 2, Model: "fake"},
		Options: Options{Quick: true, Scale: scale, Roots: 2, Runs: 2},
		Joules:  meter.joules,
		span:    time.Millisecond,
		Engine: func(spec string) (graph500.Engine, error) {
			e := parseSpec(spec)
			if slices.Contains(missing, e.name) {
				return graph500.Engine{}, errors.New("no such engine")
			}
			return graph500.Engine{Build: func(_ context.Context, src hops.Source) (graph500.Searcher, error) {
				rows, err := rowsOf(src)
				e.degree = 2 * float64(src.NumEdges()) / float64(src.NumVertices())
				for n := src.NumVertices(); n > 1; n /= 2 {
					e.scale++
				}
				return &fakeSearcher{rows, e, w, meter}, err
			}}, nil
		},
	}
}

// A fakeMeter adds up the energy that the searches of a lab have used: a watt, in model
// time.
type fakeMeter struct{ nanojoules atomic.Int64 }

func (m *fakeMeter) joules() (float64, error) { return float64(m.nanojoules.Load()) / 1e9, nil }

type fakeSearcher struct {
	rows [][]hops.Vertex
	engineSpec
	world
	meter *fakeMeter
}

func (s *fakeSearcher) Close() error { return nil }

// times are those of all steps on a level, as the world tells them.
func (s *fakeSearcher) times(depth int) (times []time.Duration) {
	for _, step := range fakeSteps {
		e := s.engineSpec
		e.options = map[string]string{"step": step.Name}
		l := hops.Level{Time: time.Millisecond}
		s.world(e, depth, &l)
		times = append(times, l.Time)
	}
	return times
}

// Next is what the models of the fake do: they take the best step, unless the world is one
// of bad policies.
func (s *fakeSearcher) Next(f level.Front, steps []level.Step) level.Step {
	times, e := s.times(int(f.Depth)), s.engineSpec
	e.options = map[string]string{"policy": "bad"}
	l, wanted := hops.Level{Time: 1}, slices.Min(times)
	if s.world(e, 0, &l); l.Time == 2 {
		wanted = slices.Max(times)
	}
	return steps[slices.Index(times, wanted)]
}

// Policies has rules that are as bad as either direction alone.
func (s *fakeSearcher) Policies() map[string]level.Policy {
	return map[string]level.Policy{"zhang": s, "daga": level.Fixed{Direction: level.TopDown}, "yasui": level.Fixed{Direction: level.BottomUp}}
}

// Search is a plain search, level by level; the world then tells what it cost.
func (s *fakeSearcher) Search(_ context.Context, root hops.Vertex, t *hops.Tree) (hops.Trace, error) {
	t.Root = root
	t.SetParent(root, root)
	trace := hops.Trace{Clock: hops.Model}
	defer func() { s.meter.nanojoules.Add(int64(trace.Time())) }()
	for front := []hops.Vertex{root}; len(front) > 0; {
		var next []hops.Vertex
		l := hops.Level{Step: "top-down", Frontier: int64(len(front)), Exchange: &hops.Exchange{}}
		for _, v := range front {
			for _, u := range s.rows[v] {
				l.Examined++
				if t.Parent(u) == hops.NoVertex {
					t.SetParent(u, v)
					next = append(next, u)
				}
			}
		}
		l.Found = int64(len(next))
		l.Messages, l.Bytes = l.Examined, 8*l.Examined
		l.Time = time.Duration(1e6 + 100*l.Examined)
		s.world(s.engineSpec, len(trace.Levels), &l)
		trace.Levels = append(trace.Levels, l)
		front = next
	}
	return trace, nil
}

var fakeSteps = []level.Step{{Name: "top-down"}, {Name: "bottom-up", Direction: level.BottomUp}}

func (s *fakeSearcher) Steps() []level.Step { return fakeSteps }

// Explore makes levels of the fake search for both steps; the world tells the
// time of each by its name.
func (s *fakeSearcher) Explore(ctx context.Context, root hops.Vertex, _ int) ([]level.Exploration, error) {
	trace, err := s.Search(ctx, root, hops.NewTree(hops.Vertex(len(s.rows))))
	var all []level.Exploration
	for depth, l := range trace.Levels {
		x := level.Exploration{Front: level.Front{Depth: int32(depth), Vertices: l.Frontier, Edges: l.Examined}, Times: s.times(depth)}
		x.Chosen = slices.Index(fakeSteps, s.Next(x.Front, fakeSteps))
		all = append(all, x)
	}
	return all, err
}

// perform runs an experiment in a world.
func perform(t *testing.T, id string, l *Lab) *Finding {
	t.Helper()
	e, err := Find(id)
	if err != nil {
		t.Fatal(err)
	}
	f, err := l.Perform(t.Context(), e)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// describe is a finding in a test's log.
func describe(f *Finding) string {
	var b strings.Builder
	for _, c := range f.Claims {
		fmt.Fprintf(&b, "\n  %s: %s (%s)", c.Text, c.Outcome, c.Why)
	}
	return f.ID + ": " + string(f.Verdict()) + b.String()
}

// lying makes engines whose trees leave a vertex out.
func lying(honest func(string) (graph500.Engine, error)) func(string) (graph500.Engine, error) {
	return func(spec string) (graph500.Engine, error) {
		e, err := honest(spec)
		build := e.Build
		e.Build = func(ctx context.Context, src hops.Source) (graph500.Searcher, error) {
			s, err := build(ctx, src)
			return liar{s}, err
		}
		return e, err
	}
}

type liar struct{ graph500.Searcher }

func (s liar) Search(ctx context.Context, root hops.Vertex, t *hops.Tree) (hops.Trace, error) {
	trace, err := s.Searcher.Search(ctx, root, t)
	for v := range hops.Vertex(t.Len()) {
		if p := t.Parent(v); p != hops.NoVertex && p != v {
			t.SetParent(v, hops.NoVertex)
			break
		}
	}
	return trace, err
}
