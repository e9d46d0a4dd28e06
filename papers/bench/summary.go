package bench

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"time"

	"github.com/gohops/hops"
	"github.com/gohops/hops/graph500"
	"github.com/gohops/hops/internal/base/topo"
	"github.com/gohops/hops/internal/page/page"
	"github.com/gohops/hops/internal/page/plot"
	"github.com/gohops/hops/stats"
)

// A Result is what a comparison has found out, and what repeats it.
type Result struct {
	Version string    `json:"version"` // of hops
	Host    string    `json:"host"`    // the processor
	Command string    `json:"command"` // that repeats the comparison
	Started time.Time `json:"started"`

	Graph    Graph      `json:"graph"`
	Roots    int        `json:"roots"`
	Rounds   int        `json:"rounds"`
	Validate Validation `json:"validate"`
	Tree     string     `json:"tree"` // "host" or "device": the memory of the trees

	Engines []Figures `json:"engines"`  // engines, then extras
	Order   []Turn    `json:"searches"` // in the order in which they ran
}

// A Graph is what was searched.
type Graph struct {
	Name     string `json:"name"`
	Vertices uint64 `json:"vertices"`
	Edges    int64  `json:"edges"` // tuples of the source
	Directed bool   `json:"directed,omitempty"`
}

// Figures are those of an entrant. Times are seconds.
type Figures struct {
	Engine       string  `json:"engine"`
	Kind         string  `json:"kind"` // "engine", "peer" or "many"
	Policy       string  `json:"policy,omitempty"`
	Device       string  `json:"device,omitempty"`
	BuildSeconds float64 `json:"build_seconds,omitempty"`

	// Of the searches; of an extra, which is timed as a whole, of the rounds.
	MinSeconds    float64 `json:"min_seconds"`
	MedianSeconds float64 `json:"median_seconds"`
	MeanSeconds   float64 `json:"mean_seconds"`
	HarmonicTEPS  float64 `json:"harmonic_teps"`

	// DeviceSeconds is the mean time by the clock of a device, where there is one.
	DeviceSeconds float64 `json:"device_mean_seconds,omitempty"`

	// RoundSeconds has the mean time of a search in every round, and Spread the
	// quartiles of these.
	RoundSeconds []float64 `json:"round_seconds"`
	Spread       Quartiles `json:"spread"`
	// Speed is relative to the first engine in the same round: above 1 is faster.
	Speed Quartiles `json:"speed"`
}

// Quartiles are those of the rounds.
type Quartiles struct {
	First  float64 `json:"first_quartile"`
	Median float64 `json:"median"`
	Third  float64 `json:"third_quartile"`
}

// A Turn is one search, or a round of an extra, whose root is absent.
type Turn struct {
	Engine  string       `json:"engine"`
	Round   int          `json:"round"`
	Root    *hops.Vertex `json:"root,omitempty"`
	Seconds float64      `json:"seconds"`
	Edges   int64        `json:"edges,omitempty"`
}

// Summarize makes the figures of a comparison. What describes the run is left to the
// caller.
func Summarize(c *Comparison, rounds int) (*Result, error) {
	host := topo.Here()
	r := &Result{Version: graph500.Version(), Host: fmt.Sprintf("%s, %d CPUs", host.Model, len(host.CPUs)), Started: time.Now(), Rounds: rounds}
	for i, e := range c.Entrants {
		f, err := figures(c, i, rounds)
		if err != nil {
			return nil, err
		}
		f.Engine, f.Kind, f.Policy, f.Device, f.BuildSeconds = e.Name, e.Kind, e.Policy, e.Device, e.Build.Seconds()
		r.Engines = append(r.Engines, f)
	}
	for i := range r.Engines {
		r.Engines[i].Speed = speed(r.Engines[i].RoundSeconds, r.Engines[0].RoundSeconds)
	}
	for _, s := range c.Searches {
		t := Turn{Engine: c.Entrants[s.Entrant].Name, Round: s.Round, Seconds: s.Time.Seconds(), Edges: s.Edges}
		if c.Entrants[s.Entrant].Kind == "engine" {
			t.Root = &s.Root
		}
		r.Order = append(r.Order, t)
	}
	return r, nil
}

// figures are those of one entrant, but for its speed.
func figures(c *Comparison, entrant, rounds int) (f Figures, err error) {
	var seconds, device []float64
	var edges []int64
	byRound := make([][]float64, rounds)
	for _, s := range c.Searches {
		if s.Entrant != entrant {
			continue
		}
		seconds = append(seconds, s.Time.Seconds())
		edges = append(edges, cmp.Or(s.Edges, meanEdges(c)))
		byRound[s.Round-1] = append(byRound[s.Round-1], s.Time.Seconds())
		if s.Device > 0 {
			device = append(device, s.Device.Seconds())
		}
	}
	if len(seconds) == 0 {
		return f, nil
	}
	for _, round := range byRound {
		f.RoundSeconds = append(f.RoundSeconds, stats.Mean(round))
	}
	all := stats.Summarize(seconds)
	f.MinSeconds, f.MedianSeconds, f.MeanSeconds = all.Min, all.Median, all.Mean
	f.DeviceSeconds = stats.Mean(device)
	f.Spread = quartiles(f.RoundSeconds)
	teps, err := stats.TEPS(seconds, edges)
	f.HarmonicTEPS = teps.HarmonicMean
	return f, err
}

// meanEdges is the mean of the edges that searches of the first round traversed,
// which stands for those of an extra.
func meanEdges(c *Comparison) int64 {
	var sum, n int64
	for _, s := range c.Searches {
		if s.Round == 1 && s.Edges > 0 {
			sum, n = sum+s.Edges, n+1
		}
	}
	return sum / max(n, 1)
}

// speed compares the rounds of an entrant with those of the first.
func speed(own, first []float64) Quartiles {
	var ratios []float64
	for i := range min(len(own), len(first)) {
		ratios = append(ratios, first[i]/own[i])
	}
	return quartiles(ratios)
}

func quartiles(x []float64) Quartiles {
	s := stats.Summarize(x)
	return Quartiles{s.FirstQuartile, s.Median, s.ThirdQuartile}
}

// WriteJSON writes the result as one object.
func (r *Result) WriteJSON(w io.Writer) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	return e.Encode(r)
}

// WriteText writes the result for a terminal.
func (r *Result) WriteText(w io.Writer) error { return r.page().Text(w) }

// WriteHTML writes the result as one file that needs nothing else.
func (r *Result) WriteHTML(w io.Writer) error { return r.page().HTML(w) }

func (r *Result) page() *page.Page {
	return &page.Page{
		Title:    "Engines in turn",
		Subtitle: fmt.Sprintf("%s: %d roots, %d rounds", r.Graph.Name, r.Roots, r.Rounds),
		Sections: []page.Section{{
			Title: "Comparison",
			Facts: []page.Fact{
				{Name: "graph", Value: fmt.Sprintf("%s, %d vertices, %d edges", r.Graph.Name, r.Graph.Vertices, r.Graph.Edges)},
				{Name: "host", Value: r.Host},
				{Name: "version", Value: r.Version},
				{Name: "validated", Value: validations[r.Validate]},
				{Name: "trees", Value: "in the memory of the " + r.Tree},
			},
			Plots:    []*plot.Plot{r.plot()},
			Tables:   []page.Table{r.table()},
			Commands: []string{r.Command},
		}},
	}
}

var validations = map[Validation]string{
	All:   "every tree",
	First: "the first tree of every engine and root",
	None:  "the first tree of every root",
}

// busySpread is the distance of the quartiles of the rounds, as a share of their median,
// from which on a warning is given. It is a choice: how far the rounds of an idle machine
// spread has not been measured. All rounds have the same roots, so it is less than that
// of single searches in package report.
const busySpread = 0.25

func (r *Result) table() page.Table {
	t := page.Table{
		Title:   "time of a search",
		Columns: page.Columns("engine", "build:s", "min:s", "median:s", "mean:s", "TEPS:TEPS", "rounds, from:s", "to:s", "speed", "from", "to"),
		Note: "TEPS: traversed edges per second, harmonic mean. Rounds: quartiles of the mean time of a search in each round. " +
			"Speed: relative to the first engine in the same round, median and quartiles; above 1 is faster.",
	}
	for _, f := range r.Engines {
		if f.Spread.Third-f.Spread.First > busySpread*f.Spread.Median {
			t.Note += " Warning: the rounds of " + f.Engine + " spread by more than a quarter of their median: the machine was probably busy."
		}
		var build any
		if f.BuildSeconds > 0 {
			build = f.BuildSeconds
		}
		t.Rows = append(t.Rows, []any{
			f.Engine, build, f.MinSeconds, f.MedianSeconds, f.MeanSeconds, f.HarmonicTEPS, f.Spread.First, f.Spread.Third,
			f.Speed.Median, f.Speed.First, f.Speed.Third,
		})
	}
	return t
}

func (r *Result) plot() *plot.Plot {
	p := &plot.Plot{
		Title: "Mean time of a search in each round",
		X:     plot.Axis{Label: "round", Whole: true},
		Y:     plot.Axis{Label: "time", Unit: "s", Zero: true},
	}
	for _, f := range r.Engines {
		s := plot.Series{Name: f.Engine, Y: f.RoundSeconds}
		for i := range f.RoundSeconds {
			s.X = append(s.X, float64(i+1))
		}
		p.Series = append(p.Series, s)
	}
	return p
}
