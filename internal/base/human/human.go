// Package human writes quantities the way people read them: three significant
// digits and a unit.
package human

import (
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"
)

// Count formats a number with a decimal prefix: "950", "16.8 M".
func Count(x float64) string {
	x, prefix := scaled(x, 1000, []string{"", " k", " M", " G", " T", " P"})
	return digits(x) + prefix
}

// With formats a count or a rate with its unit, which is given as of many: "1 edge",
// "950 edges", "16.8 M edges".
func With(x float64, unit string) string {
	if x == 1 {
		unit = one(unit)
	}
	return Count(x) + " " + unit
}

// Plural formats a whole number, with all its digits, and its unit.
func Plural(n int64, unit string) string {
	if n == 1 {
		unit = one(unit)
	}
	return fmt.Sprintf("%d %s", n, unit)
}

// one returns the singular of a unit, of which only the first word changes.
func one(unit string) string {
	word, rest, _ := strings.Cut(unit, " ")
	switch {
	case word == "vertices":
		word = "vertex"
	case word == "entries":
		word = "entry"
	case word == "searches":
		word = "search"
	case len(word) > 2:
		word = strings.TrimSuffix(word, "s")
	}
	return strings.TrimSpace(word + " " + rest)
}

// Bytes formats a size with a binary prefix: "512 B", "22.6 GiB".
func Bytes(n int64) string {
	x, prefix := scaled(float64(n), 1024, []string{" B", " KiB", " MiB", " GiB", " TiB", " PiB", " EiB"})
	return digits(x) + prefix
}

// Duration formats a time: "18 µs", "1.23 s", "4 min 05 s", "2 h 10 min".
func Duration(d time.Duration) string {
	switch {
	case d == 0:
		return "0 s"
	case d < 0:
		return "-" + Duration(-d)
	}
	switch s := int64(d.Round(time.Second) / time.Second); {
	case s >= 3600:
		return fmt.Sprintf("%d h %02d min", s/3600, s/60%60)
	case s >= 60:
		return fmt.Sprintf("%d min %02d s", s/60, s%60)
	}
	x, unit := scaled(float64(d), 1000, []string{" ns", " µs", " ms", " s"})
	return digits(x) + unit
}

// scaled divides x by base until digits would print fewer than four digits before the
// point.
func scaled(x, base float64, units []string) (float64, string) {
	i := 0
	for ; i < len(units)-1 && (x >= 999.5 || x <= -999.5); i++ {
		x /= base
	}
	return x, units[i]
}

// digits formats three significant digits; whole numbers have no point.
func digits(x float64) string {
	switch size := math.Abs(x); {
	case x == float64(int64(x)) && size < 1000:
		return fmt.Sprintf("%d", int64(x))
	case size >= 99.95:
		return fmt.Sprintf("%.0f", x)
	case size >= 9.995:
		return fmt.Sprintf("%.1f", x)
	}
	return fmt.Sprintf("%.2f", x)
}

// Table is a table without borders. Columns after the first texts hold numbers, which
// are aligned to the right.
func Table(texts int, header ...string) table.Writer {
	t := table.NewWriter()
	t.SetStyle(table.StyleLight)
	t.Style().Format.Header = text.FormatDefault
	t.Style().Options.DrawBorder = false
	t.Style().Options.SeparateColumns = false
	t.SuppressTrailingSpaces()
	var row table.Row
	var columns []table.ColumnConfig
	for i, h := range header {
		row = append(row, h)
		if i >= texts {
			columns = append(columns, table.ColumnConfig{Number: i + 1, Align: text.AlignRight, AlignHeader: text.AlignRight})
		}
	}
	if row != nil {
		t.AppendHeader(row)
	}
	t.SetColumnConfigs(columns)
	return t
}
