package human

import (
	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"
)

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
