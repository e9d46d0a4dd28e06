//go:build unix

package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"math/big"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// rounding is how far rounding may take a sum of weights that are added in another order.
const rounding = 1e-12

// path asks for a path of the fewest hops or of least weight.
func (x *soakCase) path() {
	v := x.view()
	ends := []int{x.r.IntN(len(v.names)), x.r.IntN(len(v.names))}
	byWeight, json := x.file.weighted && chance(x.r, 2), chance(x.r, 2)
	args, limited := append([]string{"path"}, v.args...), "--within"
	far := float64(v.g.Levels(ends[0])[ends[1]])
	if byWeight {
		args, limited = append(args, "--weighted"), "--max-distance"
		far = v.g.Distances(ends[0])[ends[1]]
	}
	none := far < 0 || math.IsInf(far, 1)
	if chance(x.r, 4) {
		limit := float64(x.r.IntN(1 + int(min(1e9, 2*max(0, far)))))
		args = append(args, fmt.Sprintf("%s=%v", limited, limit))
		none = none || far > limit
	}
	if json {
		args = append(args, "--json")
	}
	args = append(append(args, "--"), named(v.names, ends)...)
	status := map[bool]int{false: exitOK, true: exitNone}[none]
	if out, ok := x.answer(status, args...); ok {
		x.comparePath(v, x.pathOf(out, json), ends, far, byWeight)
	}
}

// pathOf reads the vertices of a path, and its figures where there are some.
func (x *soakCase) pathOf(out string, json bool) (names []string) {
	if !json {
		return strings.Split(strings.TrimSuffix(out, "\n"), "\n")
	}
	var a struct{ Path []any }
	x.object(out, &a)
	for _, name := range a.Path {
		names = append(names, fmt.Sprint(name))
	}
	return names
}

// comparePath: a path between these ends, with that many hops or that weight.
func (x *soakCase) comparePath(v view, names []string, ends []int, far float64, byWeight bool) {
	var path []int
	for _, name := range names {
		u, ok := x.vertex(v, name)
		if !ok {
			return
		}
		path = append(path, u)
	}
	weight, ok := v.g.Length(path)
	switch {
	case !ok || path[0] != ends[0] || path[len(path)-1] != ends[1]:
		x.errorf("no path: %.300q", names)
	case byWeight:
		x.near("weight", weight, far, rounding)
	default:
		x.same("hops", len(path)-1, far)
	}
}

// severalPaths asks for all shortest paths, or for the k shortest.
func (x *soakCase) severalPaths() {
	v := x.view()
	from, to := x.r.IntN(len(v.names)), x.r.IntN(len(v.names))
	none := v.g.Levels(from)[to] < 0
	status := map[bool]int{false: exitOK, true: exitNone}[none]
	args := append([]string{"path"}, v.args...)
	ends := append([]string{"--"}, named(v.names, []int{from, to})...)
	if len(v.names)+len(v.g.Edges()) < 300 && chance(x.r, 2) {
		x.kPaths(v, status, args, ends, from, to)
		return
	}
	count := v.g.CountPaths(from, to)
	if chance(x.r, 3) {
		if out, ok := x.answer(status, append(append(args, "--all", "--count"), ends...)...); ok {
			x.same("paths", strings.TrimSpace(out), count)
		}
		return
	}
	limit, json := 1+x.r.IntN(30), chance(x.r, 2)
	if args = append(args, "--all", fmt.Sprintf("--limit=%d", limit)); json {
		args = append(args, "--json")
	}
	out, ok := x.answer(status, append(args, ends...)...)
	if !ok {
		return
	}
	var want [][]string
	for _, path := range v.g.AllPaths(from, to, limit) {
		want = append(want, append([]string{strconv.Itoa(len(path) - 1)}, named(v.names, path)...))
	}
	got := x.pathRows(out, json)
	x.same("paths", got, want)
	x.same("at most as many as there are", big.NewInt(int64(len(got))).Cmp(count) <= 0, true)
}

// pathRows reads several paths: of each a figure, its hops or its weight, and the names of its vertices.
func (x *soakCase) pathRows(out string, asJSON bool) (rows [][]string) {
	if !asJSON {
		for _, row := range strings.Split(strings.TrimSuffix(out, "\n"), "\n")[1:] {
			rows = append(rows, strings.Split(row, "\t"))
		}
		return rows
	}
	var a struct {
		Hops  any
		Paths []json.RawMessage
	}
	x.object(out, &a)
	for _, text := range a.Paths {
		var p struct {
			Hops, Distance any
			Path           []any
		}
		if p.Hops = a.Hops; text[0] == '[' { // all have the same hops
			x.object(string(text), &p.Path)
		} else {
			x.object(string(text), &p)
		}
		row := []string{fmt.Sprint(cmp.Or(p.Distance, p.Hops))}
		for _, name := range p.Path {
			row = append(row, fmt.Sprint(name))
		}
		rows = append(rows, row)
	}
	return rows
}

func (x *soakCase) kPaths(v view, status int, args, ends []string, from, to int) {
	k, byWeight := 1+x.r.IntN(8), x.file.weighted && chance(x.r, 2)
	if args = append(args, fmt.Sprintf("--k=%d", k)); byWeight {
		args = append(args, "--weighted")
	}
	json := chance(x.r, 2)
	if json {
		args = append(args, "--json")
	}
	out, ok := x.answer(status, append(args, ends...)...)
	if !ok {
		return
	}
	want, rows := v.g.KLengths(from, to, k, byWeight), x.pathRows(out, json)
	if !x.same("number of paths", len(rows), len(want)) {
		return
	}
	var got []float64
	seen := map[string]bool{}
	for _, row := range rows {
		far, _ := strconv.ParseFloat(row[0], 64)
		x.comparePath(v, row[1:], []int{from, to}, far, byWeight)
		x.same("twice", seen[fmt.Sprint(row)], false)
		got, seen[fmt.Sprint(row)] = append(got, far), true
	}
	x.same("the shortest first", slices.IsSorted(got), true)
	for i, far := range got {
		x.near(fmt.Sprintf("length of path %d", i), far, want[i], rounding)
	}
}

// pairs asks for the paths of a file of pairs, on any engine.
func (x *soakCase) pairs() {
	v := x.view()
	sources, count := v.some(x.r, 1+x.r.IntN(20)), 1+x.r.IntN(20)
	if chance(x.r, 8) && len(v.names) < 2000 {
		count = 16*len(sources) + 512 // from so many on, a search is for 64 sources at once
	}
	var pairs [][2]int
	var b strings.Builder
	if x.file.text && !slices.Contains(v.args, "--header=no") && !chance(x.r, 4) {
		b.WriteString("source\ttarget\n")
	}
	for range count {
		p := [2]int{pick(x.r, sources...), x.r.IntN(len(v.names))}
		pairs = append(pairs, p)
		fmt.Fprintf(&b, "%s\t%s\n", quoted(v.names[p[0]], "\t"), quoted(v.names[p[1]], "\t"))
	}
	path := filepath.Join(x.folder, "pairs.tsv")
	must(os.WriteFile(path, []byte(b.String()), 0o666))
	d := x.engine(v.g, anyEngine)
	args, json := append(append([]string{"path"}, v.args...), "--pairs="+path), chance(x.r, 2)
	if json {
		args = append(args, "--json")
	}
	out, ok := x.search(d, args...)
	if !ok {
		return
	}
	rows := x.pathRows(out, json)
	if !x.same("number of paths", len(rows), len(pairs)) {
		return
	}
	level := map[int][]int{}
	for i, row := range rows {
		from, to := pairs[i][0], pairs[i][1]
		if level[from] == nil {
			level[from] = v.g.Levels(from)
		}
		if !x.same("hops of pair "+strconv.Itoa(i), row[0], level[from][to]) {
			return
		}
		if level[from][to] >= 0 {
			x.comparePath(v, row[1:], pairs[i][:], float64(level[from][to]), false)
		}
	}
}
