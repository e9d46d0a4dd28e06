package format

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/gohops/hops/internal/base/parquet"
)

// duckRows are the rows of internal/base/parquet/testdata/make.mjs, by its formulas.
func duckRows(isText bool) fileGraph {
	const rows = 2100
	g := fileGraph{weighted: true}
	seen := map[string]bool{}
	for i := range rows {
		e := namedEdge{strconv.Itoa(i * 7919 % rows), strconv.Itoa(i % 97), float32(i*i%1000) / 8}
		if isText {
			e.from, e.to = fmt.Sprint("vertex ", i*31), fmt.Sprint("name ", i%50)
		}
		seen[e.from], seen[e.to] = true, true
		g.edges = append(g.edges, e)
	}
	g.vertices = uint64(len(seen))
	return g
}

func TestParquetOfDuckDB(t *testing.T) {
	paths, _ := filepath.Glob("../../internal/base/parquet/testdata/duckdb/*.parquet")
	if len(paths) == 0 {
		t.Fatal("there are none")
	}
	for _, path := range paths {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		ways := []way{{"plain", 0, 1}, {"plain", 0, 3}, {"pipe", 0, 2}, {"gzip", 0, 2}}
		agree(t, "x.parquet", data, Options{Columns: []string{"from", "to", "weight"}}, ways, duckRows(false), nil)
		agree(t, "x", data, Options{Columns: []string{"1", "2", "3"}, IDs: TextIDs}, ways, duckRows(false), nil)
		agree(t, "x.parquet", data, Options{Columns: []string{"long_name", "name", "weight"}}, ways, duckRows(true), nil)
	}
}

// parquetFile writes columns of integers, or of texts.
func parquetFile(t testing.TB, names []string, rows ...[]any) []byte {
	var out bytes.Buffer
	var columns []parquet.Column
	for i, name := range names {
		kind := parquet.Int
		switch rows[0][i].(type) {
		case string:
			kind = parquet.Text
		case float64:
			kind = parquet.Real
		}
		columns = append(columns, parquet.Column{Name: name, Kind: kind})
	}
	w, err := parquet.NewWriter(&out, columns)
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range rows {
		for i, x := range row {
			switch x := x.(type) {
			case string:
				w.Text(i, []byte(x))
			case float64:
				w.Real(i, x)
			case int:
				w.Int(i, int64(x))
			}
		}
		if err := w.EndRow(); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func TestParquetErrorsSayWhere(t *testing.T) {
	nan := 0.0
	nan /= nan
	good := parquetFile(t, []string{"from", "to", "w"}, []any{1, 2, 0.5}, []any{2, 3, 1.5})
	damaged := bytes.Clone(good)
	damaged[60] ^= 1
	for _, c := range []struct {
		data []byte
		opts Options
		want string
	}{
		{good, Options{Columns: []string{"form", "to"}}, `there is no column "form"; did you mean "from"?; there are 1: "from", 2: "to", 3: "w"`},
		{good, Options{Columns: []string{"from", "w"}}, `column "w" holds neither integers nor text`},
		{good, Options{IDs: TextIDs, Header: WithHeader}, "--header is about the first line of edge lists"},
		{good[:len(good)-1], Options{}, "does not end as Parquet does"},
		{damaged, Options{}, `row group 1, column "to", page 1: `},
		{parquetFile(t, []string{"a"}, []any{1}), Options{}, `1 columns: choose`},
		{parquetFile(t, []string{"a", "b", "c", "d"}, []any{1, 2, 3, 4}), Options{}, `4 columns: choose those of the two ends, like --columns 1,2; there are 1: "a", 2: "b"`},
		{parquetFile(t, []string{"a", "b"}, []any{1, 2}, []any{3, -4}), Options{}, `row group 1, column "b", row 2: -4 is negative`},
		{parquetFile(t, []string{"a", "b"}, []any{"x", "y"}), Options{IDs: IntIDs}, "--ids int cannot be"},
		{parquetFile(t, []string{"a", "b"}, []any{"x", "y\x00"}), Options{}, `row group 1, column "b", row 1: name "y\x00" has a control character`},
		{parquetFile(t, []string{"a", "b", "w"}, []any{1, 2, nan}), Options{}, `column "w", row 1: weight NaN`},
		{parquetFile(t, []string{"a", "b", "w"}, []any{1, 2, -1}), Options{NoNegativeWeights: true}, `row 1: weight -1 is negative`},
	} {
		_, err := ways[1].open(t, "x.parquet", c.data, c.opts)
		if err == nil || !strings.Contains(err.Error(), "x.parquet: ") || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want %s", err, c.want)
		}
	}
}

// The first fault of the file is reported, whichever worker finds one first.
func TestFirstFaultOfParquet(t *testing.T) {
	var rows [][]any
	for i := range 300_000 {
		rows = append(rows, []any{i, i % 7})
	}
	rows[20_000][1], rows[290_000][0] = -1, -1
	data := parquetFile(t, []string{"a", "b"}, rows...)
	for range 5 {
		_, err := way{"plain", 0, 3}.open(t, "x.parquet", data, Options{})
		if err == nil || !strings.Contains(err.Error(), `row group 1, column "b", row 20001: -1`) {
			t.Fatal(err)
		}
	}
}
