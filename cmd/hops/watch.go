package main

import (
	"io"
	"os"

	"github.com/gohops/hops/graph500"
	"github.com/gohops/hops/internal/page/progress"
)

// A watcher shows a run of the benchmark on a display.
type watcher struct{ *progress.Display }

func (w watcher) Planned(p graph500.MemoryPlan) { w.Note("memory       " + p.String()) }

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

// observers pass everything on to several observers of one run.
type observers []graph500.Observer

func (all observers) Planned(p graph500.MemoryPlan) {
	for _, o := range all {
		o.Planned(p)
	}
}

func (all observers) Begin(phase string, total int64, unit string) {
	for _, o := range all {
		o.Begin(phase, total, unit)
	}
}

func (all observers) Advance(done int64) {
	for _, o := range all {
		o.Advance(done)
	}
}

func (all observers) Searched(s graph500.Search) {
	for _, o := range all {
		o.Searched(s)
	}
}
