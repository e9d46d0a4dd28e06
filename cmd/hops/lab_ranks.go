package main

import (
	"context"
	"errors"

	"github.com/gohops/hops/graph500"
	"github.com/gohops/hops/internal/ranks/launch"
	"github.com/gohops/hops/papers/lab"
)

// processes are the ranks as the lab wants them.
func (a *app) processes() *lab.Processes {
	return &lab.Processes{
		World: a.ranks,
		Group: func(ranks, hosts int) (lab.Comm, error) {
			g, err := a.ranks.Group(ranks, hosts)
			if g == nil { // which is no nil of a lab.Comm
				return nil, err
			}
			return g, err
		},
		Open: func(engine string, on lab.Comm) (graph500.Engine, error) {
			group, _ := on.(*launch.World)
			return openEngine(engine, group)
		},
	}
}

// openHere makes an engine of this process alone, whatever a launcher started.
func openHere(text string) (graph500.Engine, error) { return openEngine(text, nil) }

// leadRanks runs on rank 0, which the others follow; without a launcher, here. The context ends, too, when
// a rank has failed.
func (a *app) leadRanks(ctx context.Context, library string, run func(context.Context) error) error {
	if err := a.joinRanks(ctx, enginesOnRanks()[0], library); err != nil {
		return err
	}
	if a.silent() {
		return a.processes().Follow(ctx)
	}
	ctx, stop := a.whileRanksRun(ctx)
	defer stop()
	return run(ctx)
}

// whileRanksRun returns a context that ends, too, when a rank has failed.
func (a *app) whileRanksRun(parent context.Context) (ctx context.Context, stop func()) {
	ctx, cancel := context.WithCancelCause(parent)
	if a.ranks != nil {
		go func() {
			select {
			case <-a.ranks.Failed():
				cancel(a.ranks.Err())
			case <-ctx.Done():
			}
		}()
	}
	return ctx, func() { cancel(errors.New("the work is done")) }
}
