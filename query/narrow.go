package query

import (
	"slices"
	"sort"

	"github.com/gohops/hops"
)

// Narrow returns paths of p with at most so many vertices together, if one path has no
// more: what a reader can take in, or a page can draw. Wide layers lose vertices, narrow
// ones none. Every vertex and every link that is left is on a shortest path, and p itself is
// returned if it has no more vertices.
func (p *PathLayers) Narrow(vertices int) *PathLayers {
	width := p.widthFor(vertices)
	if !slices.ContainsFunc(p.Layers, func(layer []hops.Vertex) bool { return len(layer) > width }) {
		return p
	}
	narrow := &PathLayers{Layers: [][]hops.Vertex{p.Layers[0]}}
	kept := []int32{0} // places in the layer of p
	for d := range p.Links {
		next := p.keep(d, kept, width)
		layer, links := make([]hops.Vertex, len(next)), []LayerLink(nil)
		for i, place := range next {
			layer[i] = p.Layers[d+1][place]
		}
		for from, place := range kept {
			for _, l := range p.successors(d, place) {
				if to, ok := slices.BinarySearch(next, l.To); ok {
					links = append(links, LayerLink{int32(from), int32(to)})
				}
			}
		}
		narrow.Layers, narrow.Links = append(narrow.Layers, layer), append(narrow.Links, links)
		kept = next
	}
	return narrow
}

// widthFor is the greatest width of layers with which there are at most so many vertices,
// and at least 1.
func (p *PathLayers) widthFor(vertices int) int {
	widest := 1
	for _, layer := range p.Layers {
		widest = max(widest, len(layer))
	}
	tooWide := sort.Search(widest, func(i int) bool { // i + 1 is too wide
		sum := 0
		for _, layer := range p.Layers {
			sum += min(len(layer), i+1)
		}
		return sum > vertices
	})
	return max(1, tooWide)
}

// keep returns the places of at most width vertices in the layer after d: the first
// successor of each vertex that was kept before, so that no path ends, and then the others
// in their order.
func (p *PathLayers) keep(d int, kept []int32, width int) []int32 {
	var next []int32
	for _, place := range kept {
		next = append(next, p.successors(d, place)[0].To)
	}
	slices.Sort(next)
	next = slices.Compact(next)
	chosen := make(map[int32]bool, width)
	for _, place := range next {
		chosen[place] = true
	}
	for _, place := range kept {
		for _, l := range p.successors(d, place) {
			if len(next) < width && !chosen[l.To] {
				chosen[l.To] = true
				next = append(next, l.To)
			}
		}
	}
	slices.Sort(next)
	return next
}
