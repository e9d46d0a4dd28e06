package graph500

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/gohops/hops"
	"github.com/gohops/hops/engine/cluster"
	"github.com/gohops/hops/internal/device/energy"
	"github.com/gohops/hops/internal/ranks/rank"
)

// runRanks runs the benchmark on n ranks of the cluster engine; change may alter
// what a rank does.
func runRanks(t *testing.T, cfg Config, n int, change func(r int, e *Engine, rec *Record)) ([]*Result, []error) {
	t.Helper()
	return runMetered(t, cfg, n, energy.Open, change)
}

// runMetered is runRanks with a meter of the processors.
func runMetered(t *testing.T, cfg Config, n int, meter func() (*energy.Meter, error), change func(r int, e *Engine, rec *Record)) ([]*Result, []error) {
	t.Helper()
	comms, err := rank.Local(n, 1)
	if err != nil {
		t.Fatal(err)
	}
	results, errs := make([]*Result, n), make([]error, n)
	var wg sync.WaitGroup
	for r, comm := range comms {
		e := Engine{
			Name: "cluster", Ranks: rank.Group{Comm: comm}, Threads: 1, Need: cluster.Options{}.Need, Passes: cluster.Passes,
			Build: func(ctx context.Context, src hops.Source) (Searcher, error) {
				return cluster.Join(ctx, comm, src, cluster.Options{Threads: 1})
			},
		}
		var rec Record
		if change != nil {
			change(r, &e, &rec)
		}
		b := newBench(cfg, e, nil, rec)
		b.openMeter = meter
		wg.Go(func() { results[r], errs[r] = b.begin(t.Context()) })
	}
	wg.Wait()
	return results, errs
}

// Any number of ranks has the same graph, roots, levels and counts as one.
func TestRanksAgreeWithOneProcess(t *testing.T) {
	for _, cfg := range []Config{{Scale: 9, Roots: 5}, {Scale: 8, Roots: 3, SkipValidation: true}, {Scale: 7, EdgeFactor: 1, Roots: 40}} {
		want, err := Run(t.Context(), cfg, serialEngine(nil), nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, n := range []int{1, 2, 3, 5, 7} {
			results, errs := runRanks(t, cfg, n, nil)
			if err := errors.Join(errs...); err != nil {
				t.Fatalf("%d ranks: %v", n, err)
			}
			for _, got := range results {
				if got.Ranks != n || !cmp.Equal(got.Roots, want.Roots) || len(got.Searches) != len(want.Searches) {
					t.Fatalf("%d ranks: %d, %d searches from %v, want %v", n, got.Ranks, len(got.Searches), got.Roots, want.Roots)
				}
				for i, s := range got.Searches {
					w := want.Searches[i]
					if s.Edges != w.Edges || s.Loops != w.Loops || s.Vertices != w.Vertices || !cmp.Equal(s.Depths, w.Depths) || s.Time <= 0 {
						t.Errorf("%d ranks, search %d: %+v, want %+v", n, i, s, w)
					}
				}
			}
			if times := results[0].Searches[0].Time; n > 1 && times != results[1].Searches[0].Time {
				t.Errorf("%d ranks do not agree how long a search took", n)
			}
		}
	}
}

// A lie in one rank's part is found by all.
func TestALieInOnePart(t *testing.T) {
	results, errs := runRanks(t, Config{Scale: 8, Roots: 3}, 3, func(r int, e *Engine, _ *Record) {
		if build := e.Build; r == 2 {
			e.Build = func(ctx context.Context, src hops.Source) (Searcher, error) {
				s, err := build(ctx, src)
				return liar{s}, err
			}
		}
	})
	for r, err := range errs {
		if !errors.Is(err, ErrInvalid) || results[r].Invalid == "" || results[r].Summary != nil {
			t.Errorf("rank %d: %v", r, err)
		}
	}
}

type liar struct{ Searcher }

func (l liar) NewTree() (*hops.Tree, error) {
	return l.Searcher.(TreeMaker).NewTree()
}

func (l liar) Search(ctx context.Context, root hops.Vertex, t *hops.Tree) (hops.Trace, error) {
	trace, err := l.Searcher.Search(ctx, root, t)
	for v := t.First; v < t.First+hops.Vertex(t.Len()); v++ {
		if t.Parent(v) != hops.NoVertex && v != root {
			t.SetParent(v, v)
			break
		}
	}
	return trace, err
}

// One rank's trouble ends all runs, with its name.
func TestOneRankFails(t *testing.T) {
	for name, change := range map[string]func(e *Engine){
		"memory": func(e *Engine) { e.Need = func(hops.Vertex, int64) int64 { return 1 << 60 } },
		"build": func(e *Engine) {
			e.Build = func(context.Context, hops.Source) (Searcher, error) { return nil, errors.New("cable pulled") }
		},
	} {
		_, errs := runRanks(t, Config{Scale: 7, Roots: 3}, 3, func(r int, e *Engine, _ *Record) {
			if r == 1 {
				change(e)
			}
		})
		for r, err := range errs {
			if f := (*rank.Failure)(nil); err == nil || r != 1 && (!errors.As(err, &f) || f.Rank != 1) {
				t.Errorf("%s: rank %d: %v", name, r, err)
			}
		}
	}
}

// A run that is cut short is continued where it was, and finds the same.
func TestContinue(t *testing.T) {
	cfg := Config{Scale: 8, Roots: 6}
	whole, err := Run(t.Context(), cfg, serialEngine(nil), nil)
	if err != nil {
		t.Fatal(err)
	}
	var saved []Result
	_, err = Continue(t.Context(), cfg, serialEngine(func(s *serial, _ *hops.Tree) error {
		if s.searches == 1+4 {
			return errors.New("power cut")
		}
		return nil
	}), nil, Record{Save: func(r *Result) error { saved = append(saved, *r); return nil }})
	if err == nil || len(saved) != 3 {
		t.Fatalf("%d results saved, %v", len(saved), err)
	}
	last := saved[2]
	if len(last.Searches) != 3 || last.Submittable || last.Summary == nil || !strings.Contains(last.Reasons[len(last.Reasons)-1], "3 of 6") {
		t.Errorf("saved %d searches: %q", len(last.Searches), last.Reasons)
	}
	ran := 0
	rest, err := Continue(t.Context(), cfg, serialEngine(func(*serial, *hops.Tree) error { ran++; return nil }), nil, Record{Earlier: &last})
	if err != nil || ran != 1+3 || rest.Earlier != 3 || rest.Submittable {
		t.Fatalf("%d searches ran, %d are earlier, %v", ran, rest.Earlier, err)
	}
	if !cmp.Equal(rest.Searches[:3], last.Searches) || len(rest.Searches) != 6 {
		t.Error("the earlier searches have changed")
	}
	for i, s := range rest.Searches {
		if s.Root != whole.Searches[i].Root || s.Edges != whole.Searches[i].Edges {
			t.Errorf("search %d: %+v", i, s)
		}
	}
}

// A run that was finished stays as it is, on all ranks.
func TestFinishedRunIsNotRepeated(t *testing.T) {
	cfg := Config{Scale: 8, Roots: 5}
	for _, ranks := range []int{1, 3} {
		before, errs := runRanks(t, cfg, ranks, nil)
		if err := errors.Join(errs...); err != nil {
			t.Fatal(err)
		}
		want := *before[0]
		after, errs := runRanks(t, cfg, ranks, func(r int, _ *Engine, rec *Record) {
			if r == 0 {
				rec.Earlier = before[0]
			}
		})
		if err := errors.Join(errs...); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(&want, after[0], cmpopts.IgnoreUnexported(Host{})); diff != "" {
			t.Errorf("%d ranks: %s", ranks, diff)
		}
	}
}

// Ranks continue a run together, however much of it is done, and repeat the same searches to measure
// energy, though only rank 0 has the results of those that were done before.
func TestContinueOnRanks(t *testing.T) {
	cfg := Config{Scale: 8, Roots: 5}
	before, errs := runRanks(t, cfg, 3, nil)
	if err := errors.Join(errs...); err != nil {
		t.Fatal(err)
	}
	for _, done := range []int{2, cfg.Roots} {
		for name, open := range map[string]func() (*energy.Meter, error){"no meter": energy.Open, "a meter": countersOfHost} {
			earlier := *before[0]
			earlier.Searches = earlier.Searches[:done]
			earlier.Reasons = []string{cutShort}
			repeated := make([][]hops.Vertex, 3)
			results, errs := runMetered(t, cfg, 3, open, func(r int, e *Engine, rec *Record) {
				if r == 0 {
					rec.Earlier = &earlier
				}
				build := e.Build
				e.Build = func(ctx context.Context, src hops.Source) (Searcher, error) {
					s, err := build(ctx, src)
					return noting{s, &repeated[r]}, err
				}
			})
			if err := errors.Join(errs...); err != nil {
				t.Fatal(err)
			}
			if r := results[0]; len(r.Searches) != 5 || r.Earlier != done || !cmp.Equal(r.Searches[:done], earlier.Searches[:done]) {
				t.Errorf("%d searches, %d earlier", len(r.Searches), r.Earlier)
			}
			if r := repeated[0]; !slices.Equal(r, repeated[1]) || !slices.Equal(r, repeated[2]) || len(r) < 1+5-done || (len(r) > 1+5-done) != (name == "a meter") {
				t.Errorf("%d done before, %s: the ranks searched from %v", done, name, repeated)
			}
		}
	}
}

// noting notes what is searched from.
type noting struct {
	Searcher
	roots *[]hops.Vertex
}

func (n noting) NewTree() (*hops.Tree, error) { return n.Searcher.(TreeMaker).NewTree() }

func (n noting) Search(ctx context.Context, root hops.Vertex, t *hops.Tree) (hops.Trace, error) {
	*n.roots = append(*n.roots, root)
	return n.Searcher.Search(ctx, root, t)
}

func TestAnotherRunIsNotContinued(t *testing.T) {
	cfg := Config{Scale: 7, Roots: 3}
	good, err := Run(t.Context(), cfg, serialEngine(nil), nil)
	if err != nil {
		t.Fatal(err)
	}
	for name, change := range map[string]func(r *Result){
		"scale":   func(r *Result) { r.Config.Scale++ },
		"seeds":   func(r *Result) { r.Config.Seeds = &[2]uint64{5, 6} },
		"skips":   func(r *Result) { r.Config.SkipValidation = true },
		"engine":  func(r *Result) { r.Engine = "another" },
		"roots":   func(r *Result) { r.Searches = append([]Search{{Root: 1 << 40}}, r.Searches...) },
		"invalid": func(r *Result) { r.Invalid = "a cycle" },
		"version": func(r *Result) { r.Version = "0.0.1" },
		"ranks":   func(r *Result) { r.Ranks = 4 },
		"mpi":     func(r *Result) { r.MPI = "MPICH 9" },
		"machine": func(r *Result) { r.Host.Model = "Cray-1" },
	} {
		earlier := *good
		earlier.Searches = earlier.Searches[:2]
		change(&earlier)
		if _, err := Continue(t.Context(), cfg, serialEngine(nil), nil, Record{Earlier: &earlier}); err == nil || !strings.Contains(err.Error(), "earlier run") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestSavingFails(t *testing.T) {
	full := errors.New("disk full")
	res, err := Continue(t.Context(), Config{Scale: 6, Roots: 3}, serialEngine(nil), nil, Record{Save: func(*Result) error { return full }})
	if !errors.Is(err, full) || len(res.Searches) != 1 {
		t.Errorf("%d searches, %v", len(res.Searches), err)
	}
}
