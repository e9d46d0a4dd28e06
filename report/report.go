// Package report writes a Result for its readers: the official text of the
// Graph500 reference, the keys of the specification, JSON with everything, tables
// for people, and a page with plots, of one result or of several side by side.
package report

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/gohops/hops/graph500"
)

// A Format is a way to write a result.
type Format struct {
	Name  string
	Help  string
	Write func(w io.Writer, r *graph500.Result) error
}

// Formats are all ways to write a result; the first is for people.
var Formats = []Format{
	{"table", "tables for people", Table},
	{"graph500", "the text of the Graph500 reference, for a submission", Text},
	{"spec", "the keys of the Graph500 specification", Spec},
	{"json", "everything, with every search level by level", JSON},
}

// ByName finds a format.
func ByName(name string) (Format, error) {
	var names []string
	for _, f := range Formats {
		if f.Name == name {
			return f, nil
		}
		names = append(names, f.Name)
	}
	return Format{}, fmt.Errorf("report: unknown format %q; there are %s", name, strings.Join(names, ", "))
}

// JSON writes the whole result.
func JSON(w io.Writer, r *graph500.Result) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	return e.Encode(r)
}
