//go:build unix

package main

import (
	"encoding/csv"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/gohops/hops/internal/testing/oracle"
)

// A passage is what has become of a graph on its way through several formats.
type passage struct {
	path  string
	flags []string
	text  bool     // names are text
	order []int    // the vertices of the first file, by their place now; nil: not known
	names []string // their names now, by their place in the first file
}

// convert takes the graph through several formats, and compares the edges that arrive, with their names and
// weights.
func (x *soakCase) convert() {
	f := x.file
	p := passage{path: f.path, flags: f.flags, text: f.text, names: slices.Clone(f.names)}
	for v := range f.names {
		p.order = append(p.order, v)
	}
	for i := range x.r.IntN(4) {
		if !x.pass(&p, i, pick(x.r, "hops", "txt", "csv", "parquet", "mtx", "metis", "graphml", "dot")) {
			return
		}
	}
	if x.pass(&p, 9, "csv") {
		x.compareEdges(p)
	}
}

// pass converts to a format, if that can say what the graph has. It reports false if that failed.
func (x *soakCase) pass(p *passage, i int, format string) bool {
	g := x.file.g
	numbered := format == "mtx" || format == "metis"
	lists := format == "txt" || format == "csv" || format == "parquet"
	document := format == "graphml" || format == "dot"
	switch none := len(g.Edges()) == 0; {
	case numbered && p.order == nil, lists && none, document && none && x.file.weighted:
		return true
	case format == "metis" && (g.Directed || !x.wholeWeights()):
		return true
	}
	suffix := "." + format
	if i < 9 && chance(x.r, 5) {
		suffix += pick(x.r, ".gz", ".zst")
	}
	to := filepath.Join(x.folder, fmt.Sprintf("passage%d%s", i, suffix))
	args := append([]string{"convert", p.path, to}, p.flags...)
	if x.file.weighted {
		args = append(args, "--weights")
	}
	if _, ok := x.answer(exitOK, args...); !ok {
		return false
	}
	p.path, p.flags = to, nil
	switch {
	case numbered:
		p.text = false
		for place, v := range p.order {
			p.names[v] = strconv.Itoa(place + 1)
		}
	case document:
		p.text = true
	}
	if lists { // vertices without edges are gone, and texts come in the order of edges
		p.order = slices.DeleteFunc(p.order, func(v int) bool { return len(g.Out[v])+len(g.In[v]) == 0 })
	}
	if p.text && (lists || format == "dot") {
		p.order = nil
	}
	if lists && g.Directed {
		p.flags = append(p.flags, "--directed")
	}
	if p.text && (format == "txt" || format == "csv") {
		p.flags = append(p.flags, "--ids=string", "--comment=none", "--header=yes")
	}
	return true
}

// wholeWeights tells whether METIS can have the weights: whole numbers from 1 to 2⁶³−1.
func (x *soakCase) wholeWeights() bool {
	return !x.file.weighted || !slices.ContainsFunc(x.file.g.Out, func(row []oracle.Arc) bool {
		return slices.ContainsFunc(row, func(a oracle.Arc) bool {
			return a.Weight < 1 || a.Weight >= 1<<63 || a.Weight != math.Trunc(a.Weight)
		})
	})
}

// compareEdges reads the table at the end of the way. It has a header.
func (x *soakCase) compareEdges(p passage) {
	g := x.file.g
	if len(g.Edges()) == 0 {
		return
	}
	in, err := os.Open(p.path)
	must(err)
	defer in.Close()
	table, err := csv.NewReader(in).ReadAll()
	if err != nil {
		x.errorf("%v", err)
		return
	}
	key := func(u, v string) string {
		if !g.Directed && u > v {
			u, v = v, u
		}
		return u + "\x00" + v
	}
	want := map[string]float64{}
	for _, e := range g.Edges() {
		want[key(p.names[e.U], p.names[e.V])] = e.Weight
	}
	if !x.same("edges", len(table)-1, len(want)) {
		return
	}
	for _, fields := range table[1:] {
		weight, known := want[key(fields[0], fields[1])]
		if !x.same("edge "+strings.Join(fields, ","), known, true) {
			return
		}
		if got := 0.0; x.file.weighted {
			if got = keptWeight(fields[2]); !x.same("weight of "+strings.Join(fields, ","), got, weight) {
				return
			}
		}
		delete(want, key(fields[0], fields[1]))
	}
}
