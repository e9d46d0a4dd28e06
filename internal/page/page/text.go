package page

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/gohops/hops/internal/base/human"
	"github.com/gohops/hops/internal/page/plot"
	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"
)

// Text writes the page for a terminal: facts, short tables, and plots as
// sparklines.
func (p *Page) Text(w io.Writer) error {
	out := bufio.NewWriter(w)
	fmt.Fprintln(out, plot.OneLine(p.Title))
	if p.Subtitle != "" {
		fmt.Fprintln(out, plot.OneLine(p.Subtitle))
	}
	for _, s := range p.Sections {
		s.text(out)
	}
	if p.Footer != "" {
		fmt.Fprintf(out, "\n%s\n", plot.OneLine(p.Footer))
	}
	return out.Flush()
}

func (s Section) text(out io.Writer) {
	if s.Verdict == nil && !slices.ContainsFunc(s.Tables, Table.brief) && len(s.Text)+len(s.Facts)+len(s.Plots)+len(s.Commands) == 0 {
		return
	}
	fmt.Fprintf(out, "\n%s\n", strings.ToUpper(plot.OneLine(s.Title)))
	if s.Verdict != nil {
		fmt.Fprintln(out, s.Verdict.Tone.Sign(), plot.OneLine(s.Verdict.Text))
	}
	for _, t := range s.Text {
		fmt.Fprintln(out, plot.OneLine(t))
	}
	var parts []string
	if len(s.Facts) > 0 {
		parts = append(parts, facts(s.Facts))
	}
	for _, p := range s.Plots {
		parts = append(parts, p.Text())
	}
	for _, t := range s.Tables {
		if t.brief() {
			parts = append(parts, t.Text())
		}
	}
	for _, c := range s.Commands {
		parts = append(parts, "  "+plot.OneLine(c))
	}
	for i, part := range parts {
		if i > 0 {
			fmt.Fprintln(out)
		}
		fmt.Fprintln(out, strings.TrimRight(part, "\n"))
	}
}

// brief tells whether the table is short enough for a terminal.
func (t Table) brief() bool { return !t.Detail && !t.Data }

func facts(all []Fact) string {
	t := writer()
	t.Style().Options.SeparateHeader = false
	for _, f := range all {
		t.AppendRow(table.Row{plot.OneLine(f.Name), plot.OneLine(f.Value)})
	}
	return t.Render()
}

// Text returns the table for a terminal.
func (t Table) Text() string {
	w := writer()
	var header table.Row
	var columns []table.ColumnConfig
	for i, c := range t.Columns {
		header = append(header, plot.OneLine(c.Header()))
		if t.numeric(i) {
			columns = append(columns, table.ColumnConfig{Number: i + 1, Align: text.AlignRight, AlignHeader: text.AlignRight})
		}
	}
	w.AppendHeader(header)
	w.SetColumnConfigs(columns)
	for _, row := range t.Rows {
		var line table.Row
		for i, v := range row {
			line = append(line, plot.OneLine(t.column(i).show(v)))
		}
		w.AppendRow(line)
	}
	var parts []string
	for _, part := range []string{plot.OneLine(t.Title), w.Render(), plot.OneLine(t.Note)} {
		if part != "" {
			parts = append(parts, part)
		}
	}
	return strings.Join(parts, "\n")
}

func writer() table.Writer {
	t := human.Table(0)
	t.Style().Box.PaddingLeft = ""
	return t
}
