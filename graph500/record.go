package graph500

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
)

// A Record lets a run continue an earlier one that was cut short. Rank 0 has it; the
// Record of all other ranks is empty.
type Record struct {
	// Earlier is the result of a run that was cut short, or nil. Its searches count
	// as done, if it was a run of the same configuration on the same engine.
	Earlier *Result
	// MPI is the library that connects the ranks, for the result; "" without one.
	MPI string
	// Save, if it is not nil, is called after every search with the result so far. Its
	// error ends the run.
	Save func(*Result) error
}

// Check returns an error if a run of so many ranks cannot continue the earlier one:
// the searches of one result are of one configuration, program and machine.
func (r Record) Check(cfg Config, engine string, ranks int) error {
	if r.Earlier == nil {
		return nil
	}
	was, is := r.Earlier.Config.withDefaults(), cfg.withDefaults()
	same := *was.Seeds == *is.Seeds
	was.Seeds, is.Seeds = nil, nil
	switch {
	case r.Earlier.Invalid != "":
		return fmt.Errorf("graph500: the earlier run cannot be continued: %s", r.Earlier.Invalid)
	case was != is || !same:
		return fmt.Errorf("graph500: the earlier run was another: kernels %s, scale %d, edge factor %v, %d searches, seeds %v, "+
			"validation %v, warm-up %v", cmp.Or(was.Kernels, KernelBFS), was.Scale, was.EdgeFactor, was.Roots, *r.Earlier.Config.withDefaults().Seeds,
			!was.SkipValidation, !was.SkipWarmUp)
	case r.Earlier.Engine != engine:
		return fmt.Errorf("graph500: the earlier run was on engine %s, this one is on %s", r.Earlier.Engine, engine)
	case r.Earlier.Finished():
		return nil // nothing will be added to it
	}
	for _, c := range []struct{ what, was, is string }{
		{"version", r.Earlier.Version, Version()},
		{"number of ranks", strconv.Itoa(r.Earlier.Ranks), strconv.Itoa(ranks)},
		{"MPI library", r.Earlier.MPI, r.MPI},
		{"machine", identity(r.Earlier.Host), identity(ThisHost())},
	} {
		if c.was != c.is {
			return fmt.Errorf("graph500: the earlier run was of another %s: %q, not %q", c.what, c.was, c.is)
		}
	}
	return nil
}

// identity is what makes searches on a host comparable.
func identity(h Host) string {
	return fmt.Sprintf("%s, %d sockets, %d cores, CPUs %v of %v", h.Model, h.Sockets, h.Cores, h.CPUs, h.Online)
}

// alreadyDone tells, on all ranks, whether the earlier run is finished.
func (b *bench) alreadyDone() (bool, error) {
	if err := b.rec.Check(b.cfg, b.engine.Name, b.comm.Size()); err != nil {
		return false, err
	}
	done := []uint64{0}
	if earlier := b.rec.Earlier; earlier != nil && earlier.Finished() {
		done[0] = 1
	}
	err := b.comm.Max(done)
	return done[0] == 1, err
}

// takeUp takes over the searches of the earlier run, if there is one, and returns
// their number on all ranks.
func (b *bench) takeUp() (int, error) {
	if b.rec.Earlier != nil {
		earlier := *b.rec.Earlier.kernel(b.kernel.name).searches
		for i, s := range earlier {
			if i >= len(b.res.Roots) || s.Root != b.res.Roots[i] {
				return 0, fmt.Errorf("graph500: search %d of the earlier run, from vertex %d, is not one of this run", i+1, s.Root)
			}
		}
		*b.kernel.searches, *b.kernel.earlier = slices.Clone(earlier), len(earlier)
	}
	done := []uint64{uint64(len(*b.kernel.searches))}
	err := b.comm.Max(done)
	return int(done[0]), err
}

// finished adds a search to the result, saves the result, and shows the search.
func (b *bench) finished(s Search) error {
	*b.kernel.searches = append(*b.kernel.searches, s)
	if b.rec.Save != nil {
		sofar := *b.res
		if b.res.SSSP != nil {
			shortest := *b.res.SSSP
			sofar.SSSP = &shortest
		}
		if err := sofar.conclude(errUnfinished); err != errUnfinished {
			return err
		}
		if err := b.rec.Save(&sofar); err != nil {
			return err
		}
	}
	b.obs.Searched(s)
	return nil
}

// errUnfinished is the reason of a result that is saved before the run has ended.
var errUnfinished = fmt.Errorf("graph500: the run was cut short")
