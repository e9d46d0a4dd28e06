package parquet

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// written are the rows of testdata/make.mjs.
const written = 2100

// want is what make.mjs puts into the columns that are read, by its formulas.
func want(i int) map[string]any {
	return map[string]any{
		"from": int64(i * 7919 % written), "to": int64(i % 97), "weight": float64(i*i%1000) / 8, "small": float64(i % 5),
		"name": fmt.Sprint("name ", i%50), "long_name": fmt.Sprint("vertex ", i*31),
		"big": int64(i) + 4000000000, "huge": int64(i) - 446744073709551616, "negative": int64(-i),
	}
}

func duckFiles(t testing.TB) map[string][]byte {
	paths, err := filepath.Glob("testdata/duckdb/*.parquet")
	if err != nil || len(paths) == 0 {
		t.Fatal("no files of DuckDB: ", err)
	}
	files := map[string][]byte{}
	for _, p := range paths {
		data, err := os.ReadFile(p)
		if err != nil {
			t.Fatal(err)
		}
		files[filepath.Base(p)] = data
	}
	return files
}

// read returns all values of a column, asked for in pieces.
func read(f *File, column, piece int) (all []any, err error) {
	for g := range f.Groups() {
		r, err := f.Reader(g, column)
		if err != nil {
			return all, err
		}
		for left := int(f.GroupRows(g)); left > 0; left -= piece {
			n := min(left, piece)
			switch f.Columns[column].Kind {
			case Int:
				var x []int64
				x, err = r.Ints(x, n)
				for _, v := range x {
					all = append(all, v)
				}
			case Real:
				var x []float64
				x, err = r.Reals(x, n)
				for _, v := range x {
					all = append(all, v)
				}
			default:
				var x [][]byte
				x, err = r.Texts(x, n)
				for _, v := range x {
					all = append(all, string(v))
				}
			}
			if err != nil {
				return all, err
			}
		}
	}
	return all, nil
}

func TestFilesOfDuckDBAreRead(t *testing.T) {
	for name, data := range duckFiles(t) {
		t.Run(name, func(t *testing.T) {
			f, err := Open(bytes.NewReader(data), int64(len(data)))
			if err != nil {
				t.Fatal(err)
			}
			if f.Rows != written || f.Groups() != 2 || len(f.Columns) != 12 {
				t.Fatalf("%d rows in %d row groups of %d columns", f.Rows, f.Groups(), len(f.Columns))
			}
			for c, column := range f.Columns {
				all, err := read(f, c, 1000)
				switch column.Name {
				case "missing":
					if err == nil || !strings.Contains(err.Error(), `row group 1, column "missing", page `) || !strings.Contains(err.Error(), "NULL") {
						t.Errorf("a NULL: %v", err)
					}
				case "pair", "price":
					if column.Kind != Unreadable || err == nil {
						t.Errorf("column %s was read: %v", column.Name, err)
					}
				default:
					check(t, column, all, err)
				}
			}
		})
	}
}

func check(t *testing.T, column Column, all []any, err error) {
	t.Helper()
	if err != nil || len(all) != written {
		t.Fatalf("column %s: %d values, %v", column.Name, len(all), err)
	}
	if column.Unsigned != (column.Name == "big" || column.Name == "huge") {
		t.Errorf("column %s is unsigned: %v", column.Name, column.Unsigned)
	}
	for i, x := range all {
		if x != want(i)[column.Name] {
			t.Fatalf("column %s, row %d: %v, want %v", column.Name, i, x, want(i)[column.Name])
		}
	}
}
