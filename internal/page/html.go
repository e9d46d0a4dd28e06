package page

import (
	_ "embed"
	"html/template"
	"io"
	"strings"

	"github.com/gohops/hops/internal/plot"
)

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
