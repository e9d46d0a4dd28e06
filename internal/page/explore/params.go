package explore

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/gohops/hops"
)

// A refusal is an answer to a request that cannot be served, for the reader to see.
type refusal struct {
	status  int
	message string
}

func (r refusal) Error() string { return r.message }

func bad(format string, args ...any) error {
	return refusal{http.StatusBadRequest, fmt.Sprintf(format, args...)}
}

// A params has what a request asks for. It keeps the first thing that makes no sense.
type params struct {
	values url.Values
	err    error
}

// parse refuses parameters that are unknown or given twice where one is asked for.
func parse(query string, known []string) (*params, error) {
	values, err := url.ParseQuery(query)
	if err != nil {
		return nil, bad("the address cannot be read: %v", err)
	}
	for name, all := range values {
		switch {
		case !slices.Contains(known, name):
			return nil, bad("there is no parameter %.40q; there are %s", name, strings.Join(known, ", "))
		case len(all) > 1 && name != expandParam:
			return nil, bad("parameter %s is given %d times", name, len(all))
		}
	}
	return &params{values: values}, nil
}

// expandParam is the one parameter that may be given several times.
const expandParam = "expand"

// fail keeps the first error.
func (p *params) fail(err error) {
	if p.err == nil {
		p.err = err
	}
}

// number returns a whole number, or the preset if there is none.
func (p *params) number(name string, preset, lo, hi int) int {
	text := p.values.Get(name)
	if text == "" {
		return preset
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < lo || n > hi {
		p.fail(bad("%s=%.40q: want a whole number from %d to %d", name, text, lo, hi))
	}
	return n
}

// choice returns one of several words; the first is the preset.
func (p *params) choice(name string, words ...string) string {
	text := p.values.Get(name)
	if text == "" {
		return words[0]
	}
	if !slices.Contains(words, text) {
		p.fail(bad("%s=%.40q: want %s", name, text, strings.Join(words, " or ")))
	}
	return text
}

// vertex returns the vertex that a parameter names, or that NAME.id numbers: names may be
// too long for an address, or no text.
func (p *params) vertex(g *served, name string) hops.Vertex {
	number, named := p.values.Get(name+idSuffix), p.values.Has(name)
	switch {
	case number != "" && named:
		p.fail(bad("give %s or %s, not both", name, name+idSuffix))
	case number != "":
		return p.place(g, number)
	case !named:
		p.fail(bad("%s is missing: the name of a vertex", name))
	default:
		v, ok := g.Lookup(p.values.Get(name))
		if !ok {
			p.fail(refusal{http.StatusNotFound, fmt.Sprintf("no vertex is called %.100q", p.values.Get(name))})
		}
		return v
	}
	return hops.NoVertex
}

// idSuffix makes the name of a parameter that for the number of a vertex.
const idSuffix = ".id"

// place returns the vertex of a number in the graph, from 0 on.
func (p *params) place(g *served, text string) hops.Vertex {
	id, err := strconv.ParseUint(text, 10, 32)
	if err != nil || hops.Vertex(id) >= g.NumVertices() {
		p.fail(refusal{http.StatusNotFound, fmt.Sprintf("there is no vertex number %.40q: the graph has %d", text, g.NumVertices())})
	}
	return hops.Vertex(id)
}
