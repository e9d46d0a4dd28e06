package view

import (
	"bytes"
	"cmp"
	"context"
	"slices"
	"sort"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/gohops/hops"
	"github.com/gohops/hops/graph"
	"github.com/gohops/hops/internal/base/bitset"
)

const (
	// maxMatches is the number of names that one scan looks at. Common letters occur in
	// millions of names.
	maxMatches = 10_000
	// MostNames is the number of names that are found at most.
	MostNames = 50
)

// Names finds the vertices of a graph whose names have what was typed in them. It is safe for
// concurrent use.
type Names struct {
	graph *graph.Graph
	index atomic.Pointer[nameIndex] // nil until Index has made it
	hubs  func() []hops.Vertex
}

// NewNames returns the names of g, whose file is verified before they are asked for.
func NewNames(g *graph.Graph) *Names {
	return &Names{graph: g, hubs: sync.OnceValue(func() []hops.Vertex { return hubs(g) })}
}

// Complete returns up to most vertices whose names have what was typed in them: the name
// itself first, then those that begin with it, those with many neighbours first. Upper and
// lower case are tried as well. more says that there are others. What is typed into a graph
// whose names are numbers must be the beginning of a number. Hubs match nothing typed.
//
// It takes microseconds. Where that is not enough to know the answer, done is false, and Scan
// finds it.
func (n *Names) Complete(typed string, most int) (vertices []hops.Vertex, more, done bool) {
	g := n.graph
	if typed == "" {
		all := n.hubs()
		return all[:min(most, len(all))], g.NumVertices() > hops.Vertex(most), true
	}
	if !g.Names.IsText() {
		vertices, more = numbers(g, typed, most)
		return vertices, more, true
	}
	index := n.index.Load()
	if index == nil {
		return nil, false, false
	}
	found := index.beginning(g, needles(typed), most+1)
	return found[:min(most, len(found))], true, len(found) > most
}

// Scan does what Complete does, and reads all names for it that the index does not rule out. Of
// the names that have what was typed within them, it compares the first maxMatches.
func (n *Names) Scan(ctx context.Context, typed string, most int) (vertices []hops.Vertex, more bool, err error) {
	s := nameScan{graph: n.graph, names: n.graph.Names.Sections(), needles: needles(typed), most: most + 1}
	if index := n.index.Load(); index != nil {
		for _, v := range index.beginning(s.graph, s.needles, s.most) {
			s.note(match{v, s.rank(textOf(s.names, uint32(v)))})
		}
		s.within, s.grams = true, index.grams
	}
	for i := range s.needles {
		if err := s.find(ctx, i); err != nil {
			return nil, false, err
		}
	}
	for _, m := range s.best[:min(most, len(s.best))] {
		vertices = append(vertices, m.vertex)
	}
	return vertices, len(s.best) > most || s.looked > maxMatches, nil
}

// needles are the spellings that are looked for.
func needles(typed string) [][]byte {
	var all [][]byte
	for _, s := range []string{typed, strings.ToLower(typed), strings.ToUpper(typed), title(typed)} {
		if !slices.ContainsFunc(all, func(b []byte) bool { return string(b) == s }) {
			all = append(all, []byte(s))
		}
	}
	return all
}

func title(s string) string {
	for i := range s {
		if i > 0 {
			return strings.ToUpper(s[:i]) + strings.ToLower(s[i:])
		}
	}
	return strings.ToUpper(s)
}

// A nameScan finds names by their bytes, and keeps the best.
type nameScan struct {
	graph   *graph.Graph
	names   graph.NameSections
	needles [][]byte
	grams   *gramFilter
	within  bool    // names that begin with a needle are known already
	best    []match // the best first
	most    int     // the length of best at most
	looked  int     // names that had a needle in them
}

// A match is a vertex whose name has a needle in it.
type match struct {
	vertex hops.Vertex
	rank   int // 0 is the whole name, 1 its start, 2 anywhere
}

// find notes the names that have one needle in them, and none of those before it.
func (s *nameScan) find(ctx context.Context, which int) (err error) {
	s.grams.passing(s.needles[which], blocks(s.names), func(block int) bool {
		err = ctx.Err()
		return err == nil && s.findIn(block, which)
	})
	return err
}

// findIn does it for a block of names, and tells whether to go on.
func (s *nameScan) findIn(block, which int) bool {
	v, needle := block*blockNames, s.needles[which]
	ends := s.names.Ends[v:min(len(s.names.Ends), v+blockNames)]
	pos, end := 0, int(ends[len(ends)-1])
	if v > 0 {
		pos = int(s.names.Ends[v-1])
	}
	for {
		at := bytes.Index(s.names.Text[pos:end], needle)
		if at < 0 {
			return true
		}
		pos += at
		in := sort.Search(len(ends), func(i int) bool { return ends[i] > uint64(pos) })
		if pos+len(needle) > int(ends[in]) { // it spans two names
			pos++
			continue
		}
		pos = int(ends[in])
		name := textOf(s.names, uint32(v+in))
		if slices.ContainsFunc(s.needles[:which], func(earlier []byte) bool { return bytes.Contains(name, earlier) }) {
			continue
		}
		if s.looked++; s.looked > maxMatches {
			return false
		}
		if m := (match{hops.Vertex(v + in), s.rank(name)}); m.rank == 2 || !s.within {
			s.note(m)
		}
	}
}

// rank is the best that any needle gives a name.
func (s *nameScan) rank(name []byte) int {
	rank := 2
	for _, needle := range s.needles {
		switch {
		case string(name) == string(needle):
			return 0
		case bytes.HasPrefix(name, needle):
			rank = 1
		}
	}
	return rank
}

// note keeps a match if it is among the best.
func (s *nameScan) note(m match) {
	at, _ := slices.BinarySearchFunc(s.best, m, func(a, b match) int {
		return cmp.Or(cmp.Compare(a.rank, b.rank), byDegree(s.graph)(a.vertex, b.vertex))
	})
	if at == s.most {
		return
	}
	if len(s.best) == s.most {
		s.best = s.best[:s.most-1]
	}
	s.best = slices.Insert(s.best, at, m)
}

// byDegree puts vertices with many neighbours first.
func byDegree(g *graph.Graph) func(a, b hops.Vertex) int {
	return func(a, b hops.Vertex) int {
		return cmp.Or(cmp.Compare(Degree(g, uint32(b)), Degree(g, uint32(a))), cmp.Compare(a, b))
	}
}

// hubs returns the vertices with the most neighbours.
func hubs(g *graph.Graph) []hops.Vertex {
	var all []hops.Vertex
	for v := range bitset.Set(g.Parents.Hub).All {
		if hops.Vertex(v) < g.NumVertices() {
			all = append(all, hops.Vertex(v))
		}
	}
	slices.SortFunc(all, byDegree(g))
	return slices.Clone(all[:min(MostNames, len(all))])
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
