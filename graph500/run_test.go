package graph500

import (
	"context"
	"errors"
	"fmt"
	"math"
	"runtime/debug"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gohops/hops"
)

// The counts are facts of the benchmark's graphs: edges of the giant component
// without and with self-loops, and the levels of the first two searches.
func TestRunFindsTheFactsOfTheBenchmark(t *testing.T) {
	for _, want := range []struct {
		scale, roots int
		edges, loops int64
		depths       [2][]int64
	}{
		{10, 64, 16_239, 144, [2][]int64{{1, 8, 500, 380, 8}, {1, 1, 463, 427, 5}}},
		{12, 64, 65_327, 208, [2][]int64{{1, 33, 1940, 1361, 16}, {1, 47, 2318, 975, 10}}},
		{16, 2, 1_048_079, 491, [2][]int64{{1, 27, 8336, 36624, 1805, 10}, {1, 25, 6931, 37625, 2209, 12}}},
	} {
		res, err := Run(t.Context(), Config{Scale: want.scale, Roots: want.roots}, serialEngine(nil), nil)
		if err != nil {
			t.Fatal(err)
		}
		if len(res.Searches) != want.roots || res.Summary == nil || res.Invalid != "" {
			t.Fatalf("scale %d: %d searches, invalid %q", want.scale, len(res.Searches), res.Invalid)
		}
		if res.Submittable != (want.roots == 64) || res.Submittable != (len(res.Reasons) == 0) {
			t.Errorf("scale %d: submittable %v: %q", want.scale, res.Submittable, res.Reasons)
		}
		for i, depths := range want.depths {
			if diff := cmp.Diff(depths, res.Searches[i].Depths); diff != "" {
				t.Errorf("scale %d, search %d: %s", want.scale, i, diff)
			}
		}
		for i, s := range res.Searches {
			if s.Edges != want.edges || s.Loops != want.loops {
				t.Errorf("scale %d, search %d: %d edges, %d loops", want.scale, i, s.Edges, s.Loops)
			}
			if s.Root != res.Roots[i] || s.Time <= 0 || s.Validate <= 0 || s.Levels[0].Step != "serial" || s.Clock != "wall" {
				t.Errorf("scale %d, search %d: %+v", want.scale, i, s)
			}
		}
	}
}

// The score is all edges over all times, if all searches traverse the same
// number of edges.
func TestScore(t *testing.T) {
	res, err := Run(t.Context(), Config{Scale: 10}, serialEngine(nil), nil)
	if err != nil {
		t.Fatal(err)
	}
	var total, slowest float64
	for _, s := range res.Searches {
		total += s.Time.Seconds()
		slowest = max(slowest, s.Time.Seconds())
	}
	s := res.Summary
	if want := 64 * 16239 / total; math.Abs(s.TEPS.HarmonicMean/want-1) > 1e-9 {
		t.Errorf("harmonic mean %g, want %g", s.TEPS.HarmonicMean, want)
	}
	if s.TEPS.Min != 1/(slowest/16239) || s.Time.Max != slowest || s.Edges.Mean != 16239 || s.Validate.Min <= 0 {
		t.Errorf("%+v", s)
	}
}

func TestWhatIsRunInWhichOrder(t *testing.T) {
	var log journal
	seen := 0
	engine := serialEngine(func(s *serial, tree *hops.Tree) error {
		seen = s.searches
		if old := debug.SetGCPercent(-1); old != -1 {
			return fmt.Errorf("search %d: garbage may be collected within the clock (%d)", seen, old)
		}
		return nil
	})
	engine.Passes = 3 // at most: it reads the edges once
	before := debug.SetGCPercent(100)
	defer debug.SetGCPercent(before)
	res, err := Run(t.Context(), Config{Scale: 6, Roots: 5}, engine, &log)
	if err != nil {
		t.Fatal(err)
	}
	if after := debug.SetGCPercent(100); after != 100 {
		t.Errorf("garbage collection is left at %d", after)
	}
	want := []string{
		"planned", "generate 1024 edges", "1024", "construct 1024 edges", "1024", "roots 0 vertices", "warm-up 0 searches",
		"search 5 searches", "searched", "1", "searched", "2", "searched", "3", "searched", "4", "searched", "5",
	}
	if diff := cmp.Diff(want, log.events); diff != "" {
		t.Error(diff)
	}
	if seen != 6 {
		t.Errorf("%d searches with the warm-up, want 6", seen)
	}
	if res.Memory.Finished != 100 || res.Memory.BuildPeak != 150 || res.Generation <= 0 || res.Construction <= 0 {
		t.Errorf("%+v", res.Memory)
	}
	if _, err := Run(t.Context(), Config{Scale: 6, Roots: 5, SkipWarmUp: true}, engine, nil); err != nil || seen != 5 {
		t.Errorf("%d searches without a warm-up, want 5 (%v)", seen, err)
	}
}

// A journal keeps what an Observer hears, of repeated advances the last.
type journal struct {
	events   []string
	advanced bool
}

func (j *journal) add(s string, advanced bool) {
	if advanced && j.advanced {
		j.events = j.events[:len(j.events)-1]
	}
	j.events, j.advanced = append(j.events, s), advanced
}

func (j *journal) Planned(MemoryPlan) { j.add("planned", false) }
func (j *journal) Searched(Search)    { j.add("searched", false) }
func (j *journal) Begin(phase string, total int64, unit string) {
	j.add(fmt.Sprintf("%s %d %s", phase, total, unit), false)
}
func (j *journal) Advance(done int64) { j.add(fmt.Sprint(done), true) }

// Edges generated anew are the same edges.
func TestRegeneratedEdges(t *testing.T) {
	engine := serialEngine(nil)
	available := ThisHost().Memory.Available
	if available == 0 {
		t.Skip("this system does not tell its memory")
	}
	kept, err := Run(t.Context(), Config{Scale: 8}, engine, nil)
	if err != nil {
		t.Fatal(err)
	}
	engine.Need = func(hops.Vertex, int64) int64 { return available / 100 * 95 }
	anew, err := Run(t.Context(), Config{Scale: 8}, engine, nil)
	if err != nil {
		t.Fatal(err)
	}
	if !kept.Memory.KeepTuples || anew.Memory.KeepTuples || anew.Generation != 0 {
		t.Errorf("kept: %v, then %v, generated in %v", kept.Memory.KeepTuples, anew.Memory.KeepTuples, anew.Generation)
	}
	for i := range kept.Searches {
		a, b := kept.Searches[i], anew.Searches[i]
		if a.Root != b.Root || a.Edges != b.Edges || a.Loops != b.Loops || !cmp.Equal(a.Depths, b.Depths) {
			t.Errorf("search %d: %+v, then %+v", i, a, b)
		}
	}
}

func TestWithoutValidationEdgesAreStillCounted(t *testing.T) {
	for seed := range uint64(5) {
		cfg := Config{Scale: 7, EdgeFactor: 1, Roots: 10, Seeds: &[2]uint64{seed, 3}} // many components
		want, err := Run(t.Context(), cfg, serialEngine(nil), nil)
		if err != nil {
			t.Fatal(err)
		}
		cfg.SkipValidation = true
		got, err := Run(t.Context(), cfg, serialEngine(nil), nil)
		if err != nil {
			t.Fatal(err)
		}
		if got.Submittable || got.Summary == nil || got.Summary.Validate != nil {
			t.Errorf("submittable: %v, summary %+v", got.Submittable, got.Summary)
		}
		for i := range want.Searches {
			w, g := want.Searches[i], got.Searches[i]
			if w.Edges != g.Edges || w.Loops != g.Loops || w.Vertices != g.Vertices {
				t.Errorf("seed %d, search %d: %+v, want %+v", seed, i, g, w)
			}
		}
	}
}

func TestFewerRootsThanAskedFor(t *testing.T) {
	res, err := Run(t.Context(), Config{Scale: 3}, serialEngine(nil), nil)
	if err != nil {
		t.Fatal(err)
	}
	if n := len(res.Searches); n == 0 || n > 8 || res.Submittable || len(res.Reasons) != 1 {
		t.Errorf("%d searches, submittable %v: %q", n, res.Submittable, res.Reasons)
	}
}

func TestAModelsClockCounts(t *testing.T) {
	engine := serialEngine(nil)
	build := engine.Build
	engine.Build = func(ctx context.Context, src hops.Source) (Searcher, error) {
		s, err := build(ctx, src)
		return model{s}, err
	}
	res, err := Run(t.Context(), Config{Scale: 10}, engine, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range res.Searches {
		if s.Clock != "model" || int(s.Time) != 1000*len(s.Levels) { // see serial
			t.Fatalf("%+v", s)
		}
	}
	if res.Submittable {
		t.Error("model time is submittable")
	}
}

type model struct{ Searcher }

func (m model) Search(ctx context.Context, root hops.Vertex, t *hops.Tree) (hops.Trace, error) {
	trace, err := m.Searcher.Search(ctx, root, t)
	trace.Clock = hops.Model
	return trace, err
}

func TestEngineErrorsKeepWhatWasFinished(t *testing.T) {
	broken := errors.New("cable pulled")
	res, err := Run(t.Context(), Config{Scale: 8}, serialEngine(func(s *serial, _ *hops.Tree) error {
		if s.searches == 1+2+1 { // the third after the warm-up
			return broken
		}
		return nil
	}), nil)
	if !errors.Is(err, broken) || !strings.Contains(err.Error(), "search 3 of 64") {
		t.Errorf("%v", err)
	}
	if len(res.Searches) != 2 || res.Submittable || res.Summary == nil {
		t.Errorf("%d searches, submittable %v", len(res.Searches), res.Submittable)
	}
}

// A tidy searcher empties trees itself, and takes no other.
type tidy struct {
	Searcher
	cleared int
}

func (c *tidy) Clear(t *hops.Tree) {
	c.cleared++
	t.Reset()
}

func TestSearchersEmptyTheirTrees(t *testing.T) {
	var own *tidy
	e := serialEngine(nil)
	build := e.Build
	e.Build = func(ctx context.Context, src hops.Source) (Searcher, error) {
		s, err := build(ctx, src)
		own = &tidy{Searcher: s}
		return own, err
	}
	res, err := Run(t.Context(), Config{Scale: 8, Roots: 5}, e, nil)
	if err != nil {
		t.Fatal(err)
	}
	if least := len(res.Searches) + 1; own.cleared < least { // with the warm-up
		t.Errorf("trees were emptied %d times, want %d or more", own.cleared, least)
	}
}
