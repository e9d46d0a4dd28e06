//go:build unix

package main

import (
	"math"
	"strconv"
)

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
