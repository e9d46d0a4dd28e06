//go:build unix

package main

import (
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
	args := append([]string{"path"}, v.args...)
	far := float64(v.g.Levels(ends[0])[ends[1]])
	if byWeight {
		args = append(args, "--weighted")
		far = v.g.Distances(ends[0])[ends[1]]
	}
	none := far < 0 || math.IsInf(far, 1)
	if chance(x.r, 4) {
		limit := float64(x.r.IntN(1 + int(min(1e9, 2*max(0, far)))))
		args = append(args, fmt.Sprintf("--within=%v", limit))
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
	limit := 1 + x.r.IntN(30)
	out, ok := x.answer(status, append(append(args, "--all", fmt.Sprintf("--limit=%d", limit)), ends...)...)
	if !ok {
		return
	}
	want := "hops\tpath\n"
	for _, path := range v.g.AllPaths(from, to, limit) {
		want += fmt.Sprintf("%d\t%s\n", len(path)-1, strings.Join(named(v.names, path), "\t"))
	}
	x.same("paths", out, want)
	x.same("at most as many as there are", big.NewInt(int64(strings.Count(out, "\n")-1)).Cmp(count) <= 0, true)
}

func (x *soakCase) kPaths(v view, status int, args, ends []string, from, to int) {
	k, byWeight := 1+x.r.IntN(8), x.file.weighted && chance(x.r, 2)
	if args = append(args, fmt.Sprintf("--k=%d", k)); byWeight {
		args = append(args, "--weighted")
	}
	out, ok := x.answer(status, append(args, ends...)...)
	if !ok {
		return
	}
	want := v.g.KLengths(from, to, k, byWeight)
	rows := strings.Split(strings.TrimSuffix(out, "\n"), "\n")[1:]
	if !x.same("number of paths", len(rows), len(want)) {
		return
	}
	if slices.Sort(rows); len(slices.Compact(slices.Clone(rows))) < len(rows) {
		x.errorf("a path comes twice:\n%s", out)
	}
	var got []float64
	for _, row := range rows {
		fields := strings.Split(row, "\t")
		far, _ := strconv.ParseFloat(fields[0], 64)
		x.comparePath(v, fields[1:], []int{from, to}, far, byWeight)
		got = append(got, far)
	}
	slices.Sort(got)
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
	if x.file.text && !chance(x.r, 4) {
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
	args := append(append([]string{"path"}, v.args...), "--pairs="+path)
	out, ok := x.search(d, args...)
	if !ok {
		return
	}
	rows := strings.Split(strings.TrimSuffix(out, "\n"), "\n")[1:]
	if !x.same("number of paths", len(rows), len(pairs)) {
		return
	}
	level := map[int][]int{}
	for i, row := range rows {
		from, to := pairs[i][0], pairs[i][1]
		if level[from] == nil {
			level[from] = v.g.Levels(from)
		}
		fields := strings.Split(row, "\t")
		if !x.same("hops of pair "+strconv.Itoa(i), fields[0], level[from][to]) {
			return
		}
		if level[from][to] >= 0 {
			x.comparePath(v, fields[1:], pairs[i][:], float64(level[from][to]), false)
		}
	}
}

// shortest asks for the distances from a vertex.
func (x *soakCase) shortest() {
	v := x.view()
	root := v.some(x.r, 1)[0]
	d := x.engine(v.g, byWeight)
	distances, parents := x.rowsFile("--distances"), x.rowsFile("--parents")
	args := append([]string{"sssp", "--root=" + v.names[root], "--json"}, v.args...)
	out, ok := x.search(d, append(append(args, distances.flags...), parents.flags...)...)
	if !ok {
		return
	}
	far := v.g.Distances(root)
	reached, farthest, want := 0, 0.0, map[int]string{}
	for u, d := range far {
		if !math.IsInf(d, 1) {
			want[u] = strconv.FormatFloat(d, 'f', -1, 64)
			reached, farthest = reached+1, max(farthest, d)
		}
	}
	var a struct {
		Reached  int
		Farthest float64
	}
	if x.object(out, &a) {
		x.same("reached, farthest", a, struct {
			Reached  int
			Farthest float64
		}{reached, farthest})
	}
	if rows, ok := x.rows(v, distances, false, true); ok {
		x.sameRows("distance", v, rows, want)
	}
	if rows, ok := x.rows(v, parents, true, false); ok {
		x.compareLightest(v, rows, root, far)
	}
}

// compareLightest: from every vertex that was reached, parents lead to the root, each step as long as the
// distances differ.
func (x *soakCase) compareLightest(v view, rows map[int]string, root int, far []float64) {
	good := map[int]bool{root: true}
	for u := range v.names {
		if !x.same("reached "+v.names[u], rows[u] != "", !math.IsInf(far[u], 1)) {
			return
		}
		var walked []int
		for at := u; rows[u] != "" && !good[at]; {
			p, ok := x.vertex(v, rows[at])
			if !ok {
				return
			}
			a, joined := v.g.Arc(p, at)
			if walked = append(walked, at); !joined || far[p]+a.Weight != far[at] || len(walked) > len(v.names) {
				x.errorf("vertex %q at %v has parent %q at %v, edge %v of %v", v.names[at], far[at], rows[at], far[p], joined, a.Weight)
				return
			}
			at = p
		}
		for _, at := range walked {
			good[at] = true
		}
	}
}
