package graph500

import (
	"fmt"
	"slices"
)

// A Record lets a run continue an earlier one that was cut short. Rank 0 has it; the
// Record of all other ranks is empty.
type Record struct {
	// Earlier is the result of a run that was cut short, or nil. Its searches count
	// as done, if it was a run of the same configuration on the same engine.
	Earlier *Result
	// Save, if it is not nil, is called after every search with the result so far. Its
	// error ends the run.
	Save func(*Result) error
}

// Check returns an error if a run cannot continue the earlier one.
func (r Record) Check(cfg Config, engine string) error {
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
		return fmt.Errorf("graph500: the earlier run was another: scale %d, edge factor %d, %d searches, seeds %v, "+
			"validation %v, warm-up %v", was.Scale, was.EdgeFactor, was.Roots, *r.Earlier.Config.withDefaults().Seeds,
			!was.SkipValidation, !was.SkipWarmUp)
	case r.Earlier.Engine != engine:
		return fmt.Errorf("graph500: the earlier run was on engine %s, this one is on %s", r.Earlier.Engine, engine)
	}
	return nil
}

// takeUp takes over the searches of the earlier run, if there is one, and returns
// their number on all ranks.
func (b *bench) takeUp() (int, error) {
	if err := b.rec.Check(b.cfg, b.engine.Name); err != nil {
		return 0, err
	}
	if earlier := b.rec.Earlier; earlier != nil {
		for i, s := range earlier.Searches {
			if i >= len(b.res.Roots) || s.Root != b.res.Roots[i] {
				return 0, fmt.Errorf("graph500: search %d of the earlier run, from vertex %d, is not one of this run", i+1, s.Root)
			}
		}
		b.res.Searches = slices.Clone(earlier.Searches)
		b.res.Earlier = len(earlier.Searches)
	}
	done := []uint64{uint64(len(b.res.Searches))}
	err := b.comm.Max(done)
	return int(done[0]), err
}

// finished adds a search to the result, saves the result, and shows the search.
func (b *bench) finished(s Search) error {
	b.res.Searches = append(b.res.Searches, s)
	if b.rec.Save != nil {
		sofar := *b.res
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
