package lab

import "github.com/gohops/hops/internal/page"

// A table is a page.Table that is filled row by row. Numbers are stored as float64, so
// that they are the same after a tour was interrupted and read back from JSON.
type table struct{ page.Table }

// newTable returns a table whose columns are given as for page.Columns: "time:s".
func newTable(title string, columns ...string) table {
	return table{page.Table{Title: title, Columns: page.Columns(columns...)}}
}

// add appends a row of texts, numbers and samples. A sample becomes its median, an empty
// one an unknown value.
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
