package oracle

import "iter"

// Levels are the hops to every vertex from the nearest of some roots, -1 where none leads there.
func (g *Graph) Levels(roots ...int) []int { return levels(g.Out, roots...) }

func levels(rows [][]Arc, roots ...int) []int {
	found, _ := BFS(len(rows), func(u int) iter.Seq[int] {
		return func(yield func(int) bool) {
			for _, a := range rows[u] {
				if !yield(a.To) {
					return
				}
			}
		}
	}, roots...)
	level := make([]int, len(rows))
	for v, l := range found {
		level[v] = int(l)
	}
	return level
}

// Components names for every vertex the lowest vertex of its component. The direction of edges
// does not count.
func (g *Graph) Components() []int {
	both := make([][]Arc, g.Vertices())
	for v := range both {
		both[v] = append(append(both[v], g.Out[v]...), g.In[v]...)
	}
	lowest := unnamed(g.Vertices())
	for v := range lowest {
		if lowest[v] < 0 {
			name(lowest, v, v, both)
		}
	}
	return lowest
}

// StrongComponents names for every vertex the lowest of the vertices that lead to it and that it
// leads to, after Kosaraju: along the edges, vertices are finished in some order; the last one of
// a component is the first from which its component is found against the edges.
func (g *Graph) StrongComponents() []int {
	found, order := unnamed(g.Vertices()), g.finished()
	for i := len(order) - 1; i >= 0; i-- {
		if found[order[i]] < 0 {
			name(found, order[i], order[i], g.In)
		}
	}
	lowest := unnamed(g.Vertices())
	for v, c := range found {
		if lowest[c] < 0 {
			lowest[c] = v
		}
	}
	for v, c := range found {
		found[v] = lowest[c]
	}
	return found
}

// finished lists the vertices in the order in which a depth-first search is done with them.
func (g *Graph) finished() (order []int) {
	next := unnamed(g.Vertices()) // arc to follow next; -1: not seen
	for root := range next {
		if next[root] >= 0 {
			continue
		}
		next[root] = 0
		for stack := []int{root}; len(stack) > 0; {
			u := stack[len(stack)-1]
			if next[u] == len(g.Out[u]) {
				order, stack = append(order, u), stack[:len(stack)-1]
				continue
			}
			v := g.Out[u][next[u]].To
			if next[u]++; next[v] < 0 {
				next[v] = 0
				stack = append(stack, v)
			}
		}
	}
	return order
}

// unnamed has -1 for every vertex.
func unnamed(n int) []int {
	all := make([]int, n)
	for v := range all {
		all[v] = -1
	}
	return all
}

// name gives a name to all unnamed vertices that a vertex leads to, itself included.
func name(names []int, called, v int, rows [][]Arc) {
	names[v] = called
	for stack := []int{v}; len(stack) > 0; {
		u := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		for _, a := range rows[u] {
			if names[a.To] < 0 {
				names[a.To] = called
				stack = append(stack, a.To)
			}
		}
	}
}

// Between is the betweenness of every vertex, after Brandes: the share of the shortest paths between two
// others that goes by it, summed over all ordered pairs.
func (g *Graph) Between() []float64 {
	sum := make([]float64, g.Vertices())
	for s := range sum {
		level, order := g.Levels(s), []int{}
		paths, share := make([]float64, len(sum)), make([]float64, len(sum))
		paths[s] = 1
		for queue := []int{s}; len(queue) > 0; {
			u := queue[0]
			queue, order = queue[1:], append(order, u)
			for _, a := range g.Out[u] {
				if level[a.To] == level[u]+1 {
					if paths[a.To] == 0 {
						queue = append(queue, a.To)
					}
					paths[a.To] += paths[u]
				}
			}
		}
		for i := len(order) - 1; i > 0; i-- {
			v := order[i]
			for _, a := range g.In[v] {
				if level[a.To] >= 0 && level[a.To] == level[v]-1 {
					share[a.To] += paths[a.To] / paths[v] * (1 + share[v])
				}
			}
			sum[v] += share[v]
		}
	}
	return sum
}
