package main

import (
	"io"
	"regexp"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// Every flag with a value completes, and one whose help says that it names a file or a
// folder completes to those.
func TestFlagsComplete(t *testing.T) {
	ofFile := regexp.MustCompile(`^(file|folder) |this file$|result file:|where the folder`)
	files := 0
	var check func(c *cobra.Command)
	check = func(c *cobra.Command) {
		c.Flags().VisitAll(func(f *pflag.Flag) {
			complete, ok := c.GetFlagCompletionFunc(f.Name)
			if f.Value.Type() == "bool" {
				return
			}
			if !ok {
				t.Errorf("%s --%s does not complete", c.CommandPath(), f.Name)
			} else if _, directive := complete(c, nil, ""); ofFile.MatchString(f.Usage) {
				files++
				if directive&cobra.ShellCompDirectiveNoFileComp != 0 {
					t.Errorf("%s --%s, %q, does not complete to files", c.CommandPath(), f.Name, f.Usage)
				}
			}
		})
		for _, sub := range c.Commands() {
			check(sub)
		}
	}
	check((&app{stdout: &stickyWriter{Writer: io.Discard}, stderr: io.Discard}).rootCommand())
	if files < 20 {
		t.Errorf("%d flags name files", files)
	}
}
