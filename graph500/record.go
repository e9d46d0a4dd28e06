package graph500

import (
	"fmt"
	"slices"
)

// A Record keeps the finished searches of a run beyond its end, however it ends.
// It is rank 0's; the other ranks leave it empty.
type Record struct {
	// Earlier is the result of a run that was cut short, or nil. Its searches count
	// as done, if it was a run of the same configuration on the same engine.
	Earlier *Result
	// Save is called with what is known after every search, if it is not nil. An
	// error ends the run.
	Save func(*Result) error
}

// Check tells why a run cannot continue the earlier one.
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

// takeUp continues the earlier run, if there is one, and tells all ranks how many
// searches are done.
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

// finished keeps a search.
func (b *bench) finished(s Search) error {
	b.res.Searches = append(b.res.Searches, s)
	if b.rec.Save == nil {
		return nil
	}
	sofar := *b.res
	if err := sofar.conclude(errUnfinished); err != errUnfinished {
		return err
	}
	return b.rec.Save(&sofar)
}

// errUnfinished is why a result that is saved underway is not whole.
var errUnfinished = fmt.Errorf("graph500: the run was cut short")
