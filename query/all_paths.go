package query

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"math/big"
	"slices"
	"sort"

	"github.com/gohops/hops"
	"github.com/gohops/hops/graph"
)

// AllShortestPaths finds the vertices and edges that lie on shortest paths. There may be
// more such paths than atoms: a grid of 20 × 20 squares has 137,846,528,820 between two
// opposite corners. The vertices and edges on them are a part of the graph.
//
//  1. Both ends are searched from, level by level, as ShortestPath does, until a level of
//     one side has vertices that the other side has reached. The level is completed. These
//     vertices are one layer of the answer: every shortest path has exactly one of them.
//  2. From that layer, the layers before it follow backwards: the neighbours that the
//     first side reached one level earlier. The layers after it follow forwards on the
//     second side. An edge between two layers is on a shortest path.
//  3. Paths are counted from the last layer to the first: a vertex has as many paths to the
//     target as its successors together. The counts of two layers are in memory at a time.

// A PathLayers has all shortest paths between two vertices, as a graph in layers. Every
// vertex in it is on one of them, and every edge.
type PathLayers struct {
	// Layers[d] are the vertices d hops from the first one, in ascending order. The
	// first layer and the last have one vertex. There are no layers if there is no path.
	Layers [][]hops.Vertex
	// Links[d] are the edges from Layers[d] to Layers[d+1], ordered by their ends.
	Links [][]LayerLink
}

// A LayerLink is an edge between two layers, by the places of its ends in them.
type LayerLink struct{ From, To int32 }

// AllShortestPaths returns all shortest paths from one vertex to another. Where edges are
// directed, so are the paths. It needs the memory of a PathFinder, and for the answer 8
// bytes for every vertex and link in it.
func AllShortestPaths(ctx context.Context, g *graph.Graph, from, to hops.Vertex) (*PathLayers, error) {
	return NewPathFinder(g).FindAll(ctx, from, to)
}

// FindAll returns what AllShortestPaths does.
func (f *PathFinder) FindAll(ctx context.Context, from, to hops.Vertex) (p *PathLayers, err error) {
	err = f.graph.Read(func() error {
		p, err = f.layers(ctx, from, to)
		return err
	})
	return p, err
}

func (f *PathFinder) layers(ctx context.Context, from, to hops.Vertex) (*PathLayers, error) {
	common, err := f.meet(ctx, from, to, true)
	if err != nil || len(common) == 0 {
		return &PathLayers{}, err
	}
	common = slices.Clone(common)
	slices.Sort(common)
	a, b := &f.a, &f.b
	before, links, err := f.grow(ctx, common, b.row, a, a.depth())
	if err != nil {
		return nil, err
	}
	p := &PathLayers{}
	for d := len(before) - 1; d >= 0; d-- {
		for i, l := range links[d] {
			links[d][i] = LayerLink{l.To, l.From}
		}
		sortLinks(links[d])
		p.Layers, p.Links = append(p.Layers, before[d]), append(p.Links, links[d])
	}
	after, links, err := f.grow(ctx, common, a.row, b, b.depth())
	if err != nil {
		return nil, err
	}
	p.Layers = append(append(p.Layers, widen(common)), after...)
	p.Links = append(p.Links, links...)
	return p, nil
}

// grow returns the layers that follow one towards the end of a side, and the links to
// each: rows lead that way, and the layer is so many levels from that end. The search is
// over, so that the set of vertices seen has one level at a time. Every vertex has a link, or rows
// contradict each other.
func (f *PathFinder) grow(ctx context.Context, layer []uint32, row func(hops.Vertex) ([]uint32, error), s *side, level int) (layers [][]hops.Vertex, links [][]LayerLink, err error) {
	s.forget()
	for ; level > 0; level-- {
		for _, v := range s.level(level - 1) {
			s.seen.Add(uint64(v))
		}
		var found []linked
		for i, v := range layer {
			before := len(found)
			if err := ctx.Err(); err != nil {
				return nil, nil, fmt.Errorf("query: path: %w", err)
			}
			neighbors, err := row(hops.Vertex(v))
			if err != nil {
				return nil, nil, fmt.Errorf("query: path: %w", err)
			}
			for _, u := range neighbors {
				if s.seen.Has(uint64(u)) {
					found = append(found, linked{u, int32(i)})
				}
			}
			if len(found) == before {
				return nil, nil, contradiction(f.graph)
			}
		}
		for _, v := range s.level(level - 1) {
			s.seen.Remove(uint64(v))
		}
		slices.SortFunc(found, func(x, y linked) int { return cmp.Compare(x.vertex, y.vertex) })
		layer = nil
		between := make([]LayerLink, 0, len(found))
		for i, l := range found {
			if i == 0 || found[i-1].vertex != l.vertex {
				layer = append(layer, l.vertex)
			}
			between = append(between, LayerLink{l.from, int32(len(layer) - 1)})
		}
		sortLinks(between)
		layers, links = append(layers, widen(layer)), append(links, between)
	}
	return layers, links, nil
}

// linked is a vertex of the next layer, and the place of a neighbour in this one.
type linked struct {
	vertex uint32
	from   int32
}

func sortLinks(links []LayerLink) {
	slices.SortFunc(links, func(x, y LayerLink) int {
		return cmp.Or(cmp.Compare(x.From, y.From), cmp.Compare(x.To, y.To))
	})
}

func widen(vertices []uint32) []hops.Vertex {
	wide := make([]hops.Vertex, len(vertices))
	for i, v := range vertices {
		wide[i] = hops.Vertex(v)
	}
	return wide
}

// Hops is the length of the paths, -1 if there is none.
func (p *PathLayers) Hops() int { return len(p.Layers) - 1 }

// Count is the number of paths, however large.
func (p *PathLayers) Count() *big.Int {
	if len(p.Layers) == 0 {
		return new(big.Int)
	}
	counts := []*big.Int{big.NewInt(1)}
	for d := len(p.Links) - 1; d >= 0; d-- {
		earlier := make([]*big.Int, len(p.Layers[d]))
		for i := range earlier {
			earlier[i] = new(big.Int)
		}
		for _, l := range p.Links[d] {
			earlier[l.From].Add(earlier[l.From], counts[l.To])
		}
		counts = earlier
	}
	return counts[0]
}

// successors are the links from one vertex of a layer.
func (p *PathLayers) successors(d int, from int32) []LayerLink {
	links := p.Links[d]
	lo := sort.Search(len(links), func(i int) bool { return links[i].From >= from })
	hi := sort.Search(len(links), func(i int) bool { return links[i].From > from })
	return links[lo:hi]
}

// Paths yields the paths in ascending order of their first vertices in which they differ.
// A path is overwritten by the next.
func (p *PathLayers) Paths() iter.Seq[[]hops.Vertex] {
	return func(yield func([]hops.Vertex) bool) {
		if len(p.Layers) == 0 {
			return
		}
		path := make([]hops.Vertex, len(p.Layers))
		path[0] = p.Layers[0][0]
		left := make([][]LayerLink, len(p.Links)) // the links that were not taken yet
		if len(left) > 0 {
			left[0] = p.Links[0]
		}
		for d := 0; d >= 0; {
			switch {
			case d == len(left):
				if !yield(path) {
					return
				}
				d--
			case len(left[d]) == 0:
				d--
			default:
				next := left[d][0].To
				left[d] = left[d][1:]
				d++
				path[d] = p.Layers[d][next]
				if d < len(left) {
					left[d] = p.successors(d, next)
				}
			}
		}
	}
}
