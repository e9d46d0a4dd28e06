package page

import (
	"encoding/csv"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/gohops/hops/internal/atomicfile"
	"github.com/gohops/hops/internal/plot"
)

// printDensity is the number of pixels of an image for each pixel of a plot: some 300
// an inch in a column of a paper.
const printDensity = 3

// SVG writes every plot to a file in a folder, which it creates if need be, and returns
// the paths.
func (p *Page) SVG(dir string) ([]string, error) { return p.plots(dir, ".svg", (*plot.Plot).SVG) }

// PNG is like SVG, for images.
func (p *Page) PNG(dir string) ([]string, error) {
	return p.plots(dir, ".png", func(q *plot.Plot, w io.Writer) error { return q.PNG(w, printDensity) })
}

// CSV writes every table, and the facts of every section, to files in a folder, and
// returns the paths.
func (p *Page) CSV(dir string) ([]string, error) {
	f := folder{dir: dir, ext: ".csv", names: namer{}}
	for _, s := range p.Sections {
		if len(s.Facts) > 0 {
			f.write(s.Title, factTable(s.Facts).CSV)
		}
		for _, t := range s.Tables {
			title := t.Title
			if title == "" {
				title = s.Title
			}
			f.write(title, t.CSV)
		}
	}
	return f.paths, f.err
}

func factTable(facts []Fact) Table {
	t := Table{Columns: Columns("fact", "value")}
	for _, f := range facts {
		t.Rows = append(t.Rows, []any{f.Name, f.Value})
	}
	return t
}

// CSV writes the table as comma-separated values, numbers with all digits.
func (t Table) CSV(w io.Writer) error {
	out := csv.NewWriter(w)
	var line []string
	for _, c := range t.Columns {
		if c.Unit != "" {
			c.Name += " (" + c.Unit + ")"
		}
		line = append(line, c.Name)
	}
	_ = out.Write(line) // csv.Writer reports errors at the end
	for _, row := range t.Rows {
		line = line[:0]
		for _, v := range row {
			line = append(line, exact(v))
		}
		_ = out.Write(line)
	}
	out.Flush()
	return out.Error()
}

func (p *Page) plots(dir, ext string, write func(*plot.Plot, io.Writer) error) ([]string, error) {
	f := folder{dir: dir, ext: ext, names: namer{}}
	for _, s := range p.Sections {
		for _, q := range s.Plots {
			f.write(q.Title, func(w io.Writer) error { return write(q, w) })
		}
	}
	return f.paths, f.err
}

// A folder writes files until the first error.
type folder struct {
	dir, ext string
	names    namer
	paths    []string
	err      error
}

func (f *folder) write(title string, write func(io.Writer) error) {
	if f.err == nil && len(f.paths) == 0 {
		f.err = os.MkdirAll(f.dir, 0o777)
	}
	if f.err != nil {
		return
	}
	path := filepath.Join(f.dir, f.names.name(slug(title))+f.ext)
	if err := atomicfile.Write(path, write); err != nil {
		f.err = fmt.Errorf("page: %w", err)
		return
	}
	f.paths = append(f.paths, path)
}
