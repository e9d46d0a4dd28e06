package view

import (
	"cmp"
	"slices"

	"github.com/gohops/hops/query"
)

// Paths returns a part of all shortest paths in about limit vertices, or in one path if
// that has more. The level of a vertex is its layer. Every vertex of the view is on a path
// in it. Within a layer, vertices with many links come first. left is the number of
// vertices that are not in the view.
func Paths(all *query.PathLayers, limit int) (v *View, left int) {
	v = &View{}
	if len(all.Layers) == 0 {
		return v, 0
	}
	t := newThinning(all, max(1, limit/len(all.Layers)))
	t.dropDeadEnds()
	places := make([]map[int32]int, len(all.Layers))
	for d, layer := range all.Layers {
		places[d] = map[int32]int{}
		for i, vertex := range layer {
			if !t.kept[d][int32(i)] {
				left++
				continue
			}
			places[d][int32(i)] = len(v.Vertices)
			v.Vertices = append(v.Vertices, Vertex{Vertex: vertex, Level: d, Parent: -1})
		}
	}
	for d, links := range all.Links {
		for _, l := range links {
			from, ok := places[d][l.From]
			to, ok2 := places[d+1][l.To]
			switch {
			case !ok || !ok2:
			case len(v.Edges) == maxEdges:
				v.EdgesLeft++
			default:
				v.Edges = append(v.Edges, [2]int{from, to})
			}
		}
	}
	return v, left
}

// A thinning keeps some vertices of each layer, among them those of one whole path.
type thinning struct {
	all  *query.PathLayers
	kept []map[int32]bool
}

func newThinning(all *query.PathLayers, share int) *thinning {
	t := &thinning{all: all}
	links := make([][]int, len(all.Layers)) // of every vertex, both ways
	for d, layer := range all.Layers {
		links[d] = make([]int, len(layer))
	}
	for d, between := range all.Links {
		for _, l := range between {
			links[d][l.From]++
			links[d+1][l.To]++
		}
	}
	for d, layer := range all.Layers {
		order := make([]int32, len(layer))
		for i := range order {
			order[i] = int32(i)
		}
		slices.SortStableFunc(order, func(a, b int32) int { return cmp.Compare(links[d][b], links[d][a]) })
		keep := map[int32]bool{}
		for _, i := range order[:min(share, len(order))] {
			keep[i] = true
		}
		t.kept = append(t.kept, keep)
	}
	return t
}

// dropDeadEnds removes vertices that no kept path leads through. It keeps the first of all
// paths, so that there is one.
func (t *thinning) dropDeadEnds() {
	for path := range t.all.Paths() {
		for d, v := range path {
			i, _ := slices.BinarySearch(t.all.Layers[d], v)
			t.kept[d][int32(i)] = true
		}
		break
	}
	for d, links := range t.all.Links {
		t.kept[d+1] = reached(links, t.kept[d], t.kept[d+1], func(l query.LayerLink) (int32, int32) { return l.From, l.To })
	}
	for d := len(t.all.Links) - 1; d >= 0; d-- {
		t.kept[d] = reached(t.all.Links[d], t.kept[d+1], t.kept[d], func(l query.LayerLink) (int32, int32) { return l.To, l.From })
	}
}

// reached returns those of a layer that a link joins with a kept vertex of another.
func reached(links []query.LayerLink, kept, layer map[int32]bool, ends func(query.LayerLink) (from, to int32)) map[int32]bool {
	found := map[int32]bool{}
	for _, l := range links {
		if from, to := ends(l); kept[from] && layer[to] {
			found[to] = true
		}
	}
	return found
}
