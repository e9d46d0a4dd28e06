// Package view picks out of a large graph what fits on a page: names that match what
// was typed, the neighbourhood of a vertex, all shortest paths between two.
package view

import (
	"cmp"
	"context"
	"slices"

	"github.com/gohops/hops"
	"github.com/gohops/hops/graph"
	"github.com/gohops/hops/internal/base/bitset"
)

// A View is a small part of a graph.
type View struct {
	Vertices []Vertex
	// Edges are pairs of places in Vertices, those of the search tree first.
	Edges [][2]int
	// EdgesLeft is the number of edges among the vertices that are not in Edges.
	EdgesLeft int
	// HubsLeft is the number of vertices left out because of their degree.
	HubsLeft int
	// Partial says that more would have been found with more work.
	Partial bool
}

// A Vertex of a view.
type Vertex struct {
	Vertex hops.Vertex
	Level  int // hops from the center along the edges of the view
	Parent int // place of the vertex by which it was reached, -1 for the center
	// HiddenOut and HiddenIn are the edges out of it and into it whose other end is not in the
	// view. The edges of an undirected graph all count as out of their vertex.
	HiddenOut, HiddenIn int
}

const (
	// scanLimit is the number of entries that one view reads at most. Four million take
	// some 10 ms on one core, measured at 67 M edges.
	scanLimit = 4 << 20
	// wholeRow is the length up to which rows are always read to their end when edges
	// among vertices are looked for.
	wholeRow = 4096
	// stride is the number of entries after which the degree of a neighbour is looked at.
	stride = 32
	// maxEdges is the number of edges that a view has at most.
	maxEdges = 4000
)

// A Picker makes one view after another of a graph. It takes a bit for every vertex.
type Picker struct {
	graph  *graph.Graph
	drawn  bitset.Set
	places map[uint32]int
	view   *View
	limit  int // entries that a view may read
	budget int // those that are left
}

// NewPicker returns a picker for g, whose file is verified.
func NewPicker(g *graph.Graph) *Picker {
	return &Picker{graph: g, drawn: bitset.New(int64(g.NumVertices())), places: map[uint32]int{}, limit: scanLimit}
}

func (p *Picker) begin() {
	for v := range p.places {
		p.drawn.Remove(uint64(v))
	}
	clear(p.places)
	p.view, p.budget = &View{}, p.limit
}

func (p *Picker) add(v uint32, level, parent int) {
	p.drawn.Add(uint64(v))
	p.places[v] = len(p.view.Vertices)
	p.view.Vertices = append(p.view.Vertices, Vertex{Vertex: hops.Vertex(v), Level: level, Parent: parent})
}

// Degree is the number of edges at a vertex. A directed graph may have two between the same
// two vertices, one each way.
func Degree(g *graph.Graph, v uint32) int64 { return g.Out.Degree(v) + InDegree(g, v) }

// InDegree is how many edges of a directed graph lead to a vertex. The edges of an undirected
// graph have no direction: none counts.
func InDegree(g *graph.Graph, v uint32) int64 {
	if !g.Directed {
		return 0
	}
	return g.In.Degree(v)
}

// join finds the edges among the vertices of the view.
//
// Reading the rows of hubs to their ends would take longer than everything else. Rows
// fall by degree: one is left where its neighbours have less than half the degree of its
// own vertex, and the neighbour's row, which is shorter, has the edge near its start.
// Half, because the order of rows counts duplicate edges. At 129 M edges that found all
// 19,333 edges among 200 hubs in 6 ms; whole rows took 260 ms.
func (p *Picker) join(ctx context.Context, incoming bool) error {
	seen := map[[2]int]bool{}
	note := func(from, to int) {
		if !p.graph.Directed && from > to {
			from, to = to, from
		}
		if key := [2]int{from, to}; !seen[key] {
			seen[key] = true
			p.view.Edges = append(p.view.Edges, key)
		}
	}
	for place, v := range p.view.Vertices { // the tree is there however little may be read
		if v.Parent >= 0 && incoming {
			note(place, v.Parent)
		} else if v.Parent >= 0 {
			note(v.Parent, place)
		}
	}
	for place, v := range p.view.Vertices {
		if err := ctx.Err(); err != nil {
			return err
		}
		p.scan(uint32(v.Vertex), p.graph.Out.Row(uint32(v.Vertex)), func(u uint32) { note(place, p.places[u]) })
		if p.graph.Directed {
			p.scan(uint32(v.Vertex), p.graph.In.Row(uint32(v.Vertex)), func(u uint32) { note(p.places[u], place) })
		}
	}
	return nil
}

// scan calls found with the vertices of the view that are in a row of v, as far as join
// needs them.
func (p *Picker) scan(v uint32, row []uint32, found func(u uint32)) {
	degree := Degree(p.graph, v)
	for i, u := range row {
		if i >= wholeRow && i%stride == 0 && 2*Degree(p.graph, u) < degree {
			row = row[:i]
			break
		}
		if i > p.budget {
			p.view.Partial = true
			row = row[:i]
			break
		}
		if p.drawn.Has(uint64(u)) {
			found(u)
		}
	}
	p.budget -= len(row)
}

// relevel searches the view from its first vertex, so that levels agree with all of its
// edges. Vertices keep their parents if these are one level above; others go to the
// parent with the fewest children.
func (p *Picker) relevel(incoming bool) {
	all := p.view.Vertices
	next, before := p.neighbors(incoming)
	levels, queue := make([]int, len(all)), []int{0}
	levels[0] = 1 // plus one, so that 0 is a vertex that was not reached
	for len(queue) > 0 {
		i := queue[0]
		queue = queue[1:]
		for _, j := range next[i] {
			if levels[j] == 0 {
				levels[j] = levels[i] + 1
				queue = append(queue, j)
			}
		}
	}
	children := make([]int, len(all))
	for i := range all {
		v := &all[i]
		v.Level = levels[i] - 1
		if i > 0 && levels[v.Parent] == v.Level {
			children[v.Parent]++
		}
	}
	for i := 1; i < len(all); i++ {
		if v := &all[i]; levels[v.Parent] != v.Level {
			above := slices.DeleteFunc(before[i], func(j int) bool { return levels[j] != v.Level })
			v.Parent = slices.MinFunc(above, func(a, b int) int { return cmp.Or(children[a]-children[b], a-b) })
			children[v.Parent]++
		}
	}
}

// countHidden counts the edges that lead out of the view.
func (p *Picker) countHidden() {
	all := p.view.Vertices
	for i := range all {
		v := uint32(all[i].Vertex)
		all[i].HiddenOut, all[i].HiddenIn = int(p.graph.Out.Degree(v)), int(InDegree(p.graph, v))
	}
	for _, e := range p.view.Edges {
		all[e[0]].HiddenOut--
		if p.graph.Directed {
			all[e[1]].HiddenIn--
		} else {
			all[e[1]].HiddenOut--
		}
	}
}

// neighbors returns the places that edges lead to from every place, and those that they
// come from.
func (p *Picker) neighbors(incoming bool) (next, before [][]int) {
	next, before = make([][]int, len(p.view.Vertices)), make([][]int, len(p.view.Vertices))
	for _, e := range p.view.Edges {
		from, to := e[0], e[1]
		if incoming {
			from, to = to, from
		}
		next[from], before[to] = append(next[from], to), append(before[to], from)
		if !p.graph.Directed {
			next[to], before[from] = append(next[to], from), append(before[from], to)
		}
	}
	return next, before
}

func (p *Picker) rows(incoming bool) *graph.Rows {
	if incoming {
		return &p.graph.In
	}
	return &p.graph.Out
}

// trim keeps the edges of the search tree and as many others as a page can show.
func (p *Picker) trim() {
	v := p.view
	inTree := func(e [2]int) bool { return v.Vertices[e[0]].Parent == e[1] || v.Vertices[e[1]].Parent == e[0] }
	slices.SortStableFunc(v.Edges, func(a, b [2]int) int {
		switch x, y := inTree(a), inTree(b); {
		case x && !y:
			return -1
		case y && !x:
			return 1
		}
		return 0
	})
	if left := len(v.Edges) - maxEdges; left > 0 {
		v.Edges, v.EdgesLeft = v.Edges[:maxEdges], left
	}
}
