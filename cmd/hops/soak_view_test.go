//go:build unix

package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gohops/hops/internal/testing/oracle"
)

// A view is the graph that a question is about: that of the file, or the part that its flags leave.
type view struct {
	g     *oracle.Graph
	names []string
	place map[string]int
	args  []string // file and flags
}

// view draws what the next question is about.
func (x *soakCase) view() view {
	f := x.file
	v := view{g: f.g, names: f.names, args: append([]string{f.path}, f.flags...)}
	if n := f.g.Vertices(); n > 1 && chance(x.r, 6) {
		kept := 1 + x.r.IntN(n)
		list := x.r.Perm(n)
		keep := make([]bool, n)
		for _, u := range list[:kept] {
			keep[u] = true
		}
		flag := "--avoid"
		if list = list[kept:]; chance(x.r, 2) || slices.ContainsFunc(list, func(u int) bool { return f.names[u] == "" }) {
			flag, list = "--only", nil
			for u := range n {
				if keep[u] {
					list = append(list, u)
				}
			}
		}
		path := filepath.Join(x.folder, "vertices.txt")
		must(os.WriteFile(path, []byte(strings.Join(named(f.names, list), "\n")), 0o666))
		part, places := f.g.Part(func(u int) bool { return keep[u] })
		v.g, v.names, v.args = part, named(f.names, places), append(v.args, flag+"="+path)
	}
	if chance(x.r, 4) {
		v.args = append(v.args, fmt.Sprintf("--threads=%d", 1+x.r.IntN(5)))
	}
	v.place = make(map[string]int, len(v.names))
	for u, name := range v.names {
		v.place[name] = u
	}
	return v
}

// named are the names of vertices.
func named(names []string, vertices []int) []string {
	all := make([]string, len(vertices))
	for i, v := range vertices {
		all[i] = names[v]
	}
	return all
}

// some draws so many vertices of a view, each once.
func (v view) some(r *rand.Rand, count int) []int {
	return r.Perm(v.g.Vertices())[:min(count, v.g.Vertices())]
}

// named is the vertex that an answer names.
func (x *soakCase) vertex(v view, name any) (int, bool) {
	place, ok := v.place[fmt.Sprint(name)]
	if !ok {
		x.errorf("there is no vertex %v", name)
	}
	return place, ok
}
