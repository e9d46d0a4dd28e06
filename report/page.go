package report

import (
	"cmp"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/gohops/hops/graph500"
	"github.com/gohops/hops/internal/base/human"
	"github.com/gohops/hops/internal/page/page"
)

// A Named result has a name by which readers know it, such as its file's.
type Named struct {
	Name string
	*graph500.Result
}

// A Document is a report with tables and plots.
type Document interface {
	Text(w io.Writer) error // for a terminal
	HTML(w io.Writer) error // one file that loads nothing
	// SVG and PNG write every plot, and CSV every table, as a file of its own into a folder that
	// they make, and return the files.
	SVG(folder string) (files []string, err error)
	PNG(folder string) (files []string, err error)
	CSV(folder string) (files []string, err error)
}

// Page is everything there is to see of one or several results, by subject, so
// that what belongs together stands side by side. The first result is the one that
// the others are compared with.
func Page(results []Named) Document {
	results = byKernel(results)
	p := &page.Page{Title: "Graph500 result", Footer: footer(results)}
	if len(results) == 1 {
		r := results[0]
		p.Subtitle = fmt.Sprintf("Scale %d on %s, %s", r.Config.Scale, r.Engine, r.Started.UTC().Format("2 January 2006 15:04 UTC"))
	} else {
		p.Title = fmt.Sprintf("Graph500: %d results", len(results))
		p.Sections = append(p.Sections, comparison(results))
	}
	p.Sections = append(p.Sections, progress(results)...)
	for _, section := range []func([]Named) page.Section{memorySection, energySection, machineSection, repeatSection, searchesSection} {
		p.Sections = append(p.Sections, section(results))
	}
	return p
}

// byKernel shows a result of two kernels, or of kernel 3, as one for each kernel.
func byKernel(results []Named) (all []Named) {
	for _, r := range results {
		if r.SSSP == nil {
			all = append(all, r)
			continue
		}
		for _, v := range r.Views() {
			name := graph500.KernelSSSP
			if v == r.Result {
				name = graph500.KernelBFS
			}
			view := *v
			view.SSSP = nil
			all = append(all, Named{r.Name + " " + name, &view})
		}
	}
	return all
}

// FileNames are short names for files: without their folders, unless that makes
// two of them alike.
func FileNames(paths []string) []string {
	count := map[string]int{}
	for _, p := range paths {
		count[short(p)]++
	}
	names := make([]string, len(paths))
	for i, p := range paths {
		names[i] = short(p)
		if count[names[i]] > 1 {
			names[i] = strings.TrimSuffix(p, ".json")
		}
	}
	return names
}

func short(path string) string { return strings.TrimSuffix(filepath.Base(path), ".json") }

func footer(results []Named) string {
	var versions []string
	for _, r := range results {
		if !slices.Contains(versions, r.Version) {
			versions = append(versions, r.Version)
		}
	}
	return "hops " + strings.Join(versions, ", ")
}

// of adds the name of a result to a title where there are several.
func of(title string, r Named, all []Named) string {
	if len(all) == 1 {
		return title
	}
	return title + ": " + r.Name
}

// sideBySide shows facts as they are for one result, and as a table with a column
// for each of several.
func sideBySide(s *page.Section, title string, results []Named, facts func(r *graph500.Result) []page.Fact) {
	if len(results) == 1 {
		s.Facts = facts(results[0].Result)
		return
	}
	t := page.Table{Title: title, Columns: []page.Column{{Name: ""}}}
	rows := map[string][]any{}
	var order []string
	for i, r := range results {
		t.Columns = append(t.Columns, page.Column{Name: r.Name})
		for _, f := range facts(r.Result) {
			if rows[f.Name] == nil {
				order = append(order, f.Name)
				rows[f.Name] = make([]any, len(results)+1)
				rows[f.Name][0] = f.Name
			}
			rows[f.Name][i+1] = f.Value
		}
	}
	for _, name := range order {
		t.Rows = append(t.Rows, rows[name])
	}
	s.Tables = append(s.Tables, t)
}

func runFacts(r *graph500.Result) (facts []page.Fact) {
	add := func(name, value string) {
		if value != "" {
			facts = append(facts, page.Fact{Name: name, Value: value})
		}
	}
	add("Graph", graphText(r))
	add("Engine", r.Engine)
	add("Policy", r.Policy)
	add("Device", r.Device)
	add("Tree", treeMemory(r))
	add("Searches", searches(r))
	add("Generation", took(r, r.Generation))
	add("Construction", took(r, r.Construction))
	return facts
}

func machineSection(results []Named) page.Section {
	s := page.Section{Title: "Machine"}
	sideBySide(&s, "", results, func(r *graph500.Result) []page.Fact {
		m := &r.Host
		return []page.Fact{
			{Name: "Processor", Value: known(m.Model)},
			{Name: "CPUs", Value: fmt.Sprintf("%d of %d in use; cores %d, sockets %d, NUMA nodes %d", len(m.CPUs), len(m.Online), m.Cores, m.Sockets, len(m.Nodes))},
			{Name: "Caches", Value: fmt.Sprintf("L1 %s, L2 %s, L3 %s", human.Bytes(m.L1d.Size), human.Bytes(m.L2.Size), human.Bytes(m.L3.Size))},
			{Name: "Memory", Value: human.Bytes(m.Memory.Total)},
			{Name: "Kernel", Value: known(m.Kernel)},
			{Name: "Huge pages", Value: known(m.HugePages)},
			{Name: "Ranks", Value: fmt.Sprint(r.Ranks)},
		}
	})
	return s
}

func known(s string) string { return cmp.Or(s, "unknown") }

func repeatSection(results []Named) page.Section {
	s := page.Section{Title: "To repeat it"}
	for _, r := range results {
		if r.Command != "" {
			s.Commands = append(s.Commands, r.Command)
		}
	}
	if len(s.Commands) == 0 {
		s.Text = []string{"The command was not recorded: this run was started by a program."}
	}
	sideBySide(&s, "", results, func(r *graph500.Result) []page.Fact {
		facts := []page.Fact{
			{Name: "Version", Value: "hops " + r.Version},
			{Name: "Started", Value: r.Started.UTC().Format(time.RFC3339)},
		}
		if seeds := r.Config.Seeds; seeds != nil {
			facts = append(facts, page.Fact{Name: "Seeds", Value: fmt.Sprintf("%d, %d", seeds[0], seeds[1])})
		}
		return facts
	})
	return s
}

// mostRows of a table, and points of a plot, fit a page that opens quickly on a
// phone.
const mostRows = 512

// searchesSection holds what everything else was computed from.
func searchesSection(results []Named) page.Section {
	s := page.Section{Title: "All searches"}
	for _, r := range results {
		if len(r.Searches) > mostRows {
			s.Text = append(s.Text, of(fmt.Sprintf("The %d searches are too many for a page; as CSV they are complete", len(r.Searches)), r, results)+".")
		}
		all := page.Table{
			Title: of("Every search", r, results), Detail: true, Data: len(r.Searches) > mostRows,
			Columns: page.Columns("search:#", "root:#", "time:s", "rate:TEPS", "vertices:vertices", "edges:edges", "self-loops:edges", "levels:#", "validation:s", "clock"),
		}
		levels := page.Table{
			Title: of("Every level of every search", r, results), Data: true,
			Columns: page.Columns("search:#", "level:#", "step", "frontier:vertices", "examined:entries", "found:vertices", "messages:messages", "sent:B", "time:s"),
		}
		for i, q := range r.Searches {
			all.Rows = append(all.Rows, []any{
				i + 1, uint64(q.Root), q.Time, q.TEPS(), q.Vertices, q.Edges, q.Loops, len(q.Levels), q.Validate, q.Clock,
			})
			for j, l := range q.Levels {
				levels.Rows = append(levels.Rows, []any{i + 1, j, l.Step, l.Frontier, l.Examined, l.Found, l.Messages, l.Bytes, l.Time})
			}
		}
		s.Tables = append(s.Tables, all, levels)
	}
	return s
}

// A Section is a part of a page. HTML writes it as an element, and returns the element's identifier.
type Section interface {
	HTML(w io.Writer) (id string, err error)
}

func parts(sections []page.Section) (all []Section) {
	for _, s := range sections {
		all = append(all, s)
	}
	return all
}

// Progress is the part of a page that can be shown before all of it is known: the
// score, the levels and what was sent.
func Progress(r *graph500.Result) []Section { return parts(progress([]Named{{r.Engine, r}})) }

// Running is Progress of a run that goes on, judged by its latest searches, with the
// last of them level by level. There is nothing to see before the first search.
func Running(r graph500.Result) []Section {
	summary, err := graph500.Summarize(r.Searches, !r.Config.SkipValidation)
	if err != nil || len(r.Searches) == 0 {
		return nil
	}
	r.Summary = summary
	all := progress([]Named{{r.Engine, &r}})
	all[0].Verdict = &page.Verdict{Tone: page.Neutral, Text: fmt.Sprintf("So far %s ± %s, the harmonic mean of the last %d searches.",
		human.Count(summary.TEPS.HarmonicMean)+"TEPS", human.Count(summary.TEPS.HarmonicDeviation), len(r.Searches))}
	return parts(append(all, searchSection("The last search", r.Searches[len(r.Searches)-1])))
}

func progress(results []Named) []page.Section {
	return []page.Section{scoreSection(results), levelSection(results), wireSection(results)}
}

func searchSection(title string, q graph500.Search) page.Section {
	t := page.Table{
		Columns: page.Columns("level:#", "step", "frontier:vertices", "examined:entries", "found:vertices", "time:s", "messages", "sent:B"),
	}
	for i, l := range q.Levels {
		t.Rows = append(t.Rows, []any{i, l.Step, l.Frontier, l.Examined, l.Found, l.Time, l.Messages, l.Bytes})
	}
	return page.Section{Title: title, Tables: []page.Table{t}, Text: []string{
		fmt.Sprintf("From root %d in %s: %s in the tree, %s.", q.Root, human.Duration(q.Time),
			human.With(float64(q.Vertices), "vertices"), human.Count(q.TEPS())+"TEPS"),
	}}
}
