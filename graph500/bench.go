package graph500

import (
	"context"
	"errors"
	"fmt"

	"github.com/gohops/hops"
)

// A bench is the state of one run.
type bench struct {
	cfg    Config
	engine Engine
	obs    Observer
	rec    Record
	comm   Ranks
	res    *Result

	generator hops.Source // of the edges, wherever else they are
}

func newBench(cfg Config, engine Engine, obs Observer, rec Record) *bench {
	b := &bench{cfg: cfg.withDefaults(), engine: engine, obs: obs, rec: rec, comm: engine.Ranks}
	if obs == nil {
		b.obs = nobody{}
	}
	if engine.Ranks == nil {
		b.comm = alone{}
	}
	return b
}

// fail passes an error of this rank on to all others. If the context has ended, the
// error says why.
func (b *bench) fail(ctx context.Context, err error) error {
	if err != nil && errors.Is(err, ctx.Err()) {
		err = fmt.Errorf("graph500: %w", context.Cause(ctx))
	}
	if err != nil {
		b.comm.Abort(err)
	}
	return err
}
