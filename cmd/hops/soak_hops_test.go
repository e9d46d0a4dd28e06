//go:build unix

package main

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// bfs asks for the hops from one vertex or several.
func (x *soakCase) bfs() {
	v := x.view()
	roots := v.some(x.r, pick(x.r, 1, 1, 1, 2, 5))
	d := x.engine(v.g, anyEngine)
	args := append([]string{"bfs"}, v.args...)
	for _, name := range named(v.names, roots) {
		args = append(args, "--root="+name)
	}
	level := v.g.Levels(roots...)
	if chance(x.r, 4) {
		limit := 1 + x.r.IntN(1+slices.Max(level)+2)
		args = append(args, fmt.Sprintf("--within=%d", limit))
		for u, l := range level {
			if l > limit {
				level[u] = -1
			}
		}
	}
	levels, parents, json := x.rowsFile("--levels"), x.rowsFile("--parents"), chance(x.r, 2)
	withLevels, withParents := chance(x.r, 3), chance(x.r, 3)
	if withLevels {
		args = append(args, levels.flags...)
	}
	if withParents {
		args = append(args, parents.flags...)
	}
	if json {
		args = append(args, "--json")
	}
	out, ok := x.search(d, args...)
	if !ok {
		return
	}
	x.compareSizes(v, out, json, level)
	if withLevels {
		x.compareLevels(v, levels, level)
	}
	if withParents {
		x.compareParents(v, parents, level)
	}
}

// compareSizes compares how many vertices are how many hops away.
func (x *soakCase) compareSizes(v view, out string, json bool, level []int) {
	sizes := make([]int, slices.Max(level)+1)
	reached := 0
	for _, l := range level {
		if l >= 0 {
			sizes[l]++
			reached++
		}
	}
	if !json {
		first, table, _ := strings.Cut(out, "\n")
		x.same("first line", strings.Contains(first, fmt.Sprintf(" %d of %d ", reached, v.g.Vertices())), true)
		var got []int
		for row := range strings.Lines(table) {
			if fields := strings.Fields(row); len(fields) > 1 && fields[0] == strconv.Itoa(len(got)) {
				n, _ := strconv.Atoi(fields[1])
				got = append(got, n)
			}
		}
		x.same("vertices by hops", got, sizes)
		return
	}
	var a struct {
		Directed                         bool
		Vertices, Edges, Reached, Levels any
		Depth                            int
	}
	if x.object(out, &a) {
		x.same("directed, vertices, edges", []any{a.Directed, a.Vertices, a.Edges}, []any{v.g.Directed, v.g.Vertices(), len(v.g.Edges())})
		x.same("vertices by hops", a.Levels, sizes)
		x.same("reached, depth", []any{a.Reached, a.Depth}, []any{reached, len(sizes) - 1})
	}
}

func (x *soakCase) compareLevels(v view, f rowsFile, level []int) {
	rows, ok := x.rows(v, f, false, false)
	if !ok {
		return
	}
	want := map[int]string{}
	for u, l := range level {
		if l >= 0 {
			want[u] = strconv.Itoa(l)
		}
	}
	x.sameRows("level", v, rows, want)
}

// sameRows compares files of results vertex by vertex.
func (x *soakCase) sameRows(what string, v view, got, want map[int]string) {
	x.c["comparisons"] += int64(len(v.names))
	for u, name := range v.names {
		if got[u] != want[u] {
			x.errorf("%s of %q: %q, want %q", what, name, got[u], want[u])
			return
		}
	}
}

// compareParents: whoever was reached has a parent one hop nearer, with an edge to it.
func (x *soakCase) compareParents(v view, f rowsFile, level []int) {
	rows, ok := x.rows(v, f, true, false)
	if !ok {
		return
	}
	for u, l := range level {
		name, reached := rows[u]
		if !x.same("reached "+v.names[u], reached, l >= 0) {
			return
		}
		if !reached {
			continue
		}
		p, ok := x.vertex(v, name)
		if !ok {
			return
		}
		_, joined := v.g.Arc(p, u)
		if l == 0 && p != u || l > 0 && (!joined || level[p] != l-1) {
			x.errorf("vertex %q at level %d has parent %q at level %d, edge %v", v.names[u], l, name, level[p], joined)
			return
		}
	}
}

// neighbourhood asks what is around a vertex, by hops or by weight.
func (x *soakCase) neighbourhood() {
	v := x.view()
	center := v.some(x.r, 1)[0]
	byWeight, json := x.file.weighted && chance(x.r, 2), chance(x.r, 2)
	far, limit, flag := make([]float64, v.g.Vertices()), 0.0, "--hops="
	if byWeight {
		flag, far = "--max-distance=", v.g.Distances(center)
		if limit = far[x.r.IntN(len(far))]; limit > 1e300 {
			limit = 0
		}
	} else {
		limit = float64(x.r.IntN(7))
		for u, l := range v.g.Levels(center) {
			if far[u] = float64(l); l < 0 {
				far[u] = limit + 1
			}
		}
	}
	args := append(append([]string{"near"}, v.args...), flag+strconv.FormatFloat(limit, 'f', -1, 64))
	if json {
		args = append(args, "--json")
	}
	out, ok := x.answer(exitOK, append(args, "--", v.names[center])...)
	if !ok {
		return
	}
	want := map[string]float64{}
	for u, d := range far {
		if d <= limit {
			want[v.names[u]] = d
		}
	}
	got, last := map[string]float64{}, 0.0
	x.eachNear(out, json, byWeight, func(name, figure string) {
		d, _ := strconv.ParseFloat(figure, 64)
		if d < last {
			x.errorf("%q comes after what is farther", name)
		}
		got[name], last = d, d
	})
	x.same("near", got, want)
}

// eachNear reads the answer of near.
func (x *soakCase) eachNear(out string, json, byWeight bool, do func(name, figure string)) {
	if !json {
		for i, row := range strings.Split(strings.TrimSuffix(out, "\n"), "\n") {
			if figure, name, ok := strings.Cut(row, "\t"); ok && i > 0 {
				do(name, figure)
			}
		}
		return
	}
	var a struct {
		Count int
		Near  []struct{ Vertex, Hops, Distance any }
	}
	if x.object(out, &a) && x.same("count", a.Count, len(a.Near)) {
		for _, n := range a.Near {
			if byWeight {
				n.Hops = n.Distance
			}
			do(fmt.Sprint(n.Vertex), fmt.Sprint(n.Hops))
		}
	}
}

// degrees asks for the degrees of all vertices.
func (x *soakCase) degrees() {
	v := x.view()
	by := pick(x.r, "total", "out", "in")
	degree := func(u int) int {
		switch {
		case !v.g.Directed || by == "out":
			return len(v.g.Out[u])
		case by == "in":
			return len(v.g.In[u])
		}
		return len(v.g.Out[u]) + len(v.g.In[u])
	}
	file := x.rowsFile("--output")
	args := append(append([]string{"degrees"}, v.args...), "--by="+by, "--json", "--top=0")
	out, ok := x.answer(exitOK, append(args, file.flags...)...)
	if !ok {
		return
	}
	want, count := map[int]string{}, map[int]int{}
	for u := range v.names {
		want[u] = strconv.Itoa(degree(u))
		count[degree(u)]++
	}
	if rows, ok := x.rows(v, file, false, false); ok {
		x.sameRows("degree", v, rows, want)
	}
	var a struct {
		Top          []struct{ Vertex, Degree, Out, In any }
		Distribution []struct{ Degree, Vertices int }
	}
	if !x.object(out, &a) || !x.same("vertices", len(a.Top), len(v.names)) {
		return
	}
	for _, top := range a.Top {
		if u, ok := x.vertex(v, top.Vertex); ok {
			if !x.same("degree", []any{top.Degree, top.Out, top.In}, []any{want[u], len(v.g.Out[u]), len(v.g.In[u])}) {
				return
			}
		}
	}
	got := map[int]int{}
	for _, d := range a.Distribution {
		got[d.Degree] = d.Vertices
	}
	x.same("distribution", got, count)
}
