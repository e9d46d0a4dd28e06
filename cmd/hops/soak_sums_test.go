//go:build unix

package main

import (
	"cmp"
	"fmt"
	"math/bits"
	"slices"
	"strconv"
	"strings"
)

// A part is a component: its size and its first vertex.
type part struct{ size, first int }

// partsOf lists components, the largest first, and of those of the same size the one with the lowest
// vertex.
func partsOf(lowest []int) (all []part) {
	size := map[int]int{}
	for _, first := range lowest {
		size[first]++
	}
	for first, n := range size {
		all = append(all, part{n, first})
	}
	slices.SortFunc(all, func(a, b part) int { return cmp.Or(cmp.Compare(b.size, a.size), cmp.Compare(a.first, b.first)) })
	return all
}

// components asks what hangs together.
func (x *soakCase) components() {
	v := x.view()
	args, lowest := append([]string{"components"}, v.args...), v.g.Components()
	if chance(x.r, 2) {
		args, lowest = append(args, "--strong"), v.g.StrongComponents()
	}
	file, json := x.rowsFile("--output"), chance(x.r, 2)
	if args = append(args, file.flags...); json {
		args = append(args, "--json")
	}
	out, ok := x.answer(exitOK, args...)
	if !ok {
		return
	}
	if rows, ok := x.rows(v, file, true, false); ok {
		want := map[int]string{}
		for u, first := range lowest {
			want[u] = v.names[first]
		}
		x.sameRows("component", v, rows, want)
	}
	var got, want [][2]string
	for _, p := range partsOf(lowest) {
		want = append(want, [2]string{strconv.Itoa(p.size), v.names[p.first]})
	}
	if json {
		var a struct {
			Components []struct{ Vertices, Vertex any }
		}
		x.object(out, &a)
		for _, p := range a.Components {
			got = append(got, [2]string{fmt.Sprint(p.Vertices), fmt.Sprint(p.Vertex)})
		}
	} else {
		for _, row := range strings.Split(strings.TrimSuffix(out, "\n"), "\n")[1:] {
			size, name, _ := strings.Cut(row, "\t")
			got = append(got, [2]string{size, name})
		}
	}
	x.same("components", got, want)
}

// diameter asks how far the vertices of the largest component are apart.
func (x *soakCase) diameter() {
	v := x.view()
	file := x.rowsFile("--eccentricities")
	args := append([]string{"diameter", "--json"}, v.args...)
	all := chance(x.r, 2)
	if all {
		args = append(args, file.flags...)
	}
	if len(v.names) == 0 {
		x.answer(exitNone, args...)
		return
	}
	out, ok := x.answer(exitOK, args...)
	if !ok {
		return
	}
	lowest := v.g.StrongComponents()
	largest := partsOf(lowest)[0]
	most, least, want := 0, len(v.names), map[int]string{}
	for u, first := range lowest {
		if first != largest.first {
			continue
		}
		far := 0
		for w, l := range v.g.Levels(u) {
			if lowest[w] == first {
				far = max(far, l)
			}
		}
		most, least, want[u] = max(most, far), min(least, far), strconv.Itoa(far)
	}
	var a struct {
		Component        struct{ Vertices, Vertex any }
		Diameter, Radius any
	}
	if x.object(out, &a) {
		x.same("component, diameter, radius", a, struct {
			Component        struct{ Vertices, Vertex any }
			Diameter, Radius any
		}{struct{ Vertices, Vertex any }{largest.size, v.names[largest.first]}, most, least})
	}
	if !all {
		return
	}
	if rows, ok := x.rows(v, file, false, false); ok {
		x.sameRows("eccentricity", v, rows, want)
	}
}

// info asks what kind of graph it is.
func (x *soakCase) info() {
	v := x.view()
	d := x.engine(v.g, anyEngine)
	out, ok := x.search(d, append([]string{"info", "--json"}, v.args...)...)
	var a struct {
		Vertices, Edges, Isolated int
		Directed                  bool
		Names                     string
		Loops                     int `json:"loops_dropped"`
		Duplicates                int `json:"duplicates_dropped"`
		Degrees                   struct {
			Mean      float64
			Max       int
			MaxIn     int `json:"max_in"`
			Histogram []int
		}
		Components struct{ Count, Largest int }
		Diameter   int `json:"diameter_at_least"`
	}
	if !ok || !x.object(out, &a) {
		return
	}
	g := v.g
	isolated, most, mostIn, arcs, histogram := 0, 0, 0, 0, []int(nil)
	for u, row := range g.Out {
		if len(row)+len(g.In[u]) == 0 {
			isolated++
		}
		most, mostIn, arcs = max(most, len(row)), max(mostIn, len(g.In[u])), arcs+len(row)
		for bits.Len(uint(len(row))) >= len(histogram) {
			histogram = append(histogram, 0)
		}
		histogram[bits.Len(uint(len(row)))]++
	}
	names := map[bool]string{false: "numbers", true: "text"}[x.file.text]
	x.same("size", []any{a.Vertices, a.Edges, a.Directed, a.Names, a.Isolated}, []any{len(g.Out), len(g.Edges()), g.Directed, names, isolated})
	x.same("degrees", []any{a.Degrees.Max, a.Degrees.MaxIn, a.Degrees.Histogram}, []any{most, mostIn, histogram})
	x.near("mean degree", a.Degrees.Mean, float64(arcs)/float64(max(1, len(g.Out))), rounding)
	if g == x.file.g {
		x.same("dropped loops and duplicates", []int{a.Loops, a.Duplicates}, []int{g.Loops, g.Duplicates})
	}
	parts := partsOf(g.Components())
	if len(parts) == 0 {
		return
	}
	x.same("components", a.Components, struct{ Count, Largest int }{len(parts), parts[0].size})
	if len(g.Out)*(len(g.Out)+arcs) < 3e6 {
		diameter := 0
		for u := range g.Out {
			diameter = max(diameter, slices.Max(g.Levels(u)))
		}
		x.same("some vertices are so far apart", a.Diameter <= diameter, true)
	}
}
