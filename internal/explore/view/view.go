// Package view picks out of a large graph what fits on a page: names that match what
// was typed, the neighbourhood of a vertex, all shortest paths between two.
package view

import (
	"context"
	"slices"

	"github.com/gohops/hops"
	"github.com/gohops/hops/graph"
	"github.com/gohops/hops/internal/bitset"
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
	Hidden int // neighbours that are not in the view
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
	budget int // entries that may still be read
}

// NewPicker returns a picker for g, whose file is verified.
func NewPicker(g *graph.Graph) *Picker {
	return &Picker{graph: g, drawn: bitset.New(int64(g.NumVertices())), places: map[uint32]int{}}
}

func (p *Picker) begin() {
	for v := range p.places {
		p.drawn.Remove(uint64(v))
	}
	clear(p.places)
	p.view, p.budget = &View{}, scanLimit
}

func (p *Picker) add(v uint32, level, parent int) {
	p.drawn.Add(uint64(v))
	p.places[v] = len(p.view.Vertices)
	p.view.Vertices = append(p.view.Vertices, Vertex{Vertex: hops.Vertex(v), Level: level, Parent: parent})
}

// Degree is the number of neighbours of a vertex in both directions.
func Degree(g *graph.Graph, v uint32) int64 {
	if g.Directed {
		return g.Out.Degree(v) + g.In.Degree(v)
	}
	return g.Out.Degree(v)
}

// join finds the edges among the vertices of the view.
//
// Reading the rows of hubs to their ends would take longer than everything else. Rows
// fall by degree: one is left where its neighbours have less than half the degree of its
// own vertex, and the neighbour's row, which is shorter, has the edge near its start.
// Half, because the order of rows counts duplicate edges. At 129 M edges that found all
// 19,333 edges among 200 hubs in 6 ms; whole rows took 260 ms.
func (p *Picker) join(ctx context.Context) error {
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

// relevel searches the view from its first vertex, so that levels and parents agree
// with all of its edges.
func (p *Picker) relevel(incoming bool) {
	v := p.view
	next := make([][]int, len(v.Vertices))
	for _, e := range v.Edges {
		from, to := e[0], e[1]
		if incoming {
			from, to = to, from
		}
		next[from] = append(next[from], to)
		if !p.graph.Directed {
			next[to] = append(next[to], from)
		}
	}
	for i := range v.Vertices {
		w := &v.Vertices[i]
		w.Hidden = int(p.rows(incoming).Degree(uint32(w.Vertex))) - len(next[i])
		slices.Sort(next[i])
	}
	reached, queue := make([]bool, len(v.Vertices)), []int{0}
	reached[0] = true
	for len(queue) > 0 {
		i := queue[0]
		queue = queue[1:]
		for _, j := range next[i] {
			if !reached[j] {
				reached[j] = true
				v.Vertices[j].Level, v.Vertices[j].Parent = v.Vertices[i].Level+1, i
				queue = append(queue, j)
			}
		}
	}
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
