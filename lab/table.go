package lab

import "github.com/gohops/hops/internal/page"

// A table is filled row by row. Numbers are kept as float64, so that they are the
// same after a tour was interrupted and read back.
type table struct{ page.Table }

// newTable has columns with units, as page.Columns has them: "time:s".
func newTable(title string, columns ...string) table {
	return table{page.Table{Title: title, Columns: page.Columns(columns...)}}
}

// add appends a row: words, numbers, and samples, which show their median. An
// empty sample stands for what was not run.
func (t *table) add(cells ...any) {
	row := make([]any, len(cells))
	for i, c := range cells {
		row[i] = cell(c)
	}
	t.Rows = append(t.Rows, row)
}

func cell(c any) any {
	switch x := c.(type) {
	case Sample:
		if len(x) == 0 {
			return nil
		}
		return x.Median()
	case int:
		return float64(x)
	case int64:
		return float64(x)
	}
	return c
}
