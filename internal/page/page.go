// Package page is a document to look at: sections of words, facts, tables and
// plots.
//
// It is written once, as plain data, and read in many ways: as one HTML file that
// needs nothing else, on a phone, on paper and in the dark; as text in a terminal;
// its tables as CSV and its plots as SVG and PNG for papers.
package page

import (
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/gohops/hops/internal/plot"
)

// A Page is the whole document.
type Page struct {
	Title    string
	Subtitle string
	Sections []Section
	Footer   string
}

// A Section is shown in the order of its fields; all but the title may be
// missing.
type Section struct {
	Title    string
	Verdict  *Verdict
	Text     []string // paragraphs
	Facts    []Fact
	Plots    []*plot.Plot
	Tables   []Table
	Commands []string // lines for a shell
}

// A Verdict is the point of a section in a few words.
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

// Sign is the tone for those who see no colours.
func (t Tone) Sign() string {
	switch t {
	case Good:
		return "✓"
	case Bad:
		return "✗"
	}
	return "•"
}

// A Fact is a name and what it stands for.
type Fact struct{ Name, Value string }

// A Table is data under the names of columns.
type Table struct {
	Title   string
	Columns []Column
	Rows    [][]any // cells: string, int, int64, uint64, float64, time.Duration, Quantity, bool, or nil for what is unknown
	Note    string
	// Detail marks a long table for those who look closer: folded in HTML, left
	// out in a terminal.
	Detail bool
	// Data marks a table that is for programs: only CSV has it.
	Data bool
}

// A Quantity is a cell with a unit of its own, for tables with different ones in
// a column.
type Quantity struct {
	Value float64
	Unit  string
}

// A Column says what its cells are.
type Column struct {
	Name string
	// Unit of numbers, without prefix, as in plots. A symbol like s stands with every
	// number, a word like vertices in the header. CSV has plain numbers, and all
	// units in the header.
	Unit string
	// Plain numbers, like labels and counters, are shown with all their digits.
	Plain bool
}

// Columns are columns of names only, or of a name and a unit: "time:s". A unit
// of # is for plain numbers.
func Columns(specs ...string) []Column {
	var columns []Column
	for _, s := range specs {
		name, unit, _ := strings.Cut(s, ":")
		columns = append(columns, Column{Name: name, Unit: strings.TrimPrefix(unit, "#"), Plain: unit == "#"})
	}
	return columns
}

// Unknown is shown for what could not be measured.
const Unknown = "–"

// show writes a cell for people.
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

// Header is the name of the column for people.
func (c Column) Header() string {
	if c.wordUnit() && c.Unit != c.Name {
		return c.Name + " (" + c.Unit + ")"
	}
	return c.Name
}

// exact writes a cell for machines.
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

// number is the value of a cell that holds one.
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

// slug is a title as part of a file name or an address.
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

// A namer makes names unique by numbers.
type namer map[string]int

func (n namer) name(s string) string {
	n[s]++
	if n[s] == 1 {
		return s
	}
	return n.name(s + "-" + strconv.Itoa(n[s]))
}
