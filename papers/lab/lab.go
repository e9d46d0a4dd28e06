// Package lab repeats the experiments of the five papers that hops descends from,
// at the size of this machine.
//
// An Experiment is one figure or table of a paper, named as there (checconi/fig9);
// experiments.go lists all. Its Run function measures and returns a Finding: tables, plots
// with the paper's axes, the paper's figures beside ours, and claims. A Claim is one
// statement of the paper, which code decides from the figures just measured: it
// holds, it does not hold, or the spread of the figures is too large to tell. The
// verdict of an experiment is the weakest of its claims.
//
// An experiment opens engines by their strings, through a function in Lab, so this
// package imports no engine. A missing engine, option or piece of hardware is named in
// the finding; claims that depend on it cannot tell, and the rest runs. Every finding
// states its basis: measured here, ranks in one process, model time, or projection.
//
// The shared parts: lab.go has the types above; measure.go searches graphs with several
// engines; runs.go reduces searches (Runs) to figures; claim.go decides; page.go presents;
// tour.go performs many experiments and resumes after an interruption.
package lab

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/gohops/hops/graph500"
	"github.com/gohops/hops/internal/base/spell"
	"github.com/gohops/hops/internal/page/page"
	"github.com/gohops/hops/internal/page/plot"
)

// A Lab gives experiments the engines, the host and the sizes.
type Lab struct {
	// Engine returns the engine of a string such as "cpu:threads=2", or an error if it
	// is not available.
	Engine func(spec string) (graph500.Engine, error)
	// Host describes the machine.
	Host graph500.Host
	// Joules returns the energy that the machine has used since some fixed time, the sum of
	// all its meters; nil without a meter.
	Joules func() (float64, error)
	// Begun is told the graph and the number of engines of every comparison before it
	// starts. nil: nobody is told.
	Begun func(graph string, engines int)
	// Unmetered says which part of the machine Joules leaves out; "" if none.
	Unmetered string
	// Times returns the time, and the processor time of this process, since some fixed
	// time. It is set where nothing but the processors is left out, whose energy the two
	// bound; otherwise nil.
	Times func() (wall, processor time.Duration)
	// Processes are those that a launcher started, of which this is the first. nil: there
	// are no others.
	Processes *Processes
	// NoGPU says why devices here are no GPUs; "" if they are.
	NoGPU string
	// NoModel says why the adaptive engine has no model of a host and a GPU here; "" if it
	// has one.
	NoModel string

	Options

	cold bool          // searches are not preceded by one that warms up: models need none
	span time.Duration // duration of one measurement of bandwidth; 0: see moment
}

// Options say how large experiments are. The zero value is the full size.
type Options struct {
	Quick bool `json:"quick"` // small graphs and few searches: all experiments in minutes
	Scale int  `json:"scale"` // scale of the largest graph; 0: 16 if quick, else 20
	Roots int  `json:"roots"` // roots of each graph; 0: 4 if quick, else 16
	Runs  int  `json:"runs"`  // rounds of searches from all roots, interleaved; 0: 3 if quick, else 5
}

// WithDefaults returns the options with every zero replaced by its default.
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

// simulated returns a smaller lab for engines that model hardware: their time does not
// vary, and simulating a search takes about a thousand times as long as the search.
func (l *Lab) simulated() *Lab {
	m := *l
	m.Scale, m.Roots, m.Runs, m.cold = max(l.Scale-2, 5), min(l.Roots, 2), 1, true
	return &m
}

// counting returns a smaller lab for counters that do not vary from run to run.
func (l *Lab) counting() *Lab {
	c := *l
	c.Roots, c.Runs, c.cold = min(l.Roots, 2), 1, true
	return &c
}

// An Experiment is a figure or a table of a paper.
type Experiment struct {
	ID    string // paper/figure
	Title string
	Trend string // the paper's result, in a sentence
	Needs string // hardware or program of the paper that this machine may lack; "" if none
	Run   func(ctx context.Context, l *Lab) (*Finding, error)
}

// Paper returns the first half of the ID.
func (e Experiment) Paper() string {
	paper, _, _ := strings.Cut(e.ID, "/")
	return paper
}

// A Basis says how the figures of a finding were obtained.
type Basis = string

const (
	Measured   Basis = "measured on this machine"
	InProcess  Basis = "ranks in one process of this machine"
	OverMPI    Basis = "ranks as processes over MPI"
	ModelTime  Basis = "model time"
	Projection Basis = "projection"
)

// Table, Plot and Page are those of reports: see their fields.
type (
	Table = page.Table
	Plot  = plot.Plot
	Page  = page.Page
)

// A Finding is the result of an experiment.
type Finding struct {
	ID      string        `json:"id"`
	Title   string        `json:"title"`
	Trend   string        `json:"trend"`
	Basis   []Basis       `json:"basis"`
	Setting string        `json:"setting"` // graphs, engines, searches
	Missing []string      `json:"missing,omitempty"`
	Tables  []*Table      `json:"tables"`
	Plots   []*Plot       `json:"plots,omitempty"`
	Paper   []Quote       `json:"paper,omitempty"`
	Claims  []Claim       `json:"claims"`
	Notes   []string      `json:"notes,omitempty"`
	Error   string        `json:"error,omitempty"` // why the experiment failed; then only ID, Title and Trend are set
	Took    time.Duration `json:"took_ns"`

	place string // that tables, plots and claims are added about
}

// A Quote is a figure from the paper's text with ours beside it.
type Quote struct {
	What  string `json:"what"`
	Paper string `json:"paper"`
	Ours  string `json:"ours"`
}

// Verdict returns the outcome on the twin of the paper's machine if there is one: the
// paper's numbers are about that machine. The outcome here is a second one, in Verdicts.
// Without a twin the outcome here counts; without claims it is unclear.
func (f *Finding) Verdict() Outcome {
	places, outcomes := f.Verdicts()
	for _, p := range places {
		if p != here && p != overMPI {
			return outcomes[p]
		}
	}
	return cmp.Or(outcomes[here], Unclear)
}

// newFinding returns a finding without results. One about ranks in one process says what
// that means.
func newFinding(basis ...Basis) *Finding {
	f := &Finding{Basis: basis}
	if slices.Contains(basis, InProcess) {
		f.Notes = []string{inProcess}
	}
	return f
}

// plot adds a plot, unless all its series are empty.
func (f *Finding) plot(p plot.Plot) {
	if slices.ContainsFunc(p.Series, func(s plot.Series) bool { return len(s.Y)+len(s.Samples) > 0 }) {
		p.Title = f.labelled(p.Title)
		f.Plots = append(f.Plots, &p)
	}
}

func (f *Finding) quote(what, paper, ours string) {
	f.Paper = append(f.Paper, Quote{f.labelled(what), paper, ours})
}

func (f *Finding) claim(claims ...Claim) {
	for _, c := range claims {
		c.Place = f.place
		f.Claims = append(f.Claims, c)
	}
}

// lack adds missing engines or hardware to the finding, without duplicates.
func (f *Finding) lack(what ...string) {
	for _, w := range what {
		if !slices.Contains(f.Missing, w) {
			f.Missing = append(f.Missing, w)
		}
	}
}

// Find returns the experiment with an ID.
func Find(id string) (Experiment, error) {
	if i := slices.IndexFunc(Experiments, func(e Experiment) bool { return e.ID == id }); i >= 0 {
		return Experiments[i], nil
	}
	return Experiment{}, fmt.Errorf("lab: no experiment is called %q%s: hops lab list names all", id, spell.Suggest(id, func(yield func(string) bool) {
		_ = slices.ContainsFunc(Experiments, func(e Experiment) bool { return !yield(e.ID) })
	}))
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
	for _, t := range f.Tables {
		t.Title = e.ID + " " + t.Title
	}
	for _, p := range f.Plots { // plots may be written to files of their own
		p.Title = e.ID + ": " + p.Title
	}
	return f, nil
}
