//go:build unix

package main

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/gohops/hops/internal/testing/oracle"
)

// bench searches the file with several engines, which validate every tree.
func (x *soakCase) bench() {
	v := view{g: x.file.g, names: x.file.names, args: append([]string{x.file.path}, x.file.flags...)}
	args, match := append([]string{"bench"}, v.args...), anyEngine
	// Kernel 3 adds in 32 bits, and has no rate for a root that no edge leads away from.
	if x.file.weighted && chance(x.r, 2) && sumOfWeights(v.g) < math.MaxFloat32 && !v.g.Directed {
		args, match = append(args, "--kernel=sssp"), byWeight
	}
	roots := 1 + x.r.IntN(5)
	args = append(args, fmt.Sprintf("--roots=%d", roots), "--rounds=1", "--validate=all", "--json=-")
	out, ok := x.search(x.engine(v.g, match), args...)
	var a struct {
		Searches []struct{ Root, Edges int }
	}
	if !ok || !x.object(out, &a) {
		return
	}
	for _, s := range a.Searches { // loops and edges that come again are edges of a list
		if v.g.Loops+v.g.Duplicates == 0 && !x.same(fmt.Sprintf("edges from root %d", s.Root), s.Edges, edgesWithin(v.g, v.g.Levels(s.Root))) {
			return
		}
	}
}

func sumOfWeights(g *oracle.Graph) (sum float64) {
	for _, e := range g.Edges() {
		sum += e.Weight
	}
	return sum
}

// byWeight matches the engines that find shortest paths by weight.
func byWeight(e engine) bool { return e.name == "cpu" || e.name == "gpu" || e.name == "cluster" }

// edgesWithin counts the edges of the vertices that were reached.
func edgesWithin(g *oracle.Graph, level []int) (count int) {
	for _, e := range g.Edges() {
		if level[e.U] >= 0 {
			count++
		}
	}
	return count
}

// levels has every step timed on every level.
func (x *soakCase) levels() {
	v := view{g: x.file.g, names: x.file.names, args: append([]string{x.file.path}, x.file.flags...)}
	d := drawEngine(x.r, x.c, func(e engine) bool { return e.name == "cpu" || e.name == adaptiveEngine && chance(x.r, 30) })
	out, ok := x.search(d, append([]string{"profile", "--runs=1"}, v.args...)...)
	if !ok {
		return
	}
	_, rest, found := strings.Cut(out, "From root ")
	at := strings.LastIndex(strings.SplitN(rest, "\n", 2)[0], " in ")
	name, _, whole := strings.Cut(rest, ", the whole search")
	if !whole || strings.Contains(name, "\n") {
		name = rest[:max(0, at)]
	}
	root := slices.Index(v.names, name)
	if !x.same("a root that is a vertex", found && root >= 0, true) {
		return
	}
	var got, want []string
	for row := range strings.Lines(rest) {
		fields := strings.Fields(row)
		if len(fields) < 4 || fields[0] != strconv.Itoa(len(got)) {
			continue
		}
		if _, err := strconv.Atoi(fields[1]); err != nil { // the step stands before the frontier
			fields = fields[1:]
		}
		got = append(got, fields[1])
	}
	level := v.g.Levels(root)
	sizes := make([]int, slices.Max(level)+1)
	for _, l := range level {
		if l >= 0 {
			sizes[l]++
		}
	}
	for _, n := range sizes {
		want = append(want, strconv.Itoa(n))
	}
	if slices.Max(sizes) < 1000 { // larger ones are rounded
		x.same("frontiers", got, want)
	}
}

// graph500 runs the benchmark on a small graph, which is generated once more as a list for the oracle.
func (x *soakCase) graph500() {
	scale, roots := 1+x.r.IntN(9), 1+x.r.IntN(6)
	same := []string{
		fmt.Sprintf("--scale=%d", scale), fmt.Sprintf("--edgefactor=%s", pick(x.r, "16", "4", "1", "1/2")),
		fmt.Sprintf("--seed=%d,%d", x.r.Uint64N(1<<31), x.r.Uint64N(1<<31)),
	}
	list := filepath.Join(x.folder, "generated.el")
	if _, ok := x.answer(exitOK, append([]string{"generate", "--to=el", "--output=" + list}, same...)...); !ok {
		return
	}
	g := readList(list, 1<<scale)
	args, match := append([]string{"graph500", "--to=json", fmt.Sprintf("--roots=%d", roots)}, same...), anyEngine
	if chance(x.r, 3) {
		args, match = append(args, "--kernels=bfs,sssp"), byWeight
	}
	if len(g.Edges()) == 0 {
		x.answer(exitFailure, args...)
		return
	}
	out, ok := x.search(x.engine(g, match), args...)
	if !ok {
		return
	}
	var a struct {
		Invalid  string
		Searches []struct {
			Root, Vertices, Edges, Loops int
			Depths                       []int
		}
	}
	if !x.object(out, &a) || !x.same("invalid", a.Invalid, "") || !x.same("searches", len(a.Searches) > 0, true) {
		return
	}
	for _, s := range a.Searches {
		level := g.Levels(s.Root)
		sizes := make([]int, slices.Max(level)+1)
		for _, l := range level {
			if l >= 0 {
				sizes[l]++
			}
		}
		x.same(fmt.Sprintf("vertices by hops from %d", s.Root), s.Depths, sizes)
	}
}

// readList reads a list of edges between numbers below n.
func readList(path string, n int) *oracle.Graph {
	text, err := os.ReadFile(path)
	must(err)
	var edges []oracle.Edge
	for row := range strings.Lines(string(text)) {
		var e oracle.Edge
		_, err := fmt.Sscan(row, &e.U, &e.V)
		must(err)
		edges = append(edges, e)
	}
	return oracle.New(n, edges, false)
}
