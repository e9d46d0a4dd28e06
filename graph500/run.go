// Package graph500 is the benchmark's protocol: which graph is searched from
// where, what is timed, what is checked, what counts.
//
// Run is the whole of it. It knows engines only by two verbs, Build and Search,
// and believes nothing they say: times are taken here, trees are validated
// against the edge list, and edges are counted by the validator.
//
// The rules are those of the Graph500 specification 2.0 and its reference
// implementation 3.0.1. Where these two disagree the stricter one is followed:
// trees are checked against the tuples and not against what kernel 1 made of
// them, and self-loops do not count as traversed edges.
package graph500

import (
	"context"
	"fmt"
	"time"

	"github.com/gohops/hops"
)

// Run runs the benchmark. The observer may be nil.
//
// If ctx ends or something fails underway, Run returns the error together with
// a Result of the searches finished until then. The Result is nil if nothing
// was begun: the configuration is impossible, or memory does not suffice.
//
// If the engine has ranks, all of them call Run. The Result of rank 0 is the one
// to be reported.
func Run(ctx context.Context, cfg Config, engine Engine, obs Observer) (*Result, error) {
	return Continue(ctx, cfg, engine, obs, Record{})
}

// Continue is Run with a record of searches: those of an earlier run that was cut
// short are not repeated, and the others are saved as they are finished. A run that
// was finished is returned as it was.
func Continue(ctx context.Context, cfg Config, engine Engine, obs Observer, rec Record) (*Result, error) {
	if err := cfg.Check(); err != nil {
		return nil, err
	}
	return newBench(cfg, engine, obs, rec).begin(ctx)
}

func (b *bench) begin(ctx context.Context) (*Result, error) {
	if err := b.ready(); err != nil {
		return nil, b.fail(ctx, err)
	}
	if done, err := b.alreadyDone(); err != nil {
		return nil, b.fail(ctx, err)
	} else if done {
		return b.rec.Earlier, nil
	}
	host := ThisHost()
	plan, err := b.plan(host.Memory.Available)
	if err != nil {
		return nil, b.fail(ctx, err)
	}
	b.obs.Planned(plan)
	b.res = &Result{
		Version: Version(), Started: time.Now(), Engine: b.engine.Name, Policy: b.engine.Policy, Config: b.cfg,
		Class: Class(b.cfg.Scale), Host: host, Ranks: b.comm.Size(), MPI: b.rec.MPI, Memory: Memory{MemoryPlan: plan},
	}
	return b.res, b.res.conclude(b.fail(ctx, b.run(ctx)))
}

func (b *bench) run(ctx context.Context) error {
	edges, release, err := b.generate(ctx)
	if err != nil {
		return err
	}
	defer release()

	graph, err := b.kernel1(ctx, edges)
	if err != nil {
		return err
	}
	defer graph.Close()

	for _, b.kernel = range b.kernels() {
		if err := b.search(ctx, graph, edges); err != nil {
			return err
		}
	}
	return b.addMemory()
}

// search runs kernel 2 or 3, from all roots.
func (b *bench) search(ctx context.Context, graph Searcher, edges hops.Source) error {
	trees, err := b.trees(graph, edges)
	if err != nil {
		return err
	}
	defer trees.close()
	roots, err := b.pickRoots(ctx, trees)
	if err != nil {
		return err
	}
	if !b.cfg.SkipWarmUp {
		b.obs.Begin(WarmUp, 0, "searches")
		if err := trees.warmUp(ctx, roots[0]); err != nil {
			return fmt.Errorf("warm-up: %w", err)
		}
	}
	done, err := b.takeUp()
	if err != nil {
		return err
	}
	if err := trees.search(ctx, roots, done, b.finished); err != nil {
		return err
	}
	return b.energy(ctx, graph, trees, roots)
}
