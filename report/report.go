// Package report writes a Result for its readers: the official text of the
// Graph500 reference, the keys of the specification, JSON with everything, tables
// for people, and a page with plots, of one result or of several side by side.
package report

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"unicode"

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

// ReadFile reads a result that JSON wrote to a file. Errors name the file, and
// the field that is wrong.
func ReadFile(path string) (*graph500.Result, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("report: %w", err)
	}
	defer f.Close()
	r, err := ReadJSON(f)
	if err != nil {
		return nil, fmt.Errorf("report: %s: %s", path, strings.TrimPrefix(err.Error(), "report: "))
	}
	return r, nil
}

// ReadJSON reads what JSON wrote. A result of another program, or of a version
// of hops with other fields, is refused rather than half understood.
func ReadJSON(in io.Reader) (*graph500.Result, error) {
	data, err := io.ReadAll(in)
	if err != nil {
		return nil, fmt.Errorf("report: %w", err)
	}
	var r graph500.Result
	d := json.NewDecoder(strings.NewReader(string(data)))
	d.DisallowUnknownFields()
	if err := d.Decode(&r); err != nil {
		return nil, fmt.Errorf("report: not a result of this version of hops: %w", foreign(data, err))
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("report: more than one result in one file")
	}
	if err := sound(data, &r); err != nil {
		return nil, fmt.Errorf("report: %w", err)
	}
	return &r, nil
}

// foreign explains an error of the decoder.
func foreign(data []byte, err error) error {
	var wrongType *json.UnmarshalTypeError
	var syntax *json.SyntaxError
	switch {
	case len(strings.TrimSpace(string(data))) == 0:
		return errors.New("it is empty")
	case errors.As(err, &wrongType) && wrongType.Field == "":
		return fmt.Errorf("a JSON %s where a result should be", wrongType.Value)
	case errors.As(err, &wrongType):
		return fmt.Errorf("field %q is a JSON %s", wrongType.Field, wrongType.Value)
	case errors.As(err, &syntax):
		return fmt.Errorf("not JSON at byte %d: %w", syntax.Offset, err)
	case errors.Is(err, io.ErrUnexpectedEOF):
		return errors.New("it is cut short")
	}
	return errors.New(strings.TrimPrefix(err.Error(), "json: "))
}

// required are the fields that every result has had.
var required = []string{"version", "started", "engine", "config", "machine", "memory", "construction_ns", "searches"}

// sound refuses a result that no run can have, so that no figure is divided by zero.
func sound(data []byte, r *graph500.Result) error {
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(data, &fields); err != nil {
		return err
	}
	for _, name := range required {
		if _, ok := fields[name]; !ok {
			return fmt.Errorf("not a result of this version of hops: field %q is missing", name)
		}
	}
	if text := controlling(data); text != "" {
		return fmt.Errorf("control characters in %q", text)
	}
	if err := r.Config.Check(); err != nil {
		return fmt.Errorf("field \"config\": %w", err)
	}
	for i, s := range r.Searches {
		if err := soundSearch(s); err != nil {
			return fmt.Errorf("field \"searches[%d].%w", i, err)
		}
	}
	if r.SSSP == nil {
		return nil
	}
	for i, s := range r.SSSP.Searches {
		if err := soundSearch(s); err != nil {
			return fmt.Errorf("field \"sssp.searches[%d].%w", i, err)
		}
	}
	return nil
}

// controlling returns a text of the file that a terminal would obey, or "".
func controlling(data []byte) string {
	controls := func(r rune) bool { return unicode.IsControl(r) && r != '\n' && r != '\t' }
	for tokens := json.NewDecoder(bytes.NewReader(data)); ; {
		token, err := tokens.Token()
		if err != nil {
			return ""
		}
		if text, ok := token.(string); ok && strings.ContainsFunc(text, controls) {
			return text
		}
	}
}

func soundSearch(s graph500.Search) error {
	switch {
	case s.Time <= 0:
		return fmt.Errorf("ns\" is %d: no search takes that", s.Time)
	case s.Edges < 0:
		return fmt.Errorf("edges\" is %d", s.Edges)
	case s.Vertices < 0:
		return fmt.Errorf("vertices\" is %d", s.Vertices)
	}
	for j, l := range s.Levels {
		if l.Time < 0 || l.Frontier < 0 || l.Examined < 0 || l.Found < 0 || l.Messages < 0 || l.Bytes < 0 {
			return fmt.Errorf("levels[%d]\" has a number below 0", j)
		}
	}
	return nil
}
