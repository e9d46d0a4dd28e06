package view

import (
	"bytes"
	"cmp"
	"context"
	"slices"
	"sort"
	"strconv"
	"strings"

	"github.com/gohops/hops"
	"github.com/gohops/hops/graph"
	"github.com/gohops/hops/internal/bitset"
)

const (
	// maxMatches is the number of names that are compared with each other. Common
	// letters occur in millions of names.
	maxMatches = 100_000
	// chunk is the number of bytes of names between two looks at the context.
	chunk = 4 << 20
)

// Complete returns up to most vertices whose names have what was typed in them: the name
// itself first, then those that begin with it, those with many neighbours first. Upper and
// lower case are tried as well. more says that there are others. What is typed into a graph
// whose names are numbers must be the beginning of a number. Hubs match nothing typed.
//
// Names have no index: at 10 M names of 239 MB a scan takes 23 ms, and sorting them 17 s.
func Complete(ctx context.Context, g *graph.Graph, typed string, most int) (vertices []hops.Vertex, more bool, err error) {
	if typed == "" {
		vertices, more = hubs(g, most)
		return vertices, more, nil
	}
	if !g.Names.IsText() {
		vertices, more = numbers(g, typed, most)
		return vertices, more, nil
	}
	s := nameScan{names: g.Names.Sections(), ranks: map[hops.Vertex]int{}}
	for _, needle := range slices.Compact([]string{typed, strings.ToLower(typed), strings.ToUpper(typed), title(typed)}) {
		if err := s.find(ctx, []byte(needle)); err != nil {
			return nil, false, err
		}
	}
	return s.best(g, most), len(s.ranks) > most || s.cut, nil
}

func title(s string) string {
	for i := range s {
		if i > 0 {
			return strings.ToUpper(s[:i]) + strings.ToLower(s[i:])
		}
	}
	return strings.ToUpper(s)
}

// A nameScan finds names by their bytes.
type nameScan struct {
	names graph.NameSections
	ranks map[hops.Vertex]int // by how well names match: 0 is the whole name, 1 its start, 2 anywhere
	cut   bool                // there are more than maxMatches
}

func (s *nameScan) find(ctx context.Context, needle []byte) error {
	text, ends, v := s.names.Text, s.names.Ends, 0
	for pos := 0; pos+len(needle) <= len(text); {
		if err := ctx.Err(); err != nil {
			return err
		}
		window := text[pos:min(len(text), pos+chunk+len(needle))]
		at := bytes.Index(window, needle)
		if at < 0 {
			pos += len(window) - len(needle) + 1
			continue
		}
		pos += at
		v += sort.Search(len(ends)-v, func(i int) bool { return ends[v+i] > uint64(pos) })
		start := 0
		if v > 0 {
			start = int(ends[v-1])
		}
		if end := int(ends[v]); pos+len(needle) <= end {
			if len(s.ranks) >= maxMatches {
				s.cut = true
				return nil
			}
			s.note(hops.Vertex(v), rank(pos == start, pos+len(needle) == end))
			pos = end
		} else {
			pos++
		}
	}
	return nil
}

func rank(fromStart, toEnd bool) int {
	switch {
	case fromStart && toEnd:
		return 0
	case fromStart:
		return 1
	}
	return 2
}

func (s *nameScan) note(v hops.Vertex, rank int) {
	if old, ok := s.ranks[v]; !ok || rank < old {
		s.ranks[v] = rank
	}
}

func (s *nameScan) best(g *graph.Graph, most int) []hops.Vertex {
	all := make([]hops.Vertex, 0, len(s.ranks))
	for v := range s.ranks {
		all = append(all, v)
	}
	slices.SortFunc(all, func(a, b hops.Vertex) int {
		return cmp.Or(cmp.Compare(s.ranks[a], s.ranks[b]), byDegree(g)(a, b))
	})
	return all[:min(most, len(all))]
}

// byDegree puts vertices with many neighbours first.
func byDegree(g *graph.Graph) func(a, b hops.Vertex) int {
	return func(a, b hops.Vertex) int {
		return cmp.Or(cmp.Compare(Degree(g, uint32(b)), Degree(g, uint32(a))), cmp.Compare(a, b))
	}
}

// hubs returns the vertices with the most neighbours.
func hubs(g *graph.Graph, most int) ([]hops.Vertex, bool) {
	var all []hops.Vertex
	for v := range bitset.Set(g.Parents.Hub).All {
		if hops.Vertex(v) < g.NumVertices() {
			all = append(all, hops.Vertex(v))
		}
	}
	slices.SortFunc(all, byDegree(g))
	return all[:min(most, len(all))], g.NumVertices() > hops.Vertex(most)
}

// numbers returns the vertices whose numbers begin with these digits, the shortest first.
func numbers(g *graph.Graph, digits string, most int) (all []hops.Vertex, more bool) {
	low, err := strconv.ParseUint(digits, 10, 64)
	if err != nil || digits != strconv.FormatUint(low, 10) {
		return nil, false
	}
	for width := uint64(1); ; {
		at := firstFrom(g, low)
		for ; at < g.NumVertices() && number(g, at)-low < width; at++ {
			if len(all) == most {
				return all, true
			}
			all = append(all, at)
		}
		if low == 0 || low > (1<<64-1)/10 || at == g.NumVertices() {
			return all, false
		}
		low, width = low*10, width*10
	}
}

// firstFrom returns the first vertex whose number is not below one.
func firstFrom(g *graph.Graph, low uint64) hops.Vertex {
	return hops.Vertex(sort.Search(int(g.NumVertices()), func(v int) bool { return number(g, hops.Vertex(v)) >= low }))
}

func number(g *graph.Graph, v hops.Vertex) uint64 {
	if g.Names == nil {
		return uint64(v)
	}
	switch s := g.Names.Sections(); {
	case len(s.Narrow) > 0:
		return uint64(s.Narrow[v])
	case len(s.Wide) > 0:
		return s.Wide[v]
	default:
		return s.First + uint64(v)
	}
}
