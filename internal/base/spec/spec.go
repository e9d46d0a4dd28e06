// Package spec reads and prints a choice with options as one string:
//
//	cpu
//	cpu:threads=2,order=degree
//
// An engine and its options travel in this form from the command line into
// every result, so that a run can be repeated from what it printed. The
// options are a table of Option values, each bound to a variable.
package spec

import (
	"fmt"
	"strings"
)

// A Spec is a name and the options given to it, in the order in which they were
// written.
type Spec struct {
	Name    string
	Options []Pair
}

// A Pair is one option as it was written.
type Pair struct {
	Key, Value string
}

// Parse splits "name:key=value,key=value". It knows nothing of which names and
// keys exist.
func Parse(s string) (Spec, error) {
	name, rest, hasOptions := strings.Cut(s, ":")
	sp := Spec{Name: name}
	if name == "" {
		return Spec{}, fmt.Errorf("spec: %q has no name", s)
	}
	if !hasOptions {
		return sp, nil
	}
	seen := make(map[string]bool)
	for item := range strings.SplitSeq(rest, ",") {
		key, value, hasValue := strings.Cut(item, "=")
		if key == "" || value == "" || !hasValue {
			return Spec{}, fmt.Errorf("spec: option %q in %q is not of the form key=value", item, s)
		}
		if seen[key] {
			return Spec{}, fmt.Errorf("spec: option %q is given twice in %q", key, s)
		}
		seen[key] = true
		sp.Options = append(sp.Options, Pair{key, value})
	}
	return sp, nil
}

// String is the inverse of Parse.
func (s Spec) String() string {
	var b strings.Builder
	b.WriteString(s.Name)
	for i, o := range s.Options {
		b.WriteByte(":,"[min(i, 1)])
		b.WriteString(o.Key + "=" + o.Value)
	}
	return b.String()
}

// Bind stores the options of s into the variables of the table. An unknown key
// is an error that lists the known ones; an option that has no effect beside the
// others is an error that names both.
func (s Spec) Bind(table []Option) error {
	for _, given := range s.Options {
		o, err := lookup(table, given.Key)
		if err != nil {
			return fmt.Errorf("spec: %s %w", s.Name, err)
		}
		if err := o.set(o.today(given.Value)); err != nil {
			return fmt.Errorf("spec: option %s=%s of %s: %w", given.Key, given.Value, s.Name, err)
		}
	}
	return s.checkLimits(table)
}

// Of prints a name with those options of the table that are not at their
// default: the shortest Spec that means the same.
func Of(name string, table []Option) Spec {
	s := Spec{Name: name}
	for _, o := range table {
		if value := o.get(); value != "" {
			s.Options = append(s.Options, Pair{o.Name, value})
		}
	}
	return s
}

// An Impossible error is about options that nothing can have, alone or together, and that only
// shows once more is known than their names and values.
type Impossible struct{ error }

// Refuse makes an error of options an Impossible one; nil stays nil.
func Refuse(err error) error {
	if err == nil {
		return nil
	}
	return Impossible{err}
}

// Unwrap returns what is wrong.
func (e Impossible) Unwrap() error { return e.error }

func lookup(table []Option, key string) (Option, error) {
	if len(table) == 0 {
		return Option{}, fmt.Errorf("has no options, so no %q", key)
	}
	names := make([]string, len(table))
	for i, o := range table {
		if o.Name == key {
			return o, nil
		}
		names[i] = o.Name
	}
	return Option{}, fmt.Errorf("has no option %q; it has %s", key, strings.Join(names, ", "))
}
