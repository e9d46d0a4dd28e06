package main

import (
	"fmt"
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// Names of flags and verbs that have changed are accepted for one release. Using one prints a
// notice on standard error.

// formerly makes a flag answer to an earlier name, too.
func (a *app) formerly(c *cobra.Command, earlier, name string) {
	before := c.Flags().GetNormalizeFunc()
	c.Flags().SetNormalizeFunc(func(f *pflag.FlagSet, given string) pflag.NormalizedName {
		if given == earlier {
			a.outdated("--"+earlier, "--"+name)
			given = name
		}
		return before(f, given)
	})
}

// outdated notes that the command line has an earlier name.
func (a *app) outdated(earlier, name string) {
	notice := fmt.Sprintf("%s is now %s; the next release refuses the earlier name", earlier, name)
	if !slices.Contains(a.notices, notice) {
		a.notices = append(a.notices, notice)
	}
}

// showNotices prints the notices about flags, and about the verb if it has its earlier name.
func (a *app) showNotices(c *cobra.Command) {
	if c.HasParent() && slices.Contains(c.Aliases, c.CalledAs()) {
		a.outdated("hops "+c.CalledAs(), "hops "+c.Name())
	}
	a.printNotices()
}

func (a *app) printNotices() {
	for _, notice := range a.notices {
		fmt.Fprintln(a.stderr, "hops: "+notice)
	}
	a.notices = nil
}
