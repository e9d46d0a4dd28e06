package spec

// Formerly returns the option with an earlier name of one of its values, which Bind accepts.
func (o Option) Formerly(earlier, value string) Option {
	o.renamed = append(o.renamed[:len(o.renamed):len(o.renamed)], [2]string{earlier, value})
	return o
}

// today returns the name of a value that may be an earlier one.
func (o Option) today(value string) string {
	for _, r := range o.renamed {
		if r[0] == value {
			return r[1]
		}
	}
	return value
}

// EachOutdated calls f for every option of s whose value has an earlier name, with that option
// and with the one of today.
func (s Spec) EachOutdated(table []Option, f func(earlier, today Pair)) {
	for _, given := range s.Options {
		if o, err := lookup(table, given.Key); err == nil && o.today(given.Value) != given.Value {
			f(given, Pair{given.Key, o.today(given.Value)})
		}
	}
}
