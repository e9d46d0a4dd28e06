package enginetest

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/gohops/hops"
	"github.com/gohops/hops/check"
	"github.com/gohops/hops/edge"
	"github.com/gohops/hops/level"
)

// A PathSearcher is what an engine with kernel 3 returns.
type PathSearcher interface {
	Search(ctx context.Context, root hops.Vertex, p *hops.Paths) (hops.Trace, error)
	Close() error
}

// A PathEngine is one configuration under test that finds shortest paths.
type PathEngine struct {
	// Build is called with the policies of the suite; nil is the engine's own.
	Build func(ctx context.Context, src hops.WeightedSource, wide bool, policy level.Policy) (PathSearcher, error)
	// Steps are the names that must have appeared in a trace by the end, and no others may.
	Steps []string
	// OwnPolicy says that the engine has no other.
	OwnPolicy bool
	// Scale is that of the Kronecker graph: 0 is 9.
	Scale int
}

// RunPaths compares distances of both widths with those of Dijkstra's algorithm in every bit,
// whatever the policy, hands every result to the checker, and compares the trace with the
// result. In the end every step must have run.
func RunPaths(t *testing.T, e PathEngine) {
	kronecker, err := edge.NewKronecker(cmp.Or(e.Scale, 9), 16, 2, 3)
	if err != nil {
		t.Fatal(err)
	}
	s := &pathSuite{PathEngine: e, ran: map[string]bool{}}
	s.search(t, "kronecker", kronecker)
	for name, draw := range PathWeights {
		s.search(t, name, weighted(uneven(200, 900).source(), draw))
		s.search(t, name+" directed", weighted(hops.Directed(uneven(200, 900).source()), draw))
	}
	s.search(t, "star", weighted(star(6000).source(), PathWeights["uniform"]))
	for name, draw := range adversarialWeights {
		for shape, g := range map[string]graph{
			"star": star(6000), "path": pathGraph(400), "tree": tree(900), "grid": grid(30, 30), "uneven": uneven(300, 3000),
		} {
			s.searchBy(t, name+" on a "+shape, weighted(g.source(), draw), false, nil)
			scaled := func(r *rand.Rand) float32 { return draw(r) * pathRoom } // sums of 32 bits would be infinite
			s.searchBy(t, name+" on a "+shape+", wide", weighted(g.source(), scaled), true, nil)
		}
	}
	s.search(t, "path", weighted(pathGraph(60).source(), PathWeights["integers"]))
	s.search(t, "empty", weighted(graph{n: 40}.source(), PathWeights["ones"]))
	s.refuse(t)
	if ran := slices.Sorted(maps.Keys(s.ran)); !slices.Equal(ran, slices.Sorted(slices.Values(e.Steps))) {
		t.Errorf("the steps %v have run, want %v", ran, e.Steps)
	}
}

type pathSuite struct {
	PathEngine
	ran map[string]bool // steps
}

// PathWeights are ways to draw weights that differ in what can go wrong.
var PathWeights = map[string]func(r *rand.Rand) float32{
	"uniform":  func(r *rand.Rand) float32 { return r.Float32() },
	"integers": func(r *rand.Rand) float32 { return float32(1 + r.IntN(1000)) },
	"quarters": func(r *rand.Rand) float32 { return float32(1+r.IntN(8)) / 4 }, // sums are ends of buckets
	"ones":     func(*rand.Rand) float32 { return 1 },
	"zeros":    func(r *rand.Rand) float32 { return float32(r.IntN(2)) },
	"nothing":  func(*rand.Rand) float32 { return 0 },
	"extremes": func(r *rand.Rand) float32 { return float32(math.Ldexp(r.Float64(), r.IntN(200)-140)) },
}

// adversarialWeights have no Δ that suits all of them: distances with gaps of any size, weights that
// are nothing beside others, and classes of weights that buckets of usual width take for ever to pass.
// They are such that distances of 32 bits are finite.
var adversarialWeights = map[string]func(r *rand.Rand) float32{
	"denormal and largest": anyOf(0, 1.4e-45, 2.8e-45, largest),
	"denormal":             func(r *rand.Rand) float32 { return math.Float32frombits(uint32(r.IntN(1 << 22))) },
	"largest":              anyOf(largest),
	"of every octave": func(r *rand.Rand) float32 {
		return math.Float32frombits(uint32(r.Int32N(int32(math.Float32bits(largest)))))
	},
	"of one class":    anyOf(0, largest*0.95, largest*0.97, largest),
	"small and large": anyOf(1e-40, 1.2e-38, 1e-30, 1, 1e20, largest),
}

// pathRoom is more edges than a path of the suite has, and largest a weight that a path can have on all
// of them.
const (
	pathRoom = 1 << 13
	largest  = math.MaxFloat32 / pathRoom
)

func anyOf(weights ...float32) func(r *rand.Rand) float32 {
	return func(r *rand.Rand) float32 { return weights[r.IntN(len(weights))] }
}

// weighted draws a weight for every edge of a source.
func weighted(src hops.Source, draw func(r *rand.Rand) float32) hops.WeightedSource {
	r, weights := rand.New(rand.NewPCG(5, 7)), make([]float32, src.NumEdges())
	for i := range weights {
		weights[i] = draw(r)
	}
	return edge.WithWeights(src, weights)
}

// uneven is a graph in which a few vertices have most of the edges.
func uneven(n, m int) graph {
	r := rand.New(rand.NewPCG(3, 4))
	return build("uneven", n, func(edge func(u, v int)) {
		for range m {
			edge(int(r.Float64()*r.Float64()*r.Float64()*float64(n)), r.IntN(n))
		}
	})
}

// search searches a graph by every policy, with distances of both widths. Wide ones of large
// graphs are left to the smaller ones.
func (s *pathSuite) search(t *testing.T, name string, src hops.WeightedSource) {
	t.Helper()
	policies := []level.Policy{nil, level.Fixed{Direction: level.TopDown}, level.Fixed{Direction: level.BottomUp}}
	if s.OwnPolicy {
		policies = policies[:1]
	}
	for _, policy := range policies {
		s.searchBy(t, fmt.Sprintf("%s, policy %v", name, policy), src, false, policy)
		if src.NumEdges() <= 2000 {
			s.searchBy(t, fmt.Sprintf("%s, wide, policy %v", name, policy), src, true, policy)
		}
	}
}

// searchBy searches from two roots, so that the second result is where the first was.
func (s *pathSuite) searchBy(t *testing.T, name string, src hops.WeightedSource, wide bool, policy level.Policy) {
	t.Helper()
	engine, paths := s.build(t, name, src, wide, policy)
	checker := check.New(src, 1)
	defer checker.Close()
	for i := range hops.Vertex(2) {
		root := (i*7919 + 5) % src.NumVertices()
		mustClearPaths(t, engine, paths)
		trace, err := engine.Search(context.Background(), root, paths)
		if err != nil {
			t.Fatalf("%s, root %d: %v", name, root, err)
		}
		found, err := checker.Paths(context.Background(), paths)
		if err != nil {
			t.Fatalf("%s, root %d: %v", name, root, err)
		}
		if trace.Found()+1 != found.Vertices || paths.Root != root {
			t.Fatalf("%s, root %d: the trace finds %d vertices beside the root, the result has %d from root %d", name, root, trace.Found(), found.Vertices, paths.Root)
		}
		s.note(t, name, trace, policy)
		// Each bucket finds a vertex, but for those that double their width until they do.
		if most := 2*found.Vertices + 600; int64(len(trace.Levels)) > most {
			t.Errorf("%s, root %d: %d buckets for %d vertices", name, root, len(trace.Levels), found.Vertices)
		}
		compareDistances(t, name, src, paths)
	}
	if err := engine.Close(); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	mustClearPaths(t, engine, paths)
}

func (s *pathSuite) build(t *testing.T, name string, src hops.WeightedSource, wide bool, policy level.Policy) (PathSearcher, *hops.Paths) {
	t.Helper()
	engine, err := s.Build(context.Background(), src, wide, policy)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	if wide {
		return engine, hops.NewPaths(src.NumVertices())
	}
	return engine, hops.NewSinglePaths(src.NumVertices())
}

// note collects the steps of a trace, all of which must have the direction of a fixed policy.
func (s *pathSuite) note(t *testing.T, name string, trace hops.Trace, policy level.Policy) {
	t.Helper()
	fixed, isFixed := policy.(level.Fixed)
	for _, l := range trace.Levels {
		s.ran[l.Step] = true
		if isFixed && l.Step != fixed.Direction.String() {
			t.Fatalf("%s: ran %s", name, l.Step)
		}
	}
}

// refuse hands an engine what it must not take, and sees that it goes on after that until it is
// closed.
func (s *pathSuite) refuse(t *testing.T) {
	t.Helper()
	src := weighted(pathGraph(60).source(), PathWeights["integers"])
	n, ctx := src.NumVertices(), context.Background()
	negative := weighted(pathGraph(60).source(), func(*rand.Rand) float32 { return -1 })
	if _, err := s.Build(ctx, negative, false, nil); err == nil {
		t.Error("negative weights were accepted")
	}
	ended, cancel := context.WithCancel(ctx)
	cancel()
	for _, wide := range []bool{false, true} {
		engine, paths := s.build(t, "refuse", src, wide, nil)
		small := *paths
		small.Narrow, small.Single, small.Double = paths.Narrow[1:], paths.Single[min(1, len(paths.Single)):], paths.Double[min(1, len(paths.Double)):]
		for what, try := range map[string]func() error{
			"root":    func() error { _, err := engine.Search(ctx, n, paths); return err },
			"room":    func() error { _, err := engine.Search(ctx, 0, &small); return err },
			"context": func() error { _, err := engine.Search(ended, 0, paths); return err },
		} {
			if err := try(); err == nil || what == "context" && !errors.Is(err, context.Canceled) {
				t.Errorf("%s: %v", what, err)
			}
		}
		paths.Reset()
		if _, err := engine.Search(ctx, 0, paths); err != nil {
			t.Fatalf("after refusals: %v", err)
		}
		compareDistances(t, "after refusals", src, paths)
		if err := engine.Close(); err != nil {
			t.Error(err)
		}
		if _, err := engine.Search(ctx, 0, paths); err == nil {
			t.Error("a search after Close gives no error")
		}
	}
}

// mustClearPaths empties a result, by the engine if that does it, and sees that it is empty
// then.
func mustClearPaths(t testing.TB, engine any, p *hops.Paths) {
	t.Helper()
	clearer, ok := engine.(interface{ Clear(p *hops.Paths) })
	if !ok {
		p.Reset()
		return
	}
	clearer.Clear(p)
	left := p.Root != hops.NoVertex
	for v := range hops.Vertex(p.Len()) {
		left = left || p.Parent(p.First+v) != hops.NoVertex || !math.IsInf(p.Distance(p.First+v), 1)
	}
	if left {
		t.Fatal("the engine left something in a result that it cleared")
	}
}

// compareDistances compares distances with Dijkstra's.
func compareDistances(t *testing.T, name string, src hops.WeightedSource, p *hops.Paths) {
	t.Helper()
	for v, want := range Dijkstra(t, src, p.Root, p.Double != nil) {
		if got := p.Distance(hops.Vertex(v)); got != want {
			t.Fatalf("%s, root %d: vertex %d is %v away, want %v", name, p.Root, v, got, want)
		}
	}
}
