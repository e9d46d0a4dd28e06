package report

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/jedib0t/go-pretty/v6/table"

	"github.com/gohops/hops"
	"github.com/gohops/hops/graph500"
	"github.com/gohops/hops/internal/base/human"
	"github.com/gohops/hops/stats"
)

// Table writes a result for people: what was run on what, the figures, how a
// typical search went level by level, and last the score.
func Table(w io.Writer, r *graph500.Result) error {
	out := bufio.NewWriter(w)
	parts := []string{facts(r)}
	for _, v := range r.Views() {
		if r.SSSP != nil && v.Summary != nil {
			parts = append(parts, title(r, v))
		}
		parts = append(parts, figures(v), typicalSearch(v))
	}
	for _, part := range parts {
		if part != "" {
			fmt.Fprintf(out, "%s\n\n", part)
		}
	}
	fmt.Fprintln(out, Score(r))
	return out.Flush()
}

// title names the kernel of a view of a result.
func title(r, view *graph500.Result) string {
	if view == r {
		return "Kernel 2: breadth-first search"
	}
	return "Kernel 3: shortest paths"
}

func facts(r *graph500.Result) string {
	m := &r.Host
	t := human.Table(0)
	t.Style().Options.SeparateHeader = false
	t.Style().Box.PaddingLeft = ""
	row := func(name, value string) {
		if value != "" {
			t.AppendRow(table.Row{name, value})
		}
	}
	row("graph", graphText(r))
	row("engine", r.Engine)
	row("machine", fmt.Sprintf("%s, %d of %d CPUs, %s", m.Model, len(m.CPUs), len(m.Online), human.Bytes(m.Memory.Total)))
	row("device", r.Device)
	row("tree", treeMemory(r))
	row("memory", r.Memory.MemoryPlan.String())
	if r.Memory.Finished > 0 {
		row("", fmt.Sprintf("graph %s, at most %s during construction (%.2f times)", human.Bytes(r.Memory.Finished),
			human.Bytes(r.Memory.BuildPeak), float64(r.Memory.BuildPeak)/float64(r.Memory.Finished)))
	}
	if r.Memory.Process > 0 {
		row("", "process at most "+human.Bytes(r.Memory.Process))
	}
	row("generation", took(r, r.Generation))
	row("construction", took(r, r.Construction))
	for _, v := range r.Views() {
		name := ""
		if v != r {
			name = " sssp"
		}
		row("searches"+name, searches(v))
		if v.Energy != nil {
			row("energy"+name, energy(v.Energy))
		}
	}
	return t.Render()
}

func graphText(r *graph500.Result) string {
	return fmt.Sprintf("scale %d (%s), edge factor %v: %s, %s", r.Config.Scale, r.Class, r.Config.EdgeFactor,
		human.With(float64(r.Config.Vertices()), "vertices"), human.With(float64(r.Config.Edges()), "edges"))
}

func searches(r *graph500.Result) string {
	s := fmt.Sprintf("%d of %d", len(r.Searches), r.Config.Roots)
	if r.Earlier > 0 {
		s += fmt.Sprintf(", %d of them from before the run was continued", r.Earlier)
	}
	if r.Config.SkipValidation {
		return s + ", not validated"
	}
	s += ", each validated against the edge list"
	onHost := 0
	for _, q := range r.Searches {
		if q.HostValidated {
			onHost++
		}
	}
	switch {
	case r.Tree == "":
		return s
	case onHost == len(r.Searches):
		return s + " by the host"
	}
	return s + fmt.Sprintf(" by the device, %d of them by the host too", onHost)
}

// treeMemory says where a tree is when the clock of its search stops, unless there is
// no memory but the host's.
func treeMemory(r *graph500.Result) string {
	switch {
	case r.Tree == "":
		if r.Device != "" {
			return "in the memory of the host when the clock stops"
		}
		return ""
	case r.Copied == nil:
		return "stays on the device: the host's clock stops when all parents are complete there"
	}
	return fmt.Sprintf("stays on the device: the host's clock stops when all parents are complete there; copied to the host within the clock, %s (%d searches)",
		human.Count(r.Copied.TEPS.HarmonicMean)+"TEPS", r.Copied.Searches)
}

// clockNote says which clocks the figures are by, where there are several.
func clockNote(r *graph500.Result) string {
	var note string
	switch {
	case r.Tree != "":
		note = "Time and TEPS are by the host's clock around a search, which stops when all parents are complete in the memory of the device."
		if !r.Config.SkipWarmUp {
			note += " An untimed search from the root before precedes each timed one; --skip-warm-up leaves it out."
		}
	case r.Summary.Device != nil:
		note = "Time and TEPS are by the host's clock, which stops when the parents are in the host's memory."
	}
	if r.Summary.Device != nil {
		note += " Device time is by the clock of the device, for comparison: it leaves out what the host takes to start a search and to see its end."
	}
	if r.Copied != nil {
		note += fmt.Sprintf(" Copied are %d searches after the score, whose clock stopped when the tree was in the host's memory.", r.Copied.Searches)
	}
	return strings.TrimSpace(note)
}

// energy is what a search used, and on what it was measured.
func energy(e *graph500.Energy) string {
	if e.Unavailable != "" {
		return "unavailable: " + e.Unavailable
	}
	least, most := "", ""
	if e.Unmetered != "" {
		least, most = "at least ", "at most "
	}
	return fmt.Sprintf("%s%s a search, %s%s, %s%sTEPS/W: %s, over %d searches", least, human.With(e.PerSearch(), "J"), least, human.With(e.Watts(), "W"),
		most, human.Count(e.TEPSPerWatt()), metered(e), e.Searches)
}

// metered says what was measured, and what was not.
func metered(e *graph500.Energy) string {
	if e.Unmetered == "" {
		return e.Meter
	}
	return e.Meter + ", without " + e.Unmetered
}

func figures(r *graph500.Result) string {
	if r.Summary == nil {
		return ""
	}
	t := human.Table(1, "searches", "min", "1st quartile", "median", "3rd quartile", "max", "mean", "deviation")
	show := map[string]func(float64) string{
		"s":    func(s float64) string { return human.Duration(time.Duration(s * 1e9)) },
		"":     human.Count,
		"TEPS": human.Count,
	}
	for _, q := range quantities(r) {
		line := table.Row{strings.Replace(q.name, "rate", "TEPS", 1)}
		for _, row := range q.rows {
			line = append(line, show[q.unit](row.value))
		}
		t.AppendRow(line)
	}
	note := "\nTEPS: traversed edges per second; their mean is harmonic."
	if warning := busy(r.Summary.Time); warning != "" {
		note = "\n" + warning + note
	}
	for sentence := range strings.SplitAfterSeq(clockNote(r), ". ") {
		if sentence != "" {
			note += "\n" + strings.TrimSpace(sentence)
		}
	}
	return t.Render() + note
}

// busySpread is the distance of the quartiles, as a share of the median, from which on
// times are said to spread. It is a choice: roots differ as well as machines, and how
// far searches of an idle machine spread has not been measured.
const busySpread = 0.5

// busy is a warning if times spread so far that the machine has probably done other
// work as well.
func busy(s stats.Summary) string {
	if s.Median <= 0 || s.ThirdQuartile-s.FirstQuartile < busySpread*s.Median {
		return ""
	}
	return fmt.Sprintf("Warning: half of the searches took between %s and %s. The machine was probably busy; run it again when it is idle.",
		human.Duration(time.Duration(s.FirstQuartile*1e9)), human.Duration(time.Duration(s.ThirdQuartile*1e9)))
}

// A quantity of all searches has a unit and statistics.
type quantity struct {
	name, unit string
	rows       []row
}

// quantities are the figures that the benchmark asks for.
func quantities(r *graph500.Result) []quantity {
	s := r.Summary
	all := []quantity{
		{timeName(r), "s", summaryRows(s.Time)},
		{"edges", "", summaryRows(s.Edges)},
		{"rate", "TEPS", rateRows(s.TEPS)},
	}
	if s.Device != nil {
		all = append(all, quantity{"device time", "s", summaryRows(s.Device.Time)}, quantity{"device rate", "TEPS", rateRows(s.Device.TEPS)})
	}
	if r.Copied != nil {
		all = append(all, quantity{"copied time", "s", summaryRows(r.Copied.Time)}, quantity{"copied rate", "TEPS", rateRows(r.Copied.TEPS)})
	}
	if s.Validate != nil {
		all = append(all, quantity{"validation", "s", summaryRows(*s.Validate)})
	}
	return all
}

// timeName is what times are called: the times of a model are not seconds of this
// machine.
func timeName(r *graph500.Result) string {
	if len(r.Searches) > 0 && r.Searches[0].Clock == hops.Model.String() {
		return "model time"
	}
	return "time"
}

// levelTimeName is what the times of levels are called: a device without a clock gives
// each an equal share of the time that all took together.
func levelTimeName(r *graph500.Result) string {
	if len(r.Searches) > 0 && r.Searches[0].Clock == hops.Shares.String() {
		return "equal share of the time"
	}
	return timeName(r)
}

func typicalSearch(r *graph500.Result) string {
	s := typical(r.Searches)
	if r.Summary == nil || s == nil || len(s.Levels) == 0 {
		return ""
	}
	header := []string{"level", "step", "frontier", "examined", "found", levelTimeName(r), "share"}
	wire := slices.ContainsFunc(s.Levels, func(l hops.Level) bool { return l.Messages > 0 || l.Bytes > 0 })
	if wire {
		header = append(header, "messages", "sent")
	}
	moved := slices.ContainsFunc(s.Levels, func(l hops.Level) bool { return l.Handover > 0 })
	if moved {
		header = append(header, "handover")
	}
	buckets := slices.ContainsFunc(s.Levels, func(l hops.Level) bool { return l.Bucket.Bound > 0 })
	if buckets {
		header = append(header, "below", "phases", "lowered")
	}
	t := human.Table(2, header...)
	var total time.Duration
	for _, l := range s.Levels {
		total += l.Time
	}
	for i, l := range s.Levels {
		line := table.Row{
			i, l.Step, human.Count(float64(l.Frontier)), human.Count(float64(l.Examined)),
			human.Count(float64(l.Found)), human.Duration(l.Time), fmt.Sprintf("%.0f %%", 100*float64(l.Time)/float64(max(total, 1))),
		}
		if wire {
			line = append(line, human.Count(float64(l.Messages)), human.Bytes(l.Bytes))
		}
		if moved {
			line = append(line, human.Duration(l.Handover))
		}
		if b := l.Bucket; buckets {
			line = append(line, bound(b.Bound), b.Phases, human.Count(float64(b.Lowered)))
		}
		t.AppendRow(line)
	}
	return fmt.Sprintf("A typical search: from root %d in %s, by the plan %s\n%s", s.Root, human.Duration(s.Time), plan(s.Levels), t.Render())
}

// bound is a distance that all vertices found are below.
func bound(x float64) string {
	if x == math.MaxFloat64 {
		return "all"
	}
	return strconv.FormatFloat(x, 'g', 4, 64)
}

// typical returns the search of median time, the lower one of two.
func typical(searches []graph500.Search) *graph500.Search {
	if len(searches) == 0 {
		return nil
	}
	sorted := slices.Clone(searches)
	slices.SortStableFunc(sorted, func(a, b graph500.Search) int { return int(a.Time - b.Time) })
	return &sorted[(len(sorted)-1)/2]
}

// plan names the steps of all levels, or of the first where there are many.
func plan(levels []hops.Level) string {
	const most = 60
	p := hops.Trace{Levels: levels}.Plan()
	if len(p) > most {
		p = p[:strings.LastIndex(p[:most], "+")+1] + "…"
	}
	return p
}

// Score is the verdict on a run in a sentence or two.
func Score(r *graph500.Result) string {
	var b strings.Builder
	switch {
	case r.Invalid != "":
		fmt.Fprintf(&b, "INVALID, no score: %s", r.Invalid)
		return b.String()
	case len(kernels(r)) == 0:
		b.WriteString("No search was finished.")
	}
	for i, k := range kernels(r) {
		if i > 0 {
			b.WriteString("\n")
		}
		name := "Score"
		if r.SSSP != nil {
			name += ", " + k.name
		}
		fmt.Fprintf(&b, "%s: %s ± %s (harmonic mean of %d searches%s).", name,
			human.Count(k.summary.TEPS.HarmonicMean)+"TEPS", human.Count(k.summary.TEPS.HarmonicDeviation), len(k.searches), scoredTree(r))
	}
	if !r.Submittable {
		fmt.Fprintf(&b, "\nNot submittable: %s.", strings.Join(r.Reasons, "; "))
	}
	return b.String()
}

// scoredTree names the clock and the memory of trees that stay on a device.
func scoredTree(r *graph500.Result) string {
	if r.Tree == "" {
		return ""
	}
	return ", host's clock, trees left on the device"
}

// took is the time of a step over all edges and its rate, "" if it took none.
func took(r *graph500.Result, d time.Duration) string {
	if d <= 0 {
		return ""
	}
	return human.Duration(d) + ", " + human.With(float64(r.Config.Edges())/d.Seconds(), "edges/s")
}
