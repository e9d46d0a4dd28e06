package lab

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/gohops/hops/graph500"
	"github.com/gohops/hops/internal/page"
	"github.com/gohops/hops/internal/plot"
)

// A Lab is what experiments work with.
type Lab struct {
	// Engine makes the engine that a string such as "cpu:threads=2" names. An
	// error means that there is none here.
	Engine func(spec string) (graph500.Engine, error)
	// Host is the machine.
	Host graph500.Host
	// Joules is the energy that the machine has used since some time in the past.
	// nil: nobody counts.
	Joules func() (float64, error)

	Options

	cold bool          // no search to warm up: models need none
	span time.Duration // of one measurement of bandwidth; 0: as the options have it
}

// Options say how large experiments are. The zero value is the full size.
type Options struct {
	Quick bool `json:"quick"` // small graphs and few searches: the tour in minutes
	Scale int  `json:"scale"` // of the largest graph; 0: 16 if quick, else 20
	Roots int  `json:"roots"` // searches of each graph; 0: 4 if quick, else 16
	Runs  int  `json:"runs"`  // of each search, interleaved; 0: 3 if quick, else 5
}

// WithDefaults returns the options with every zero replaced by what it means.
func (o Options) WithDefaults() Options {
	preset := Options{Scale: 20, Roots: 16, Runs: 5}
	if o.Quick {
		preset = Options{Scale: 16, Roots: 4, Runs: 3}
	}
	o.Scale = cmp.Or(o.Scale, preset.Scale)
	o.Roots = cmp.Or(o.Roots, preset.Roots)
	o.Runs = cmp.Or(o.Runs, preset.Runs)
	return o
}

// simulated is the lab for machines that are models: their time does not vary,
// and simulating it takes some thousand times as long as it stands for.
func (l *Lab) simulated() *Lab {
	m := *l
	m.Scale, m.Roots, m.Runs, m.cold = max(l.Scale-2, 5), min(l.Roots, 2), 1, true
	return &m
}

// counting is the lab for what does not vary from run to run.
func (l *Lab) counting() *Lab {
	c := *l
	c.Roots, c.Runs, c.cold = min(l.Roots, 2), 1, true
	return &c
}

// An Experiment is a figure or a table of a paper.
type Experiment struct {
	ID    string // paper/figure
	Title string
	Trend string // what the paper shows, in a sentence
	Needs string // what the paper used and this machine may lack; "" if anything does
	Run   func(ctx context.Context, l *Lab) (*Finding, error)
}

// Paper is the first half of the ID.
func (e Experiment) Paper() string {
	paper, _, _ := strings.Cut(e.ID, "/")
	return paper
}

// A Basis says what the figures of a finding are.
type Basis string

const (
	Measured   Basis = "measured on this machine"
	InProcess  Basis = "ranks in one process of this machine"
	ModelTime  Basis = "model time"
	Projection Basis = "projection"
)

// Table, Plot and Page are those of reports: see their fields.
type (
	Table = page.Table
	Plot  = plot.Plot
	Page  = page.Page
)

// A Finding is what an experiment has found out.
type Finding struct {
	ID      string        `json:"id"`
	Title   string        `json:"title"`
	Trend   string        `json:"trend"`
	Basis   []Basis       `json:"basis"`
	Setting string        `json:"setting"` // graphs, engines, searches
	Missing []string      `json:"missing,omitempty"`
	Tables  []Table       `json:"tables"`
	Plots   []*Plot       `json:"plots,omitempty"`
	Paper   []Quote       `json:"paper,omitempty"`
	Claims  []Claim       `json:"claims"`
	Notes   []string      `json:"notes,omitempty"`
	Error   string        `json:"error,omitempty"` // why there is nothing else
	Took    time.Duration `json:"took_ns"`
}

// A Quote is a figure from the paper's text with ours beside it.
type Quote struct {
	What  string `json:"what"`
	Paper string `json:"paper"`
	Ours  string `json:"ours"`
}

// Verdict is the weakest of the claims.
func (f *Finding) Verdict() Verdict {
	if f.Error != "" {
		return Verdict{Unclear, "the experiment failed"}
	}
	return verdictOf(f.Claims)
}

func (f *Finding) table(t table) { f.Tables = append(f.Tables, t.Table) }

// plot adds a plot, unless nothing that it shows was run.
func (f *Finding) plot(p plot.Plot) {
	for _, s := range p.Series {
		if len(s.Y) > 0 || len(s.Samples) > 0 {
			f.Plots = append(f.Plots, &p)
			return
		}
	}
}

func (f *Finding) quote(what, paper, ours string) {
	f.Paper = append(f.Paper, Quote{what, paper, ours})
}

func (f *Finding) claim(c ...Claim) { f.Claims = append(f.Claims, c...) }

// lack notes what could not be run, each thing once.
func (f *Finding) lack(what ...string) {
	for _, w := range what {
		known := false
		for _, m := range f.Missing {
			known = known || m == w
		}
		if !known {
			f.Missing = append(f.Missing, w)
		}
	}
}

// Find returns the experiment of an ID.
func Find(id string) (Experiment, error) {
	for _, e := range Experiments {
		if e.ID == id {
			return e, nil
		}
	}
	return Experiment{}, fmt.Errorf("lab: no experiment is called %q: hops lab list names all", id)
}

// Perform runs an experiment and completes its finding.
func (l *Lab) Perform(ctx context.Context, e Experiment) (*Finding, error) {
	l.Options = l.WithDefaults()
	start := time.Now()
	f, err := e.Run(ctx, l)
	if err != nil {
		if cause := context.Cause(ctx); cause != nil {
			err = cause
		}
		return nil, fmt.Errorf("lab: %s: %w", e.ID, err)
	}
	f.ID, f.Title, f.Trend, f.Took = e.ID, e.Title, e.Trend, time.Since(start)
	for i := range f.Tables {
		f.Tables[i].Title = e.ID + " " + f.Tables[i].Title
	}
	for _, p := range f.Plots { // which may be files on their own
		p.Title = e.ID + ": " + p.Title
	}
	return f, nil
}
