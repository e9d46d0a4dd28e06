package view

import (
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"slices"
	"sort"
	"sync/atomic"

	"github.com/gohops/hops"
	"github.com/gohops/hops/graph"
)

const (
	// indexBytes is the memory of the index for every name.
	indexBytes = 4 + 4 + gramRows/8/blockNames
	// IndexPeakBytes is its memory for every name while it is made.
	IndexPeakBytes = indexBytes + 16
)

// A nameIndex finds the names that begin with some bytes, and among them the vertices with the
// highest degrees, however many there are:
//
//   - order has the vertices by name, so that the names in question are a range of it, whose
//     ends two binary searches find;
//   - best is a tournament over order: best[i], 1 ≤ i < n, is best[2i] or best[2i+1], the place
//     of the vertex with more neighbours; number n+p stands for place p. The winner of any range
//     is among 2 log n nodes. It divides the range in two, whose winners are compared next;
//   - grams rules out most of the names that have not what was typed within them. The others are
//     scanned.
//
// An index of all places within names would need no scan, and 4 bytes for every character.
type nameIndex struct {
	names       graph.NameSections
	order, best []uint32
	grams       *gramFilter
}

// Index makes Complete and Scan fast for names that are text. Before it has, and if the context
// ends first, Scan reads all names.
func (n *Names) Index(ctx context.Context) {
	if !n.graph.Names.IsText() {
		return
	}
	names := n.graph.Names.Sections()
	order := sortNames(ctx, names)
	if ctx.Err() != nil {
		return
	}
	x := &nameIndex{names, order, make([]uint32, len(order)), newGramFilter(names)}
	for i := len(order) - 1; i > 0; i-- {
		x.best[i] = x.better(n.graph, x.winner(2*i), x.winner(2*i+1))
	}
	n.index.Store(x)
}

// A sortKey is a name while names are sorted: the eight bytes from some depth on, and how many
// there are, 9 for more than eight.
type sortKey struct {
	bytes  uint64
	length uint32
	vertex uint32
}

// sortNames returns the vertices by name. It sorts names by eight bytes, and names that agree in
// these by the next eight, so that a comparison looks up no name. It ends early, with any order,
// when the context ends.
func sortNames(ctx context.Context, names graph.NameSections) []uint32 {
	var stop atomic.Bool
	defer context.AfterFunc(ctx, func() { stop.Store(true) })()
	keys := make([]sortKey, len(names.Ends))
	for v := range keys {
		keys[v].vertex = uint32(v)
	}
	type part struct{ from, to, depth int }
	for parts := []part{{0, len(keys), 0}}; len(parts) > 0 && !stop.Load(); {
		p := parts[len(parts)-1]
		parts = parts[:len(parts)-1]
		some := keys[p.from:p.to]
		for i := range some {
			some[i].load(textOf(names, some[i].vertex)[p.depth:])
		}
		slices.SortFunc(some, func(a, b sortKey) int {
			if stop.Load() {
				return 0
			}
			return cmp.Or(cmp.Compare(a.bytes, b.bytes), cmp.Compare(a.length, b.length))
		})
		for from := 0; from < len(some); {
			to := from + 1
			for to < len(some) && some[to].bytes == some[from].bytes && some[to].length == some[from].length {
				to++
			}
			if to-from > 1 && some[from].length > 8 {
				parts = append(parts, part{p.from + from, p.from + to, p.depth + 8})
			}
			from = to
		}
	}
	order := make([]uint32, len(keys))
	for i, k := range keys {
		order[i] = k.vertex
	}
	return order
}

// load takes the first eight bytes of what is left of a name.
func (k *sortKey) load(left []byte) {
	k.length = uint32(min(len(left), 9))
	if len(left) >= 8 {
		k.bytes = binary.BigEndian.Uint64(left)
		return
	}
	k.bytes = 0
	for i, c := range left {
		k.bytes |= uint64(c) << (56 - 8*i)
	}
}

func textOf(names graph.NameSections, v uint32) []byte {
	start := uint64(0)
	if v > 0 {
		start = names.Ends[v-1]
	}
	return names.Text[start:names.Ends[v]]
}

// winner is the place that a node of the tournament stands for.
func (x *nameIndex) winner(node int) uint32 {
	if n := len(x.order); node >= n {
		return uint32(node - n)
	}
	return x.best[node]
}

// better is the place of the vertex with more neighbours.
func (x *nameIndex) better(g *graph.Graph, a, b uint32) uint32 {
	if byDegree(g)(hops.Vertex(x.order[a]), hops.Vertex(x.order[b])) <= 0 {
		return a
	}
	return b
}

// A span is a range of places, and the winner among them.
type span struct{ from, to, winner int }

// spanOf returns the range of some places, which are not none.
func (x *nameIndex) spanOf(g *graph.Graph, from, to int) span {
	best := uint32(from)
	for i, j := from+len(x.order), to+len(x.order); i < j; i, j = i/2, j/2 {
		if i%2 == 1 {
			best = x.better(g, best, x.winner(i))
			i++
		}
		if j%2 == 1 {
			j--
			best = x.better(g, best, x.winner(j))
		}
	}
	return span{from, to, int(best)}
}

// prefixed is the range of the places whose names begin with a needle.
func (x *nameIndex) prefixed(needle []byte) (from, to int) {
	head := func(i int) []byte {
		name := textOf(x.names, x.order[i])
		return name[:min(len(name), len(needle))]
	}
	from = sort.Search(len(x.order), func(i int) bool { return bytes.Compare(head(i), needle) >= 0 })
	return from, from + sort.Search(len(x.order)-from, func(i int) bool { return bytes.Compare(head(from+i), needle) > 0 })
}

// beginning returns up to most vertices whose names begin with a needle: names that are one
// first, then those with many neighbours.
func (x *nameIndex) beginning(g *graph.Graph, needles [][]byte, most int) []hops.Vertex {
	var found []hops.Vertex
	var spans []span
	for _, needle := range needles {
		if v, ok := g.Names.Lookup(string(needle)); ok {
			found = append(found, v)
		}
		if from, to := x.prefixed(needle); from < to {
			spans = append(spans, x.spanOf(g, from, to))
		}
	}
	slices.SortFunc(found, byDegree(g))
	for len(spans) > 0 && len(found) < most {
		first := 0
		for i := range spans {
			if x.better(g, uint32(spans[i].winner), uint32(spans[first].winner)) == uint32(spans[i].winner) {
				first = i
			}
		}
		s := spans[first]
		spans = slices.Delete(spans, first, first+1)
		if v := hops.Vertex(x.order[s.winner]); !slices.Contains(found, v) { // needles may begin with each other
			found = append(found, v)
		}
		for _, half := range [][2]int{{s.from, s.winner}, {s.winner + 1, s.to}} {
			if half[0] < half[1] {
				spans = append(spans, x.spanOf(g, half[0], half[1]))
			}
		}
	}
	return found[:min(most, len(found))]
}
