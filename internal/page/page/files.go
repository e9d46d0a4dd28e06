package page

import (
	"cmp"
	_ "embed"
	"encoding/csv"
	"fmt"
	"html/template"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/gohops/hops/internal/base/atomicfile"
	"github.com/gohops/hops/internal/page/plot"
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
			f.write(cmp.Or(t.Title, s.Title), t.CSV)
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

//go:embed page.html
var layout string

//go:embed page.css
var styles string

// CSS is the style sheet of pages, plots included.
var CSS = plot.CSS + styles

// document is the template of pages. html/template escapes all data; plots escape their
// own.
var document = template.Must(template.New("page").Funcs(template.FuncMap{
	"css":     func() template.CSS { return template.CSS(CSS) },
	"exact":   exact,
	"show":    func(t Table, i int, v any) string { return t.column(i).show(v) },
	"numeric": func(t Table, i int) bool { return t.numeric(i) },
	"long":    func(s string) bool { return len(s) > 40 },
	"number":  func(v any) bool { _, ok := number(v); return ok },
	"draw": func(p *plot.Plot) (template.HTML, error) {
		var b strings.Builder
		err := p.Inline(&b)
		return template.HTML(b.String()), err
	},
}).Parse(layout))

// HTML writes the page as one file that loads nothing.
func (p *Page) HTML(w io.Writer) error {
	view := struct {
		*Page
		Sections []anchored
	}{Page: p}
	ids := namer{}
	for _, s := range p.Sections {
		view.Sections = append(view.Sections, anchored{ids.name(slug(s.Title)), s})
	}
	return document.Execute(w, view)
}

// HTML writes the section as an element of a page, and returns its anchor.
func (s Section) HTML(w io.Writer) (id string, err error) {
	id = slug(s.Title)
	return id, document.ExecuteTemplate(w, "section", anchored{id, s})
}

// An anchored section has an anchor in its page.
type anchored struct {
	ID string
	Section
}

// column returns the column at i; rows may be longer than the header.
func (t Table) column(i int) Column {
	if i < len(t.Columns) {
		return t.Columns[i]
	}
	return Column{}
}
