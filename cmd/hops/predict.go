package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"runtime"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/gohops/hops/internal/base/atomicfile"
	"github.com/gohops/hops/internal/page/page"
	"github.com/gohops/hops/internal/page/plot"
	"github.com/gohops/hops/internal/page/progress"
	"github.com/gohops/hops/papers/projection"
)

// predictFlags are the flags of the verb.
type predictFlags struct {
	scale, nodes       int
	machine, network   string
	exchange           string
	bandwidth, latency float64
	speed              float64
	bulk, quick, quiet bool
	html, mpi          string
}

func (a *app) predictCommand() *cobra.Command {
	var o predictFlags
	c := &cobra.Command{
		Use:     "predict",
		Aliases: []string{"project"},
		Short:   "Predict a search on a machine that is not here",
		Long: `predict computes the time of every level and the rate of a search of the
benchmark's graph at any scale, on any number of nodes. Every figure is a
projection, made of three parts:

  work     searches at several scales are run on the twin of a node, in model
           time, and what each level handles is extended to the scale asked for
  rates    what a node takes for it, learned from the same searches; a node is
           one core as the twin has it, or --speed times as fast
  network  injection and bisection bandwidth of the topology, and its latency

It is checked each time: against scales and numbers of ranks that nothing was
learned from, and against the rates that the papers give for their machines. The
errors are printed; read them before the projection. The twin of a host is compared
with ranks that really run, too: in this process and, started by mpirun, with a
process for each.

--machine takes the nodes and the network of a paper: bluegene-q, numa, romeo.
Its nodes are as fast as one rate in the paper says; other rates are predicted.`,
		Example: `  hops predict --scale 40 --nodes 65536 --machine bluegene-q
  hops predict --scale 32 --nodes 64 --network fattree --bandwidth 25e9 --latency 1e-6
  mpirun -n 16 --bind-to none hops predict --quick`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			machine, err := o.describe(c.Flags().Changed)
			if err != nil {
				return usageError{err}
			}
			return a.leadRanks(c.Context(), o.mpi, func(ctx context.Context) error { return o.run(ctx, a, machine, c.OutOrStdout()) })
		},
	}
	f := c.Flags()
	f.Var(within(&o.scale, 30, 1, 60), "scale", "of the graph to project to")
	f.Var(within(&o.nodes, 64, 1, 1<<24), "nodes", "of the machine to project to")
	f.StringVar(&o.machine, "machine", "", "of a paper: bluegene-q, numa, romeo")
	f.StringVar(&o.network, "network", string(projection.FatTree), "torus5d, fattree or dragonfly")
	f.StringVar(&o.exchange, "exchange", string(projection.Messages), "between nodes: messages, allgather or 2d")
	f.Float64Var(&o.bandwidth, "bandwidth", 12.5e9, "of a link, in bytes a second each way")
	f.Float64Var(&o.latency, "latency", 2e-6, "of a small message, in seconds")
	f.Float64Var(&o.speed, "speed", 1, "of a node, relative to one core as the twin has it")
	f.BoolVar(&o.bulk, "bulk", false, "computing and sending take turns instead of overlapping")
	f.BoolVar(&o.quick, "quick", false, "learn from smaller graphs and fewer searches")
	f.StringVar(&o.html, "html", "", "write a page to this file")
	f.BoolVarP(&o.quiet, "quiet", "q", false, "no progress")
	mpiFlag(c, &o.mpi)
	complete(c, "machine", "bluegene-q", "numa", "romeo")
	complete(c, "network", string(projection.Torus5D), string(projection.FatTree), string(projection.Dragonfly))
	complete(c, "exchange", string(projection.Messages), string(projection.Allgather), string(projection.Grid))
	return c
}

// describe returns the machine that the flags describe. The machine of a paper has its
// own network, unless a flag says otherwise.
func (o *predictFlags) describe(changed func(string) bool) (p projection.Published, err error) {
	p.Machine = projection.Machine{
		Name: "nodes of one core", Speed: o.speed, Exchange: projection.Exchange(o.exchange), Bulk: o.bulk,
		Network: projection.Network{Topology: projection.Topology(o.network), Bandwidth: o.bandwidth, Latency: o.latency},
	}
	if o.machine == "" {
		return p, o.check()
	}
	own := p.Network
	if p, err = projection.ByName(o.machine); err != nil {
		return p, err
	}
	if changed("network") {
		p.Network.Topology = own.Topology
	}
	if changed("bandwidth") {
		p.Network.Bandwidth = own.Bandwidth
	}
	if changed("latency") {
		p.Network.Latency = own.Latency
	}
	return p, o.check()
}

func (o *predictFlags) check() error {
	known := func(what, value string, all ...string) error {
		if slices.Contains(all, value) {
			return nil
		}
		return fmt.Errorf("unknown %s %q; there are %s", what, value, strings.Join(all, ", "))
	}
	var numbers error
	if !(o.bandwidth > 0) || !(o.latency >= 0) || !(o.speed > 0) || math.IsInf(o.bandwidth+o.latency+o.speed, 1) {
		numbers = errors.New("bandwidth and speed must be positive, and latency not negative, all of them finite")
	}
	return cmp.Or(known("network", o.network, string(projection.Torus5D), string(projection.FatTree), string(projection.Dragonfly)),
		known("exchange", o.exchange, string(projection.Messages), string(projection.Allgather), string(projection.Grid)), numbers)
}

func (o *predictFlags) run(ctx context.Context, a *app, machine projection.Published, stdout io.Writer) error {
	m, checks, err := o.learn(ctx, a)
	if err != nil {
		return err
	}
	if machine.Known != nil {
		if machine.Machine, err = m.Calibrated(machine); err != nil {
			return err
		}
	}
	p, err := m.Project(machine.Machine, o.scale, o.nodes)
	if err != nil {
		return err
	}
	papers, err := m.Papers()
	if err != nil {
		return err
	}
	page := projectionPage(m, machine, p, checks, papers)
	if o.html != "" {
		if err := atomicfile.Write(o.html, page.HTML); err != nil {
			return err
		}
	}
	return page.Text(stdout)
}

// learn searches on twins, and checks what it learns against searches that it left out, and
// the twin of a host against ranks that really run.
func (o *predictFlags) learn(ctx context.Context, a *app) (m *projection.Model, checks []projection.Check, err error) {
	display := progress.New(a.stderr, progressMode(a.stderr, o.quiet))
	defer display.Close()
	t := projection.Training{Scales: []int{14, 15, 16, 17, 18, 19, 20}, Roots: 16, Open: openHere, Phase: display.Begin, Advance: display.Advance}
	t.Real, t.RealScale = []projection.Ranks{{Kind: "ranks in one process", Most: min(runtime.GOMAXPROCS(0), mostReal), Open: openHere}}, 18
	if o.quick {
		t.Scales, t.Roots, t.RealScale = []int{10, 11, 12, 13, 14}, 8, 16
	}
	if a.ranks != nil && a.ranks.Size() > 1 {
		p := a.processes()
		defer func() { err = errors.Join(err, p.End(ctx)) }()
		t.Real = append(t.Real, projection.Ranks{Kind: "processes over MPI", Most: min(a.ranks.Size(), mostReal), Open: p.Engine})
	}
	return t.Learn(ctx)
}

// mostReal is how many ranks the twin is compared with, at most.
const mostReal = 16

func projectionPage(m *projection.Model, machine projection.Published, p projection.Projection, here, papers []projection.Check) *page.Page {
	return &page.Page{
		Title:    "Projection",
		Subtitle: fmt.Sprintf("Scale %d on %d nodes: nothing on this page was measured at that size", p.Scale, p.Nodes),
		Sections: []page.Section{
			projectionSection(m, machine, p),
			checkSection("Checked here", "Fitted without what is compared: the largest scale, and all but one number of ranks.", here),
			checkSection("Checked against the papers", "The speed of a node of each machine is taken from one rate in its paper; other figures of the text are projected.", papers),
		},
	}
}

func projectionSection(m *projection.Model, machine projection.Published, p projection.Projection) page.Section {
	n := machine.Network
	facts := []page.Fact{
		{Name: "projection", Value: fmt.Sprintf("%s, a search takes %s", plot.Value(p.TEPS, "TEPS"), plot.Value(p.Time.Seconds(), "s"))},
		{Name: "machine", Value: fmt.Sprintf("%s; a node is %.3g times as fast as the twin of a core", machine.Name, max(machine.Speed, 1e-9))},
		{Name: "network", Value: fmt.Sprintf("%s, %s a link, latency %s; %s", n.Topology, plot.Value(n.Bandwidth, "B/s"), plot.Value(n.Latency, "s"), machine.Exchange)},
		{Name: "learned from", Value: fmt.Sprintf("searches at scales %v on twins, in model time", m.Scales)},
	}
	if machine.Assumed != "" {
		facts = append(facts, page.Fact{Name: "assumed", Value: machine.Assumed})
	}
	t := page.Table{
		Title:   "projection by level",
		Columns: page.Columns("level:#", "step", "frontier:vertices", "examined:entries", "found:vertices", "sent:B", "computing:s", "network:s", "collectives:s", "time:s"),
		Note:    "All figures are projections. Computing and network overlap unless exchanges are in bulk.",
	}
	series := []plot.Series{{Name: "computing", Kind: plot.Bar}, {Name: "network", Kind: plot.Bar}, {Name: "collectives", Kind: plot.Bar}}
	for i, l := range p.Levels {
		t.Rows = append(t.Rows, []any{float64(i), l.Step, l.Frontier, l.Examined, l.Found, l.Bytes, l.Compute, l.Network, l.Collect, l.Time})
		for j, x := range []float64{l.Compute.Seconds(), l.Network.Seconds(), l.Collect.Seconds()} {
			series[j].Y = append(series[j].Y, x)
		}
	}
	return page.Section{
		Title: "Projection by level", Facts: facts, Tables: []page.Table{t},
		Plots: []*plot.Plot{{
			Title: "Projected time of each level", Note: "projection",
			X: plot.Axis{Label: "level"}, Y: plot.Axis{Label: "time, projected", Unit: "s", Scale: plot.Log10}, Series: series,
		}},
	}
}

func checkSection(title, text string, checks []projection.Check) page.Section {
	t := page.Table{Title: title, Columns: page.Columns("what", "projected", "known", "error:%", "known from")}
	for _, c := range checks {
		t.Rows = append(t.Rows, []any{c.What, page.Quantity{Value: c.Projected, Unit: c.Unit}, page.Quantity{Value: c.Known, Unit: c.Unit}, 100 * c.Error(), c.Source})
	}
	return page.Section{Title: title, Text: []string{text}, Tables: []page.Table{t}}
}
