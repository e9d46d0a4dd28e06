package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/gohops/hops/internal/base/spell"
)

// rootCommand returns the command line.
func (a *app) rootCommand() *cobra.Command {
	root := &cobra.Command{
		Use:   "hops",
		Short: "Breadth-first search and the Graph500 benchmark",
		Long: `hops answers "how many hops from here" on graphs of any size, and runs the
Graph500 benchmark by the book: one binary for every engine, no set-up.

  hops bfs             how far is everything from here?
  hops path            how does one get from here to there?
  hops near            what is around here?
  hops sssp            how far is everything by weight?
  hops info            what kind of graph is this?
  hops components      what hangs together?
  hops closeness       how near is everything to this?
  hops betweenness     what do shortest paths go by?
  hops diameter        how far are its ends apart?
  hops degrees         what has the most edges?
  hops convert         make a file of any format one that opens at once.
  hops explore         look at it in a browser.
  hops serve           answer questions about graphs over HTTP.

  hops graph500        is this machine fast? A validated result at scale 20
                       within a minute.
  hops bench           which engine is faster on this graph, and by how much?
  hops report          look at results: tables, plots, comparisons, one HTML file.
  hops generate        write the benchmark's edge list for another program.
  hops calibrate       learn this machine once, so that searches take the
                       fastest step of every level.
  hops profile         what every step takes on every level, on host and GPU.
  hops lab             the papers' figures and tables, on this machine.
  hops predict         the time of a search on a machine that is not here.
  hops engines         what searches can run on, and with which options.

For programs:
  hops worker          answers line by line, as the Python package gohops asks.`,
		Version:       versionText(),
		Args:          knownVerb,
		SilenceErrors: true,
		SilenceUsage:  true,
		PersistentPreRunE: func(c *cobra.Command, args []string) error {
			a.parsed = true
			a.showNotices(c)
			return distinctFiles(c, args)
		},
		RunE: func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	root.SetOut(a.stdout)
	root.SetErr(a.stderr)
	root.SetVersionTemplate("{{.Version}}")
	root.SetFlagErrorFunc(explainFlag)
	root.AddCommand(a.bfsCommand(), a.pathCommand(), a.nearCommand(), a.ssspCommand(), a.infoCommand(), a.componentsCommand(),
		a.closenessCommand(), a.betweennessCommand(), a.diameterCommand(), a.degreesCommand(), a.convertCommand())
	root.AddCommand(a.exploreCommand(), a.serveCommand())
	root.AddCommand(a.graph500Command(), a.benchCommand(), a.reportCommand(), a.generateCommand(), calibrateCommand(a.stderr), a.profileCommand(),
		a.labCommand(), a.predictCommand(), enginesCommand(), versionCommand(), a.workerCommand(), a.watchdogCommand())
	completeRest(root)
	return root
}

// knownVerb refuses an argument of the program that is not a verb.
func knownVerb(c *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	return fmt.Errorf("unknown command %q%s", args[0], spell.Suggest(args[0], func(yield func(string) bool) {
		for _, verb := range c.Commands() {
			if !verb.Hidden && !yield(verb.Name()) {
				return
			}
		}
	}))
}

// explainFlag says what is wrong with a command line whose flags were not understood: that
// its verb is unknown, why a verb has no --within, or which flag may have been meant.
func explainFlag(c *cobra.Command, err error) error {
	if args := c.Flags().Args(); !c.HasParent() && len(args) > 0 {
		return knownVerb(c, args)
	}
	name, unknown := strings.CutPrefix(err.Error(), "unknown flag: --")
	switch {
	case !unknown:
		return err
	case name == "within":
		return fmt.Errorf("%s has no --within: its answer is about all that can be reached, which a limit would cut; bfs, path, near and closeness have it", verb(c))
	}
	return fmt.Errorf("%w%s", err, spell.Suggest("--"+name, func(yield func(string) bool) {
		c.Flags().VisitAll(func(f *pflag.Flag) { _ = f.Hidden || yield("--"+f.Name) })
	}))
}
