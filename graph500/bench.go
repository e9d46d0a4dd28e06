package graph500

import (
	"context"
	"errors"
	"fmt"

	"github.com/gohops/hops"
	"github.com/gohops/hops/internal/base/spec"
	"github.com/gohops/hops/internal/device/energy"
)

// A bench is the state of one run.
type bench struct {
	cfg    Config
	engine Engine
	obs    Observer
	rec    Record
	comm   Ranks
	res    *Result
	kernel kernel // that is running

	generator hops.Source // of the edges, wherever else they are
	openMeter func() (*energy.Meter, error)
}

func newBench(cfg Config, engine Engine, obs Observer, rec Record) *bench {
	b := &bench{cfg: cfg.withDefaults(), engine: engine, obs: obs, rec: rec, comm: engine.Ranks, openMeter: energy.Open}
	if obs == nil {
		b.obs = nobody{}
	}
	if engine.Ranks == nil {
		b.comm = alone{}
	}
	return b
}

// A kernel is one that searches, with the places of its results.
type kernel struct {
	name     string
	searches *[]Search
	earlier  *int
	energy   **Energy
}

// kernels are those that the configuration asks for, in the order of the benchmark.
func (b *bench) kernels() (all []kernel) {
	if b.cfg.Runs(KernelBFS) {
		all = append(all, b.res.kernel(KernelBFS))
	}
	if b.cfg.Runs(KernelSSSP) {
		b.res.SSSP = &Shortest{}
		all = append(all, b.res.kernel(KernelSSSP))
	}
	return all
}

// kernel is one of the kernels of a result. Its searches are nil if it did not run.
func (r *Result) kernel(name string) kernel {
	switch {
	case name == KernelBFS:
		return kernel{name, &r.Searches, &r.Earlier, &r.Energy}
	case r.SSSP == nil:
		return kernel{name, new([]Search), new(int), new(*Energy)}
	}
	return kernel{name, &r.SSSP.Searches, &r.SSSP.Earlier, &r.SSSP.Energy}
}

// ready returns an error if the engine cannot run the kernels.
func (b *bench) ready() error {
	if b.cfg.Runs(KernelSSSP) && b.engine.Weighted == nil {
		return spec.Refuse(fmt.Errorf("graph500: engine %s has no kernel 3: it does not search for shortest paths; use engine cpu or gpu, or cluster on several ranks", b.engine.Name))
	}
	return nil
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
