package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/gohops/hops"
	"github.com/gohops/hops/graph"
	"github.com/gohops/hops/graph500"
	"github.com/gohops/hops/internal/base/arena"
	"github.com/gohops/hops/internal/base/spec"
	"github.com/gohops/hops/internal/ranks/launch"
	"github.com/gohops/hops/internal/ranks/rank"
	"github.com/gohops/hops/query"
)

// engineFlags choose the engine of a question whose answer needs searches of the whole
// graph.
type engineFlags struct {
	engine, plan, mpi string
	app               *app
	weighted          bool // searches are for shortest paths by weight
}

// engineHelp explains the flags in the help of every verb that has them.
const engineHelp = `--engine says what searches run on, as in hops graph500: cpu, gpu, adaptive,
cluster:ranks=4 and so on; hops engines lists them. Without it hops chooses by the
size of the graph and the number of searches, and says what and why: the cores of
this machine, or a GPU where the searches are worth the copy of the graph. Started
by mpirun or srun, every process opens the file and is a rank of the cluster or
grid engine, and the first one answers.`

// weightedEngineHelp is the same for searches by weight.
const weightedEngineHelp = `--engine says what the search runs on: cpu, gpu or cluster:ranks=4, with options as in
hops engines. Without it that is the cores of this machine. Started by mpirun or srun,
every process opens the file and is a rank of the cluster engine, and the first one
answers. Distances are the same on all engines.`

func (f *engineFlags) help() string {
	if f.weighted {
		return weightedEngineHelp
	}
	return engineHelp
}

// noEngineHelp says why a verb has no --engine.
const noEngineHelp = `There is no --engine: the answer takes no search of the whole graph, which is all
that another engine could do faster than the cores of this machine.`

func (f *engineFlags) add(c *cobra.Command) {
	flags := c.Flags()
	flags.StringVar(&f.engine, "engine", "", "what to search on, with options: see hops engines; chosen if not given")
	if !f.weighted {
		flags.StringVar(&f.plan, "plan", "", "steps of the levels, for an engine that takes a plan: TC,TC,BGC,BGC,TC")
	}
	mpiFlag(c, &f.mpi)
	must(c.RegisterFlagCompletionFunc("engine", engineNames))
}

// prepare refuses an engine that makes no sense before the graph is read, and joins
// the other processes if a launcher started several.
func (f *engineFlags) prepare(ctx context.Context) error {
	switch {
	case f.engine == "" && f.plan != "":
		return usageError{fmt.Errorf("--plan needs an engine that takes a plan: --engine %s", adaptiveEngine)}
	case f.engine == "" && launch.Launched() && launch.Processes() > 1:
		return f.app.joinRanks(ctx, "cluster", f.mpi)
	case f.engine == "":
		return nil
	}
	if err := f.app.joinRanks(ctx, f.engine, f.mpi); err != nil {
		return err
	}
	e, err := f.app.openEngine(withPlan(f.engine, f.plan))
	if err == nil && f.weighted && e.Weighted == nil {
		err = fmt.Errorf("engine %s does not search for shortest paths; use cpu, gpu or cluster", e.Name)
	}
	if err != nil {
		return usageError{err}
	}
	return nil
}

// resolve returns the engine for so many searches of g as a string, and says on stderr
// what was chosen if the flags leave it open. threads are for the cpu engine, unless
// its string has its own.
func (f *engineFlags) resolve(g *graph.Graph, searches, threads int, stderr io.Writer) (spec.Spec, error) {
	text := withPlan(f.engine, f.plan)
	if text == "" {
		w := workload{vertices: g.NumVertices(), edges: g.NumEdges(), directed: g.Directed, searches: int64(searches)}
		if f.app.ranks != nil {
			w.processes = f.app.ranks.Size()
		}
		var why string
		cores := cmp.Or(threads, runtime.GOMAXPROCS(0))
		text, why = choose(w, cores, probeGPU)
		fmt.Fprintf(stderr, "engine       %s\n", why)
	}
	s, err := spec.Parse(text)
	own := slices.ContainsFunc(s.Options, func(o spec.Pair) bool { return o.Key == "threads" })
	if s.Name == calibratedEngine && threads > 0 && !own {
		s.Options = append(s.Options, spec.Pair{Key: "threads", Value: fmt.Sprint(threads)})
	}
	return s, err
}

// A searcher searches the graph of a question by any engine. On several ranks, each
// searches its share.
type searcher struct {
	graph500.Searcher
	vertices hops.Vertex
	ranks    rank.Comm     // nil: this process is alone
	parts    []rank.Span   // of the tree, in bytes, by rank
	tree     *hops.Tree    // of trace
	took     time.Duration // by the last search
}

// newSearcher gives the graph to the engine of that string, with a vertex beside all of
// the roots if there are any.
func (a *app) newSearcher(ctx context.Context, g *graph.Graph, engine spec.Spec, roots ...hops.Vertex) (*searcher, error) {
	e, err := a.openEngine(engine.String())
	if err != nil {
		return nil, usageError{err}
	}
	if e.Ready != nil {
		if err := e.Ready(g.NumVertices(), g.NumEdges(), g.Directed); err != nil {
			return nil, err
		}
	}
	list, err := g.Source()
	if err != nil {
		return nil, err
	}
	var src hops.Source = list
	if len(roots) > 0 {
		src = query.Joined(list, roots)
	}
	built, err := e.Build(ctx, src)
	if err != nil {
		return nil, err
	}
	s := &searcher{Searcher: built, vertices: src.NumVertices()}
	if a.ranks != nil {
		s.ranks = a.ranks
		if err := s.findParts(); err != nil {
			return nil, errors.Join(err, s.Close())
		}
	}
	return s, nil
}

// findParts tells all ranks which part of a tree each of them fills.
func (s *searcher) findParts() (err error) {
	if s.tree, err = graph500.NewTree(s.Searcher, s.vertices); err != nil {
		return err
	}
	bounds := make([]uint64, 2*s.ranks.Size())
	bounds[2*s.ranks.Rank()] = uint64(s.tree.First)
	bounds[2*s.ranks.Rank()+1] = uint64(s.tree.First) + uint64(s.tree.Len())
	if err := rank.Reduced(s.ranks, rank.Sum, bounds); err != nil {
		return err
	}
	size := int64(4) // of a parent
	if s.tree.Wide != nil {
		size = int64(len(hops.WideParent{}))
	}
	s.parts = spans(bounds, size)
	return nil
}

// spans are ranges of elements of so many bytes, given by pairs of bounds.
func spans(bounds []uint64, size int64) (all []rank.Span) {
	for pair := range slices.Chunk(bounds, 2) {
		all = append(all, rank.Span{Lo: size * int64(pair[0]), Hi: size * int64(pair[1])})
	}
	return all
}

// NewTree returns an empty tree of all vertices, as wide as those of the engine.
func (s *searcher) NewTree() (*hops.Tree, error) {
	if s.ranks != nil {
		bound := s.vertices
		if s.tree.Wide != nil {
			bound = hops.NarrowLimit + 1
		}
		return hops.NewTreePart(bound, 0, s.vertices), nil
	}
	return graph500.NewTree(s.Searcher, s.vertices)
}

// Search fills a tree of all vertices. All ranks get the whole tree.
func (s *searcher) Search(ctx context.Context, root hops.Vertex, t *hops.Tree) (hops.Trace, error) {
	start := time.Now()
	trace, err := s.Searcher.Search(ctx, root, t)
	s.took = time.Since(start)
	if err == nil && s.ranks != nil {
		all := arena.Bytes(t.Narrow)
		if t.Wide != nil {
			all = arena.Bytes(t.Wide)
		}
		err = s.ranks.Gather(all, s.parts)
	}
	return trace, err
}

// trace searches for the sake of the trace alone. The tree stays where it is made.
func (s *searcher) trace(ctx context.Context, root hops.Vertex) (trace hops.Trace, err error) {
	device, ok := s.Searcher.(graph500.OnDevice)
	if !ok {
		if s.tree == nil {
			if s.tree, err = graph500.NewTree(s.Searcher, s.vertices); err != nil {
				return trace, err
			}
		}
		graph500.ClearTree(s.Searcher, s.tree)
	}
	start := time.Now()
	if ok {
		trace, err = device.SearchOnDevice(ctx, root)
	} else {
		trace, err = s.Searcher.Search(ctx, root, s.tree)
	}
	s.took = time.Since(start)
	return trace, err
}

// A depthLimiter ends its searches early.
type depthLimiter interface {
	// LimitDepth ends searches after so many hops from the root; 0 is never.
	LimitDepth(hops int)
}

// limit makes searches end after so many hops, if the engine can do that, and returns
// whether it can.
func (s *searcher) limit(depth int) bool {
	l, ok := s.Searcher.(depthLimiter)
	if ok {
		l.LimitDepth(depth)
	}
	return ok
}
