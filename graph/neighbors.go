package graph

import (
	"fmt"
	"iter"
	"slices"

	"github.com/gohops/hops"
)

// NumEdges is the number of edges, without self-loops and duplicates.
func (g *Graph) NumEdges() int64 {
	if g.Directed {
		return g.NumEntries()
	}
	return g.NumEntries() / 2
}

// Neighbors yields the vertices that the edges of v lead to, those with the most
// edges first.
func (g *Graph) Neighbors(v hops.Vertex) iter.Seq[hops.Vertex] { return g.each(&g.Out, v) }

// InNeighbors yields the vertices whose edges lead to v. In an undirected graph
// they are its neighbours.
func (g *Graph) InNeighbors(v hops.Vertex) iter.Seq[hops.Vertex] { return g.each(&g.In, v) }

// Degree is the number of neighbours of v.
func (g *Graph) Degree(v hops.Vertex) int { return len(g.safeRow(&g.Out, v)) }

// InDegree is the number of vertices whose edges lead to v.
func (g *Graph) InDegree(v hops.Vertex) int { return len(g.safeRow(&g.In, v)) }

func (g *Graph) each(rows *Rows, v hops.Vertex) iter.Seq[hops.Vertex] {
	return func(yield func(hops.Vertex) bool) {
		for _, u := range g.safeRow(rows, v) {
			if !yield(hops.Vertex(u)) {
				return
			}
		}
	}
}

// OutRow returns the neighbours of v. It must not be changed. The error tells of
// damage in the file that the graph was opened from; a row without one is as it
// was written.
func (g *Graph) OutRow(v hops.Vertex) ([]uint32, error) { return g.row(&g.Out, v) }

// InRow is OutRow for the vertices whose edges lead to v.
func (g *Graph) InRow(v hops.Vertex) ([]uint32, error) { return g.row(&g.In, v) }

func (g *Graph) row(rows *Rows, v hops.Vertex) ([]uint32, error) {
	if g.closed.Load() {
		return nil, g.gone()
	}
	if g.trusted() {
		return rows.Neighbors[rows.Offsets[v]:rows.Offsets[v+1]], nil
	}
	return g.guard.row(rows, v)
}

// OutEdges is OutRow together with the weights of the entries, which are nil in a graph
// without weights.
func (g *Graph) OutEdges(v hops.Vertex) (row []uint32, weights []float32, err error) {
	return g.edges(&g.Out, v)
}

// InEdges is OutEdges for the vertices whose edges lead to v.
func (g *Graph) InEdges(v hops.Vertex) (row []uint32, weights []float32, err error) {
	return g.edges(&g.In, v)
}

func (g *Graph) edges(rows *Rows, v hops.Vertex) (row []uint32, weights []float32, err error) {
	if row, err = g.row(rows, v); err != nil || !g.Weighted() {
		return row, nil, err
	}
	weights = rows.Weights[rows.Offsets[v]:rows.Offsets[v+1]]
	if g.trusted() {
		return row, weights, nil
	}
	if err = touch(g.guard, weights); err == nil && slices.ContainsFunc(weights, func(w float32) bool { return !validWeight(w) }) {
		err = g.guard.nonsense(v)
	}
	return row, weights, err
}

// safeRow is for those who cannot return an error: it keeps the first for Err.
func (g *Graph) safeRow(rows *Rows, v hops.Vertex) []uint32 {
	row, err := g.row(rows, v)
	if err != nil && g.guard != nil {
		g.guard.fail(err)
	}
	return row
}

// Walk visits the vertices of g in breadth-first order: the root at depth 0, its
// neighbours at depth 1, and so on, until visit returns false. It looks at no
// more of the graph than it has to, on one core; to search a graph as a whole,
// use an engine.
func Walk(g *Graph, root hops.Vertex, visit func(v hops.Vertex, depth int) bool) error {
	if root >= g.NumVertices() {
		return fmt.Errorf("graph: root %d: the graph has %d vertices", root, g.NumVertices())
	}
	seen := make([]uint64, len(g.Isolated))
	seen[root>>6] |= 1 << (root & 63)
	front, next := []uint32{uint32(root)}, []uint32(nil)
	for depth := 0; len(front) > 0; depth++ {
		for _, v := range front {
			if !visit(hops.Vertex(v), depth) {
				return nil
			}
		}
		err := g.Read(func() (err error) {
			next, err = g.expand(front, next[:0], seen)
			return err
		})
		if err != nil {
			return err
		}
		front, next = next, front
	}
	return nil
}

// expand appends the neighbours of front that are not seen to next, and sees them.
func (g *Graph) expand(front, next []uint32, seen []uint64) ([]uint32, error) {
	for _, v := range front {
		row, err := g.OutRow(hops.Vertex(v))
		if err != nil {
			return next, err
		}
		for _, u := range row {
			if seen[u>>6]>>(u&63)&1 == 0 {
				seen[u>>6] |= 1 << (u & 63)
				next = append(next, u)
			}
		}
	}
	return next, nil
}
