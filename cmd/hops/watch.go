package main

import (
	"io"
	"os"

	"github.com/gohops/hops/graph500"
	"github.com/gohops/hops/internal/progress"
)

// A watcher shows a run of the benchmark on a display.
type watcher struct{ *progress.Display }

func (w watcher) Planned(p graph500.Plan) { w.Note("memory       " + p.String()) }

func (w watcher) Searched(graph500.Search) {}

// progressMode is a bar on a terminal, lines elsewhere.
func progressMode(stderr io.Writer, quiet bool) progress.Mode {
	if f, ok := stderr.(*os.File); ok {
		return progress.Detect(f, quiet)
	}
	if quiet {
		return progress.Quiet
	}
	return progress.Lines
}
