package report

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/gohops/hops/graph500"
	"github.com/gohops/hops/stats"
)

// A row is one statistic of a group by the name it has in official output.
type row struct {
	name  string
	value float64
}

func summaryRows(s stats.Summary) []row {
	return []row{
		{"min", s.Min},
		{"firstquartile", s.FirstQuartile},
		{"median", s.Median},
		{"thirdquartile", s.ThirdQuartile},
		{"max", s.Max},
		{"mean", s.Mean},
		{"stddev", s.Deviation},
	}
}

func rateRows(s stats.RateSummary) []row {
	order := stats.Summary{Min: s.Min, FirstQuartile: s.FirstQuartile, Median: s.Median, ThirdQuartile: s.ThirdQuartile, Max: s.Max}
	return append(summaryRows(order)[:5], row{"harmonic_mean", s.HarmonicMean}, row{"harmonic_stddev", s.HarmonicDeviation})
}

// Text writes what the reference implementation 3.0.1 prints: the same keys in
// the same order, values from column 32 on, and nothing that it does not print: a
// device's own clock and the energy are for the other formats. Two things have one more
// line: trees that stay on a device, and why a run cannot be submitted. A run that is
// invalid has no figures.
//
// Edge counts have 15 digits and not the reference's 11, which do not suffice
// from scale 33 on.
func Text(w io.Writer, r *graph500.Result) error {
	if r.Invalid != "" {
		_, err := fmt.Fprintln(w, "No results printed for invalid run.")
		return err
	}
	out := bufio.NewWriter(w)
	line := func(key, value string) { fmt.Fprintf(out, "%-32s%s\n", key+":", value) }
	group := func(prefix, suffix string, rows []row, digits int) {
		for _, row := range rows {
			key := prefix + row.name + "_" + suffix
			value := strconv.FormatFloat(row.value, 'g', digits, 64)
			if row.name == "harmonic_mean" {
				fmt.Fprintf(out, "%-29s!  %s\n", key+":", value)
				continue
			}
			line(key, value)
		}
	}
	line("SCALE", strconv.Itoa(r.Config.Scale))
	line("edgefactor", exact(r.Config.EdgeFactor))
	line("NBFS", strconv.Itoa(searchCount(r)))
	line("graph_generation", seconds(r.Generation.Seconds()))
	line("num_mpi_processes", strconv.Itoa(r.Ranks))
	line("construction_time", seconds(r.Construction.Seconds()))
	all := kernels(r)
	for _, k := range all {
		group(k.official, "time", summaryRows(k.summary.Time), 6)
	}
	if len(all) > 0 { // the reference keeps the edges of its last kernel only
		group("", "nedge", summaryRows(all[len(all)-1].summary.Edges), 15)
	}
	for _, k := range all {
		group(k.official, "TEPS", rateRows(k.summary.TEPS), 6)
	}
	for _, k := range all {
		group(k.official, "validate", summaryRows(validation(k.summary)), 6)
	}
	if r.Tree != "" {
		line("tree_memory", r.Tree)
	}
	if !r.Submittable {
		line("not_submittable", strings.Join(r.Reasons, "; "))
	}
	return out.Flush()
}

// A kernel is one of those that searched, with its figures.
type kernel struct {
	official string // prefix of its keys in the text of the reference
	name     string // and in the specification's text
	summary  *graph500.Summary
	searches []graph500.Search
}

// kernels are those that have figures.
func kernels(r *graph500.Result) (all []kernel) {
	if r.Summary != nil {
		all = append(all, kernel{"bfs  ", "bfs", r.Summary, r.Searches})
	}
	if s := r.SSSP; s != nil && s.Summary != nil {
		all = append(all, kernel{"sssp ", "sssp", s.Summary, s.Searches})
	}
	return all
}

// searchCount is the number of searches of a kernel, the last that has run if they
// differ.
func searchCount(r *graph500.Result) (n int) {
	for _, v := range r.Views() {
		n = len(v.Searches)
	}
	return n
}

// validation is what the reference prints: -1 everywhere when validation was
// skipped.
func validation(s *graph500.Summary) stats.Summary {
	if s.Validate == nil {
		return stats.Summary{Min: -1, FirstQuartile: -1, Median: -1, ThirdQuartile: -1, Max: -1, Mean: -1, Deviation: -1}
	}
	return *s.Validate
}

// seconds is C's %g.
func seconds(s float64) string { return strconv.FormatFloat(s, 'g', 6, 64) }

// Spec writes the keys that the specification 2.0 asks for, and a few more,
// which it allows. It counts self-loops as traversed edges where the reference
// does not; nedge and TEPS are the reference's, and that other count has keys
// of its own. A kernel that was not run has no keys: zeros would be figures.
func Spec(w io.Writer, r *graph500.Result) error {
	if r.Invalid != "" {
		return Text(w, r)
	}
	out := bufio.NewWriter(w)
	line := func(key, value string) { fmt.Fprintf(out, "%s: %s\n", key, value) }
	group := func(kernel, suffix string, rows []row) {
		for _, row := range rows {
			line(kernel+"_"+row.name+"_"+suffix, exact(row.value))
		}
	}
	line("SCALE", strconv.Itoa(r.Config.Scale))
	line("edgefactor", exact(r.Config.EdgeFactor))
	line("NBFS", strconv.Itoa(searchCount(r)))
	line("construction_time", exact(r.Construction.Seconds()))
	for _, k := range kernels(r) {
		group(k.name, "time", summaryRows(k.summary.Time))
		group(k.name, "nedge", summaryRows(k.summary.Edges))
		group(k.name, "TEPS", rateRows(k.summary.TEPS))
		group(k.name, "nedge_with_loops", summaryRows(edgesWithLoops(k.searches)))
		if k.summary.Validate != nil {
			group(k.name, "validate", summaryRows(*k.summary.Validate))
		}
	}
	if r.Tree != "" {
		line("tree_memory", r.Tree)
	}
	if r.Copied != nil {
		line("copied_NBFS", strconv.Itoa(r.Copied.Searches))
		group("copied_bfs", "time", summaryRows(r.Copied.Time))
		group("copied_bfs", "TEPS", rateRows(r.Copied.TEPS))
	}
	line("generation_time", exact(r.Generation.Seconds()))
	line("engine", r.Engine)
	line("version", r.Version)
	line("submittable", submittable(r))
	return out.Flush()
}

func edgesWithLoops(searches []graph500.Search) stats.Summary {
	var edges []float64
	for _, s := range searches {
		edges = append(edges, float64(s.Edges+s.Loops))
	}
	return stats.Summarize(edges)
}

func submittable(r *graph500.Result) string {
	if r.Submittable {
		return "yes"
	}
	return "no: " + strings.Join(r.Reasons, "; ")
}

// exact prints as many digits as the value has, counts without an exponent.
func exact(x float64) string {
	if x == math.Trunc(x) && math.Abs(x) < 1<<53 {
		return strconv.FormatFloat(x, 'f', 0, 64)
	}
	return strconv.FormatFloat(x, 'g', -1, 64)
}
