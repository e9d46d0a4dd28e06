//go:build unix

package main

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/gohops/hops/internal/base/parquet"
)

// A rowsFile is a file of results, of which the oracle knows what it must have.
type rowsFile struct {
	path, format string
	flags        []string // to write it
}

// rowsFile draws a format and names a file for it.
func (x *soakCase) rowsFile(flag string) rowsFile {
	format := pick(x.r, "csv", "jsonl", "binary", "npy", "parquet")
	suffix := map[string]string{"binary": ".bin"}[format]
	if suffix == "" {
		suffix = "." + format
	}
	if chance(x.r, 6) {
		suffix += ".gz"
	}
	path := filepath.Join(x.folder, strings.Trim(flag, "-")+suffix)
	return rowsFile{path, format, []string{flag + "=" + path}}
}

// rows reads a file of results: by place, the first figure of each vertex that has one. Vertices are
// given by their names. What is a vertex, or real, only binary files do not say.
func (x *soakCase) rows(v view, f rowsFile, vertex, real bool) (map[int]string, bool) {
	data, err := os.ReadFile(f.path)
	if err == nil && strings.HasSuffix(f.path, ".gz") {
		var unpacked *gzip.Reader
		if unpacked, err = gzip.NewReader(bytes.NewReader(data)); err == nil {
			data, err = io.ReadAll(unpacked)
		}
	}
	var pairs [][2]string
	switch {
	case err != nil:
	case f.format == "csv":
		pairs, err = csvPairs(data)
	case f.format == "jsonl":
		pairs, err = jsonPairs(data)
	case f.format == "parquet":
		pairs, err = parquetPairs(data)
	case f.format == "npy" && len(data) < 128:
		err = fmt.Errorf("%d bytes are no array", len(data))
	default:
		if f.format == "npy" {
			data = data[10+int(binary.LittleEndian.Uint16(data[8:])):]
		}
		return x.binaryRows(v, data, vertex, real)
	}
	if err != nil {
		x.errorf("%s: %v", f.path, err)
		return nil, false
	}
	rows := map[int]string{}
	for _, p := range pairs {
		place, ok := x.vertex(v, p[0])
		if !ok {
			return nil, false
		}
		rows[place] = p[1]
	}
	return rows, x.same("rows", len(rows), len(pairs))
}

// binaryRows are those of a file that has a figure for every vertex.
func (x *soakCase) binaryRows(v view, data []byte, vertex, real bool) (map[int]string, bool) {
	size := map[bool]int{false: 4, true: 8}[real]
	if !x.same("bytes of figures", len(data), size*len(v.names)) {
		return nil, false
	}
	rows := map[int]string{}
	for u := range v.names {
		switch at := data[size*u:]; {
		case real:
			if f := math.Float64frombits(binary.LittleEndian.Uint64(at)); !math.IsInf(f, 1) && !math.IsNaN(f) {
				rows[u] = strconv.FormatFloat(f, 'f', -1, 64)
			}
		default:
			n := binary.LittleEndian.Uint32(at)
			switch {
			case n == math.MaxUint32:
			case vertex && int(n) < len(v.names):
				rows[u] = v.names[n]
			default:
				rows[u] = strconv.FormatUint(uint64(n), 10)
			}
		}
	}
	return rows, true
}

func csvPairs(data []byte) (pairs [][2]string, err error) {
	all, err := csv.NewReader(bytes.NewReader(data)).ReadAll()
	if err != nil || len(all) == 0 || all[0][0] != "vertex" {
		return nil, fmt.Errorf("no table: %w", err)
	}
	for _, fields := range all[1:] {
		pairs = append(pairs, [2]string{fields[0], fields[1]})
	}
	return pairs, nil
}

// jsonPairs reads objects, of each the vertex and the figure that follows.
func jsonPairs(data []byte) (pairs [][2]string, err error) {
	for text := range strings.Lines(string(data)) {
		d := json.NewDecoder(strings.NewReader(text))
		d.UseNumber()
		var tokens []any
		for range 5 {
			token, err := d.Token()
			if err != nil {
				return nil, err
			}
			tokens = append(tokens, token)
		}
		pairs = append(pairs, [2]string{fmt.Sprint(tokens[2]), fmt.Sprint(tokens[4])})
	}
	return pairs, nil
}

// parquetPairs reads two columns by the reader that hops has for edges. DuckDB reads such files in
// another test.
func parquetPairs(data []byte) (pairs [][2]string, err error) {
	f, err := parquet.Open(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return nil, err
	}
	for group := range f.Groups() {
		vertices, err := parquetTexts(f, group, 0)
		if err != nil {
			return nil, err
		}
		figures, err := parquetTexts(f, group, 1)
		if err != nil || len(figures) != len(vertices) {
			return nil, fmt.Errorf("%d vertices, %d figures: %w", len(vertices), len(figures), err)
		}
		for i := range vertices {
			pairs = append(pairs, [2]string{vertices[i], figures[i]})
		}
	}
	return pairs, nil
}

// parquetTexts are the values of a column of a row group as CSV would have them.
func parquetTexts(f *parquet.File, group, column int) (texts []string, err error) {
	in, err := f.Reader(group, column)
	if err != nil {
		return nil, err
	}
	rows := int(f.GroupRows(group))
	switch c := f.Columns[column]; c.Kind {
	case parquet.Int:
		all, err := in.Ints(nil, rows)
		for _, n := range all {
			if texts = append(texts, strconv.FormatInt(n, 10)); c.Unsigned {
				texts[len(texts)-1] = strconv.FormatUint(uint64(n), 10)
			}
		}
		return texts, err
	case parquet.Real:
		all, err := in.Reals(nil, rows)
		for _, x := range all {
			texts = append(texts, strconv.FormatFloat(x, 'f', -1, 64))
		}
		return texts, err
	}
	all, err := in.Texts(nil, rows)
	for _, text := range all {
		texts = append(texts, string(text))
	}
	return texts, err
}
