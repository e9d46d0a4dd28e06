package report

import (
	"bufio"
	"fmt"
	"io"
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
	return []row{
		{"min", s.Min},
		{"firstquartile", s.FirstQuartile},
		{"median", s.Median},
		{"thirdquartile", s.ThirdQuartile},
		{"max", s.Max},
		{"harmonic_mean", s.HarmonicMean},
		{"harmonic_stddev", s.HarmonicDeviation},
	}
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
	line("edgefactor", strconv.Itoa(r.Config.EdgeFactor))
	line("NBFS", strconv.Itoa(len(r.Searches)))
	line("graph_generation", seconds(r.Generation.Seconds()))
	line("num_mpi_processes", strconv.Itoa(r.Ranks))
	line("construction_time", seconds(r.Construction.Seconds()))
	if s := r.Summary; s != nil {
		group("bfs  ", "time", summaryRows(s.Time), 6)
		group("", "nedge", summaryRows(s.Edges), 15)
		group("bfs  ", "TEPS", rateRows(s.TEPS), 6)
		group("bfs  ", "validate", summaryRows(validation(s)), 6)
	}
	if r.Tree != "" {
		line("tree_memory", r.Tree)
	}
	if !r.Submittable {
		line("not_submittable", strings.Join(r.Reasons, "; "))
	}
	return out.Flush()
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
