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

// Spec writes the keys that the specification 2.0 asks for, and a few more,
// which it allows. It counts self-loops as traversed edges where the reference
// does not; nedge and TEPS are the reference's, and that other count has keys
// of its own. The fields of the kernel that was not run are zero, as the
// specification has it.
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
	line("edgefactor", strconv.Itoa(r.Config.EdgeFactor))
	line("NBFS", strconv.Itoa(len(r.Searches)))
	line("construction_time", exact(r.Construction.Seconds()))
	if s := r.Summary; s != nil {
		group("bfs", "time", summaryRows(s.Time))
		group("bfs", "nedge", summaryRows(s.Edges))
		group("bfs", "TEPS", rateRows(s.TEPS))
		group("sssp", "time", summaryRows(stats.Summary{}))
		group("sssp", "nedge", summaryRows(stats.Summary{}))
		group("sssp", "TEPS", rateRows(stats.RateSummary{}))
		group("bfs", "nedge_with_loops", summaryRows(edgesWithLoops(r.Searches)))
		if s.Validate != nil {
			group("bfs", "validate", summaryRows(*s.Validate))
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
