package oracle

import (
	"iter"
	"math"
	"math/big"
	"slices"
)

// Distances are the least sums of weights, in 64 bits, from a root to every vertex, +Inf where it
// leads to none.
func (g *Graph) Distances(root int) []float64 { return g.distances(root, weight) }

func weight(a Arc) float64 { return a.Weight }
func hop(Arc) float64      { return 1 }

func (g *Graph) distances(root int, length func(Arc) float64) []float64 {
	far, _ := Dijkstra(g.Vertices(), func(u int) iter.Seq2[int, float64] {
		return func(yield func(int, float64) bool) {
			for _, a := range g.Out[u] {
				if !yield(a.To, length(a)) {
					return
				}
			}
		}
	}, root)
	return far
}

// Length is the sum of the weights along a path, or false if it is none: a step has no edge, or it
// visits a vertex twice.
func (g *Graph) Length(path []int) (far float64, ok bool) {
	seen := map[int]bool{}
	for i, v := range path {
		if seen[v] {
			return 0, false
		}
		if seen[v] = true; i == 0 {
			continue
		}
		a, ok := g.Arc(path[i-1], v)
		if !ok {
			return 0, false
		}
		far += a.Weight
	}
	return far, len(path) > 0
}

// CountPaths is the number of paths of the fewest hops.
func (g *Graph) CountPaths(from, to int) *big.Int {
	level := g.Levels(from)
	if level[to] < 0 {
		return new(big.Int)
	}
	layers := make([][]int, level[to]+1)
	count := make([]*big.Int, g.Vertices())
	for v, l := range level {
		if count[v] = new(big.Int); l >= 0 && l <= level[to] {
			layers[l] = append(layers[l], v)
		}
	}
	count[from].SetInt64(1)
	for _, layer := range layers {
		for _, u := range layer {
			for _, a := range g.Out[u] {
				if level[a.To] == level[u]+1 {
					count[a.To].Add(count[a.To], count[u])
				}
			}
		}
	}
	return count[to]
}

// AllPaths lists the first paths of the fewest hops, in the order of their first vertices that differ.
func (g *Graph) AllPaths(from, to, limit int) (all [][]int) {
	left := levels(g.In, to)
	var walk func(path []int)
	walk = func(path []int) {
		u := path[len(path)-1]
		if len(all) == limit {
			return
		}
		if u == to {
			all = append(all, slices.Clone(path))
			return
		}
		for _, a := range g.Out[u] {
			if left[a.To] >= 0 && left[a.To] == left[u]-1 {
				walk(append(path, a.To))
			}
		}
	}
	if left[from] >= 0 && limit > 0 {
		walk([]int{from})
	}
	return all
}

// KLengths are the lengths of the k shortest paths that visit no vertex twice, ascending, in hops or by
// weight, after Yen: the next path leaves one of the known ones at some vertex, and avoids from
// there the vertices before it and the steps that known paths with the same beginning take.
func (g *Graph) KLengths(from, to, k int, weighted bool) (lengths []float64) {
	length := hop
	if weighted {
		length = weight
	}
	type found struct {
		path []int
		far  float64
	}
	var known, candidates []found
	offer := func(root []int, barred map[int]bool) {
		if path, far, ok := g.detour(root, barred, to, length); ok && !slices.ContainsFunc(candidates, func(c found) bool { return slices.Equal(c.path, path) }) {
			candidates = append(candidates, found{path, far})
		}
	}
	for offer([]int{from}, nil); len(candidates) > 0 && len(known) < k; {
		best := 0
		for i, c := range candidates {
			if c.far < candidates[best].far {
				best = i
			}
		}
		last := candidates[best]
		known, candidates = append(known, last), slices.Delete(candidates, best, best+1)
		lengths = append(lengths, last.far)
		for i := range len(last.path) - 1 {
			barred := map[int]bool{}
			for _, p := range known {
				if len(p.path) > i+1 && slices.Equal(p.path[:i+1], last.path[:i+1]) {
					barred[p.path[i+1]] = true
				}
			}
			offer(last.path[:i+1], barred)
		}
	}
	return lengths
}

// detour is a shortest path that begins with root, does not come back to it, and does not step from
// its last vertex to a barred one.
func (g *Graph) detour(root []int, barred map[int]bool, to int, length func(Arc) float64) (path []int, far float64, ok bool) {
	start := root[len(root)-1]
	rest := &Graph{Directed: true, Out: make([][]Arc, g.Vertices())}
	for u, row := range g.Out {
		for _, a := range row {
			if (!slices.Contains(root, u) || u == start) && !slices.Contains(root, a.To) && !(u == start && barred[a.To]) {
				rest.Out[u] = append(rest.Out[u], Arc{a.To, length(a)})
			}
		}
	}
	distance := rest.Distances(start)
	if math.IsInf(distance[to], 1) {
		return nil, 0, false
	}
	path = rest.backwards(distance, start, to)
	path = append(slices.Clone(root[:len(root)-1]), path...)
	for i := range len(path) - 1 {
		a, _ := g.Arc(path[i], path[i+1])
		far += length(a)
	}
	return path, far, true
}

// backwards walks from the end of a shortest path to its start, over arcs by which distances came about.
// Among vertices that are equally far, arcs of weight zero could lead in a circle: no vertex comes twice.
func (g *Graph) backwards(far []float64, start, to int) []int {
	dead := map[int]bool{to: true}
	path := []int{to}
	for path[len(path)-1] != start {
		v, before := path[len(path)-1], -1
		for u, row := range g.Out {
			for _, a := range row {
				if a.To == v && !dead[u] && far[u]+a.Weight == far[v] {
					before = u
				}
			}
		}
		if before < 0 { // a circle of zeros: back, and another way
			path = path[:len(path)-1]
			continue
		}
		dead[before] = true
		path = append(path, before)
	}
	slices.Reverse(path)
	return path
}
