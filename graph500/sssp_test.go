package graph500

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/gohops/hops"
	"github.com/gohops/hops/csr"
	"github.com/gohops/hops/engine/cluster"
	"github.com/gohops/hops/engine/cpu"
	"github.com/gohops/hops/internal/ranks/rank"
	"github.com/gohops/hops/sssp"
)

// bothKernels searches a graph both ways, and may spoil distances.
type bothKernels struct {
	*cpu.Searcher
	paths   *sssp.Searcher
	spoil   func(p *hops.Paths)
	cleared *int // results that the searcher emptied
}

// ClearPaths implements PathClearer.
func (b *bothKernels) ClearPaths(p *hops.Paths) {
	*b.cleared++
	b.paths.Clear(p)
}

func (b *bothKernels) SearchPaths(ctx context.Context, root hops.Vertex, p *hops.Paths) (hops.Trace, error) {
	trace, err := b.paths.Search(ctx, root, p)
	if b.spoil != nil {
		b.spoil(p)
	}
	return trace, err
}

func weightedEngine(spoil func(p *hops.Paths)) Engine {
	engine, _ := countingEngine(spoil)
	return engine
}

// countingEngine also counts the results that the searcher empties.
func countingEngine(spoil func(p *hops.Paths)) (e Engine, cleared *int) {
	cleared = new(int)
	return Engine{
		Name: "both",
		Build: func(ctx context.Context, src hops.Source) (Searcher, error) {
			return nil, errors.New("built without weights")
		},
		Weighted: &WeightedEngine{
			Need: func(hops.Vertex, int64) int64 { return 0 },
			Build: func(ctx context.Context, src hops.WeightedSource) (PathSearcher, error) {
				g, err := csr.BuildWeighted(ctx, src, 2)
				if err != nil {
					return nil, err
				}
				b, err := cpu.New(g, cpu.Options{})
				if err != nil {
					return nil, err
				}
				p, err := sssp.New(g, sssp.Options{})
				return &bothKernels{b, p, spoil, cleared}, err
			},
		},
	}, cleared
}

// The reference counts the same edges in kernel 2 and 3: 16,239 at scale 10.
func TestBothKernels(t *testing.T) {
	for _, kernels := range []string{"sssp", "bfs,sssp"} {
		engine, cleared := countingEngine(nil)
		res, err := Run(context.Background(), Config{Scale: 10, Kernels: kernels, SkipWarmUp: true}, engine, nil)
		if err != nil {
			t.Fatal(err)
		}
		if *cleared < 64 {
			t.Errorf("%s: the searcher emptied %d results of 64 searches", kernels, *cleared)
		}
		if !res.Submittable || !res.Finished() || len(res.Views()) != strings.Count(kernels, ",")+1 {
			t.Errorf("%s: %v", kernels, res.Reasons)
		}
		if want := strings.HasPrefix(kernels, "bfs"); (res.Summary != nil) != want || (len(res.Searches) == 64) != want {
			t.Errorf("%s: %d searches of kernel 2", kernels, len(res.Searches))
		}
		s := res.SSSP
		if s.Summary == nil || s.Summary.Edges.Max != 16239 || len(s.Searches) != 64 || s.Searches[0].Root != 458 || s.Searches[0].Vertices != 897 {
			t.Errorf("%s: %+v", kernels, s.Summary)
		}
		if l := s.Searches[0].Levels; len(l) == 0 || l[0].Bucket.Bound <= 0 {
			t.Errorf("%s: levels %+v", kernels, l)
		}
		if differences := res.Audit(); len(differences) > 0 {
			t.Errorf("%s: %v", kernels, differences)
		}
	}
}

func TestALyingPathSearcherGetsNoScore(t *testing.T) {
	res, err := Run(context.Background(), Config{Scale: 8, Kernels: "bfs,sssp"}, weightedEngine(func(p *hops.Paths) { p.Single[53] += 0.5 }), nil)
	if !errors.Is(err, ErrInvalid) || res.Invalid == "" || res.Submittable {
		t.Errorf("%v, %+v", err, res)
	}
}

func TestEnginesWithoutKernel3SaySo(t *testing.T) {
	engine := weightedEngine(nil)
	engine.Weighted = nil
	if _, err := Run(context.Background(), Config{Scale: 8, Kernels: "sssp"}, engine, nil); err == nil || !strings.Contains(err.Error(), "has no kernel 3") {
		t.Errorf("error %v", err)
	}
	if err := (Config{Kernels: "bfs;sssp"}).Check(); err == nil {
		t.Error("accepted kernels that there are not")
	}
}

// A run that was cut short in kernel 3 repeats nothing of kernel 2.
func TestContinueInKernel3(t *testing.T) {
	cfg := Config{Scale: 8, Roots: 3, Kernels: "bfs,sssp", SkipWarmUp: true}
	stop := errors.New("stop")
	var saved *Result
	_, err := Continue(context.Background(), cfg, weightedEngine(nil), nil, Record{Save: func(r *Result) error {
		saved = r
		if r.SSSP != nil && len(r.SSSP.Searches) == 2 {
			return stop
		}
		return nil
	}})
	if !errors.Is(err, stop) || saved.Finished() {
		t.Fatal(err)
	}
	res, err := Continue(context.Background(), cfg, weightedEngine(nil), nil, Record{Earlier: saved})
	if err != nil {
		t.Fatal(err)
	}
	if res.Earlier != 3 || res.SSSP.Earlier != 2 || !res.Finished() ||
		!slices.EqualFunc(res.Searches, saved.Searches, func(a, b Search) bool { return a.Time == b.Time }) {
		t.Errorf("%d and %d searches are from before", res.Earlier, res.SSSP.Earlier)
	}
}

// pathRank is a rank that runs both kernels, and may spoil the distances of its part.
type pathRank struct {
	cluster.Searcher
	paths *sssp.Rank
	spoil func(p *hops.Paths)
}

func (r *pathRank) NewPaths() (*hops.Paths, error) { return r.paths.NewPaths() }

func (r *pathRank) SearchPaths(ctx context.Context, root hops.Vertex, p *hops.Paths) (hops.Trace, error) {
	trace, err := r.paths.Search(ctx, root, p)
	if r.spoil != nil {
		r.spoil(p)
	}
	return trace, err
}

// onPathRanks makes the engine of a rank one with kernel 3.
func onPathRanks(spoil func(p *hops.Paths)) func(r int, e *Engine, _ *Record) {
	return func(r int, e *Engine, _ *Record) {
		comm, build := e.Ranks.(rank.Group).Comm, e.Build
		e.Weighted = &WeightedEngine{
			Need: e.Need,
			Build: func(ctx context.Context, src hops.WeightedSource) (PathSearcher, error) {
				breadth, err := build(ctx, src)
				if err != nil {
					return nil, err
				}
				paths, err := sssp.Join(ctx, comm, src, sssp.Options{Threads: 1})
				p := &pathRank{breadth.(cluster.Searcher), paths, nil}
				if r == 1 {
					p.spoil = spoil
				}
				return p, err
			},
		}
	}
}

// Ranks find what the reference finds, each reading its share of the edges.
func TestKernel3OnRanks(t *testing.T) {
	for _, n := range []int{1, 2, 3} {
		results, errs := runRanks(t, Config{Scale: 10, Roots: 3, Kernels: "bfs,sssp", SkipWarmUp: true}, n, onPathRanks(nil))
		if err := errors.Join(errs...); err != nil {
			t.Fatalf("%d ranks: %v", n, err)
		}
		for _, res := range results {
			if s := res.SSSP.Searches; len(s) != 3 || s[0].Root != 458 || s[0].Vertices != 897 || s[2].Edges != 16239 {
				t.Errorf("%d ranks: %+v", n, s)
			}
		}
	}
}

// A distance that one rank gets wrong is found by all.
func TestALieInOnePartOfThePaths(t *testing.T) {
	_, errs := runRanks(t, Config{Scale: 8, Roots: 3, Kernels: "sssp"}, 3, onPathRanks(func(p *hops.Paths) {
		for i := range p.Single {
			p.Single[i] *= 1.25
		}
	}))
	for r, err := range errs {
		if !errors.Is(err, ErrInvalid) {
			t.Errorf("rank %d: %v", r, err)
		}
	}
}
