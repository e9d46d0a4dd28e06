package human

import (
	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"
)

// NumbersTable is a plain table with numbers in all columns but the first.
func NumbersTable(header ...string) table.Writer {
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
		if i > 0 {
			columns = append(columns, table.ColumnConfig{Number: i + 1, Align: text.AlignRight, AlignHeader: text.AlignRight})
		}
	}
	t.AppendHeader(row)
	t.SetColumnConfigs(columns)
	return t
}
