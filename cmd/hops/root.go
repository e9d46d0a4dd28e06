package main

import (
	"io"

	"github.com/spf13/cobra"
)

// newRoot returns the command line. parsed tells whether a verb with all its
// flags was understood, so that a later error is not one of usage.
func newRoot(stdout, stderr io.Writer) (root *cobra.Command, parsed func() bool) {
	began := false
	root = &cobra.Command{
		Use:   "hops",
		Short: "Breadth-first search and the Graph500 benchmark",
		Long: `hops answers "how many hops from here" on graphs of any size, and runs the
Graph500 benchmark by the book: one binary for every engine, no set-up.

  hops bfs             how far is everything from here?
  hops path            how does one get from here to there?
  hops near            what is around here?
  hops info            what kind of graph is this?
  hops components      what hangs together?
  hops closeness       how near is everything to this?
  hops convert         make a file of any format one that opens at once.

  hops graph500        is this machine fast? A validated result at scale 20
                       within a minute.
  hops report          look at results: tables, plots, comparisons, one HTML file.
  hops generate        write the benchmark's edge list for another program.
  hops calibrate       learn this machine once, so that searches take the
                       fastest way through every level.
  hops levels          what every step takes on every level, on host and GPU.
  hops lab             the papers' figures and tables, on this machine.
  hops project         a search on a machine that is not here, projected.
  hops engines         what searches can run on, and with which options.`,
		Version:          versionText(),
		Args:             cobra.NoArgs,
		SilenceErrors:    true,
		SilenceUsage:     true,
		PersistentPreRun: func(*cobra.Command, []string) { began = true },
		RunE:             func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	root.SetOut(stdout)
	root.SetErr(stderr)
	root.SetVersionTemplate("{{.Version}}")
	root.AddCommand(bfsCommand(stderr), pathCommand(stderr), nearCommand(stderr), infoCommand(stderr), componentsCommand(stderr),
		closenessCommand(stderr), convertCommand(stderr))
	root.AddCommand(graph500Command(stderr), reportCommand(stderr), generateCommand(stderr), calibrateCommand(stderr), levelsCommand(), labCommand(stderr), projectCommand(stderr), enginesCommand(), versionCommand())
	return root, func() bool { return began }
}
