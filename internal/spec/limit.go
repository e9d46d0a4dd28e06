package spec

import (
	"fmt"
	"slices"
	"strings"
)

// A limit says beside which other options an option has no effect. Bind refuses
// such a combination, because a result would otherwise name an option that changed
// nothing.
//
// The other options are written "key", for any value but the default, or
// "key=value".
type limit struct {
	others []string
	needed bool // one of others must be given; otherwise none may be
	why    string
}

// Excludes returns the option with the rule that it has no effect beside other.
// why is a clause that follows a colon in the error message.
func (o Option) Excludes(other, why string) Option {
	o.limits = append(slices.Clip(o.limits), limit{others: []string{other}, why: why})
	return o
}

// Needs returns the option with the rule that it has no effect unless one of
// others is given.
func (o Option) Needs(why string, others ...string) Option {
	o.limits = append(slices.Clip(o.limits), limit{others: others, needed: true, why: why})
	return o
}

// Excluded returns what the option has no effect beside.
func (o Option) Excluded() (others []string) {
	for _, l := range o.limits {
		if !l.needed {
			others = append(others, l.others...)
		}
	}
	return others
}

// Needed returns, for every rule of Needs, one of the options that satisfy it.
func (o Option) Needed() (others []string) {
	for _, l := range o.limits {
		if l.needed {
			others = append(others, l.others[0])
		}
	}
	return others
}

// checkLimits returns an error for the first option that has no effect.
func (s Spec) checkLimits(table []Option) error {
	for _, o := range table {
		value := o.get()
		if value == "" {
			continue
		}
		for _, l := range o.limits {
			met := slices.IndexFunc(l.others, func(other string) bool { return given(table, other) })
			switch {
			case l.needed && met < 0:
				return fmt.Errorf("spec: option %s of %s has no effect without %s: %s", o.Name, s.Name, strings.Join(l.others, " or "), l.why)
			case !l.needed && met >= 0:
				return fmt.Errorf("spec: option %s of %s has no effect with %s: %s", o.Name, s.Name, l.others[met], l.why)
			}
		}
	}
	return nil
}

// given tells whether an option, written "key" or "key=value", is set.
func given(table []Option, other string) bool {
	key, want, exact := strings.Cut(other, "=")
	i := slices.IndexFunc(table, func(o Option) bool { return o.Name == key })
	if i < 0 {
		return false
	}
	value := table[i].get()
	return value != "" && (!exact || value == want)
}
