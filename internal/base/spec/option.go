package spec

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// An Option describes one key of a Spec and where its value is kept. The zero
// value of the variable is the default, and is not printed.
type Option struct {
	Name   string
	Values string // what may stand after the =, for help texts: "N", "on|off"
	Help   string

	set     func(string) error
	get     func() string // "" at the default
	samples []string      // values that set accepts and that are not the default
	limits  []limit
	renamed [][2]string // earlier names of values, and the names of today
}

// Samples returns values that the option accepts, none of them the default. It
// returns nil for an option whose values only its own check knows.
func (o Option) Samples() []string { return o.samples }

// Int is an option with values lo ≤ n ≤ hi. The default, 0, may lie outside.
func Int(name, help string, v *int, lo, hi int) Option {
	return number(Option{Name: name, Values: "N", Help: help}, "whole number", v, lo, hi, strconv.Atoi)
}

// Float is an option with values lo ≤ x ≤ hi. The default, 0, may lie outside.
func Float(name, help string, v *float64, lo, hi float64) Option {
	parse := func(s string) (float64, error) { return strconv.ParseFloat(s, 64) }
	return number(Option{Name: name, Values: "X", Help: help}, "number", v, lo, hi, parse)
}

func number[T int | float64](o Option, kind string, v *T, lo, hi T, parse func(string) (T, error)) Option {
	o.set = func(s string) error {
		n, err := parse(s)
		if err != nil || !(n >= lo && n <= hi) {
			return fmt.Errorf("want a %s from %v to %v", kind, lo, hi)
		}
		*v = n
		return nil
	}
	o.get = func() string { return unlessZero(*v, fmt.Sprint(*v)) }
	o.samples = []string{fmt.Sprint(max(lo, min(1, hi)))}
	return o
}

// Switch is an option that is off unless turned on.
func Switch(name, help string, v *bool) Option {
	return Option{
		Name: name, Values: "on|off", Help: help,
		set: func(s string) error {
			if s != "on" && s != "off" {
				return fmt.Errorf("want on or off")
			}
			*v = s == "on"
			return nil
		},
		get:     func() string { return unlessZero(*v, "on") },
		samples: []string{"on"},
	}
}

// Choice is an option with one of the given values. The first stands for the
// default and is kept as the empty string.
func Choice[S ~string](name, help string, v *S, values ...string) Option {
	return Option{
		Name: name, Values: strings.Join(values, "|"), Help: help,
		set: func(s string) error {
			if !slices.Contains(values, s) {
				return fmt.Errorf("want one of %s", strings.Join(values, ", "))
			}
			if *v = S(s); s == values[0] {
				*v = ""
			}
			return nil
		},
		get:     func() string { return string(*v) },
		samples: values[1:],
	}
}

// List is an option with several values, joined by + signs.
func List[L ~[]string](name, help string, v *L) Option {
	return Option{
		Name: name, Values: "A+B+…", Help: help,
		set: func(s string) error {
			*v = strings.Split(s, "+")
			if slices.Contains(*v, "") {
				return fmt.Errorf("want names joined by +")
			}
			return nil
		},
		get: func() string { return strings.Join(*v, "+") },
	}
}

// Text is an option with any value that check accepts. The default is the empty
// string.
func Text(name, values, help string, v *string, check func(string) error) Option {
	return Option{
		Name: name, Values: values, Help: help,
		set: func(s string) error {
			if err := check(s); err != nil {
				return err
			}
			*v = s
			return nil
		},
		get: func() string { return *v },
	}
}

func unlessZero[T comparable](v T, text string) string {
	var zero T
	if v == zero {
		return ""
	}
	return text
}

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
