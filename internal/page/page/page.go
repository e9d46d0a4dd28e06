// Package page describes a document of sections with text, facts, tables and plots, and
// writes it in several formats: as one HTML file that loads nothing else and adapts to
// phones, paper and dark screens; as text for a terminal; its tables as CSV, and its
// plots as SVG and PNG.
package page

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/gohops/hops/internal/page/plot"
)

// A Page is the whole document.
type Page struct {
	Title    string
	Subtitle string
	Sections []Section
	Footer   string
}

// A Section is shown in the order of its fields; only the title is required.
type Section struct {
	Title    string
	Verdict  *Verdict
	Text     []string // paragraphs
	Facts    []Fact
	Plots    []*plot.Plot
	Tables   []Table
	Commands []string // shell commands
}

// A Verdict is the result of a section in a few words.
type Verdict struct {
	Tone Tone
	Text string
}

// A Tone is the colour of a verdict, and the sign before it.
type Tone string

// The tones of a verdict.
const (
	Good    Tone = "good"
	Bad     Tone = "bad"
	Neutral Tone = "neutral"
)

// Sign returns a character for the tone, for readers who do not see the colour.
func (t Tone) Sign() string { return cmp.Or(map[Tone]string{Good: "✓", Bad: "✗"}[t], "•") }

// A Fact is a name and its value.
type Fact struct{ Name, Value string }

// A Table is rows of cells under column headers.
type Table struct {
	Title   string
	Columns []Column
	Rows    [][]any // cells: string, int, int64, uint64, float64, time.Duration, Quantity, bool, or nil for unknown
	Note    string
	// Detail marks a long table, which is folded in HTML and left out in a terminal.
	Detail bool
	// Data marks a table for programs, which is written as CSV only.
	Data bool
}

// A Quantity is a cell with a unit of its own, for columns of mixed units.
type Quantity struct {
	Value float64
	Unit  string
}

// A Column describes the cells of a column.
type Column struct {
	Name string
	// Unit is the unit of numbers, without prefix, as in plots. A symbol like s follows
	// every number, a word like vertices is in the header. CSV has plain numbers, and all
	// units in the header.
	Unit string
	// Plain shows numbers, such as labels and counters, with all their digits.
	Plain bool
}

// Columns returns columns from specs: a name, or a name and a unit, "time:s". The unit #
// makes the column Plain.
func Columns(specs ...string) []Column {
	var columns []Column
	for _, s := range specs {
		name, unit, _ := strings.Cut(s, ":")
		columns = append(columns, Column{Name: name, Unit: strings.TrimPrefix(unit, "#"), Plain: unit == "#"})
	}
	return columns
}

// Unknown is the text of a cell without a value.
const Unknown = "–"

// show formats a cell for people.
func (c Column) show(v any) string {
	switch v := v.(type) {
	case nil:
		return Unknown
	case string:
		return v
	case bool:
		return map[bool]string{true: "yes", false: "no"}[v]
	}
	x, ok := number(v)
	if !ok {
		return fmt.Sprint(v)
	}
	if q, ok := v.(Quantity); ok {
		return plot.Value(q.Value, q.Unit)
	}
	if c.Plain {
		return exact(v)
	}
	if c.wordUnit() {
		c.Unit = ""
	}
	return plot.Value(x, c.Unit)
}

// wordUnit tells whether the unit is too long to be repeated in every cell.
func (c Column) wordUnit() bool { return len(c.Unit) > 1 && unicode.IsLower(rune(c.Unit[0])) }

// Header returns the header of the column for people.
func (c Column) Header() string {
	if c.wordUnit() && c.Unit != c.Name {
		return c.Name + " (" + c.Unit + ")"
	}
	return c.Name
}

// exact formats a cell for programs.
func exact(v any) string {
	switch v := v.(type) {
	case nil:
		return ""
	case float64:
		return strconv.FormatFloat(v, 'g', -1, 64)
	case Quantity:
		return exact(v.Value)
	case time.Duration:
		return strconv.FormatFloat(v.Seconds(), 'g', -1, 64)
	}
	return fmt.Sprint(v)
}

// number returns the value of a numeric cell.
func number(v any) (float64, bool) {
	switch v := v.(type) {
	case float64:
		return v, true
	case int:
		return float64(v), true
	case int64:
		return float64(v), true
	case uint64:
		return float64(v), true
	case Quantity:
		return v.Value, true
	case time.Duration:
		return v.Seconds(), true
	}
	return 0, false
}

// numeric tells whether a column holds numbers, which are aligned to the right.
func (t Table) numeric(column int) bool {
	for _, row := range t.Rows {
		if column < len(row) && row[column] != nil {
			_, ok := number(row[column])
			return ok
		}
	}
	return false
}

// slug returns a title as part of a file name or a URL.
func slug(title string) string {
	words := strings.FieldsFunc(strings.ToLower(title), func(r rune) bool {
		return r > unicode.MaxASCII || !unicode.IsLetter(r) && !unicode.IsDigit(r)
	})
	if len(words) == 0 {
		return "part"
	}
	s := strings.Join(words, "-")
	return s[:min(len(s), 60)]
}

// A namer makes names unique by appending numbers.
type namer map[string]int

func (n namer) name(s string) string {
	n[s]++
	if n[s] == 1 {
		return s
	}
	return n.name(s + "-" + strconv.Itoa(n[s]))
}
