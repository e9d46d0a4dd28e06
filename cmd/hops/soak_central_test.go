//go:build unix

package main

import (
	"fmt"
	"strconv"
)

// closeness asks how near some vertices are to all others.
func (x *soakCase) closeness() {
	v := x.view()
	d := x.engine(v.g, anyEngine)
	args := append([]string{"closeness", "--json"}, v.args...)
	limit, count := 0, 1+x.r.IntN(12)
	if chance(x.r, 4) {
		limit = 1 + x.r.IntN(6)
		args = append(args, fmt.Sprintf("--within=%d", limit))
	}
	if chance(x.r, 4) && len(v.names)+len(v.g.Edges()) < 6000 && d.name != "cygraph" {
		count = len(v.names) // from 512 on, a search is for 64 of them at once
	}
	var roots []int
	if chance(x.r, 2) {
		roots = v.some(x.r, count)
		args = append(append(append(args, d.flags()...), "--"), named(v.names, roots)...)
		d.text = ""
	} else {
		args = append(args, fmt.Sprintf("--samples=%d", count))
	}
	out, ok := x.search(d, args...)
	if !ok {
		return
	}
	if roots != nil {
		count = len(roots)
	} else {
		leading := 0
		for _, row := range v.g.Out {
			leading += min(1, len(row))
		}
		count = min(count, leading)
	}
	x.compareCloseness(v, out, count, limit)
}

func (x *soakCase) compareCloseness(v view, out string, count, limit int) {
	var a struct {
		Roots []struct {
			Vertex         any
			Closeness      float64
			MeanHops       float64 `json:"mean_hops"`
			Depth, Reached int
		}
	}
	if !x.object(out, &a) || !x.same("vertices searched from", len(a.Roots), count) {
		return
	}
	last, seen := 2.0, map[int]bool{}
	for _, root := range a.Roots {
		u, ok := x.vertex(v, root.Vertex)
		if !ok || !x.same("twice", seen[u], false) || !x.same("closest first", root.Closeness <= last, true) {
			return
		}
		sum, reached, depth := 0, 0, 0
		for _, l := range v.g.Levels(u) {
			if l >= 0 && (limit == 0 || l <= limit) {
				sum, reached, depth = sum+l, reached+1, max(depth, l)
			}
		}
		mean, closeness := 0.0, 0.0
		if sum > 0 {
			mean = float64(sum) / float64(reached-1)
			closeness = float64(reached-1) / mean / float64(len(v.names)-1)
		}
		name := v.names[u]
		if !x.same("depth, reached of "+name, []int{root.Depth, root.Reached}, []int{depth, reached}) ||
			!x.near("mean hops of "+name, root.MeanHops, mean, rounding) || !x.near("closeness of "+name, root.Closeness, closeness, rounding) {
			return
		}
		last, seen[u] = root.Closeness, true
	}
}

// betweenness asks what shortest paths go by.
func (x *soakCase) betweenness() {
	v := x.view()
	raw, file, n := chance(x.r, 2), x.rowsFile("--output"), float64(len(v.names))
	args, scale := append([]string{"betweenness", "--exact"}, v.args...), 1.0
	switch {
	case raw && !v.g.Directed:
		scale = 0.5
	case !raw && n > 2:
		scale = 1 / ((n - 1) * (n - 2))
	}
	if args = append(args, file.flags...); raw {
		args = append(args, "--raw")
	}
	if _, ok := x.answer(exitOK, args...); !ok {
		return
	}
	rows, ok := x.rows(v, file, false, true)
	for u, between := range v.g.Between() {
		got, _ := strconv.ParseFloat(rows[u], 64)
		if !ok || !x.near("betweenness of "+v.names[u], got, between*scale, 1e-9) && got > 1e-12 {
			return
		}
	}
}
