package graph

import (
	"fmt"
	"io"
	"sort"

	"github.com/gohops/hops"
	"github.com/gohops/hops/internal/par"
)

// A Source lists the edges of a finished graph, so that an engine that builds its own
// structure can build it from a graph. An undirected edge is listed once, from its
// lower end. The list is not stored: it is read from the rows, in their order.
type Source struct {
	graph *Graph
	edges int64
	// before[i] is the number of edges listed before entry i·stride of the rows. It is
	// nil in a directed graph, where every entry of Out is an edge.
	before []int64
}

// stride is how many entries share an element of the index of a Source: a call of
// EdgesAt passes over half as many in vain, and the index takes 8 bytes for each stride.
const stride = 1024

// Source returns the list of edges. It reads all rows once, and those of a file are
// checked. The graph must not be closed before the last use of the list.
func (g *Graph) Source() (*Source, error) {
	if err := g.Verify(); err != nil {
		return nil, err
	}
	s := &Source{graph: g, edges: g.NumEdges()}
	if g.Directed {
		return s, nil
	}
	entries := g.NumEntries()
	s.before = make([]int64, entries/stride+2)
	team := par.NewTeam(0, nil)
	defer team.Close()
	team.For(int64(len(s.before)-1), 64, func(_ int, lo, hi int64) {
		for i := lo; i < hi; i++ {
			s.before[i+1] = s.count(i*stride, min((i+1)*stride, entries))
		}
	})
	for i := 1; i < len(s.before); i++ {
		s.before[i] += s.before[i-1]
	}
	return s, nil
}

// Graph is the graph whose edges are listed.
func (s *Source) Graph() *Graph { return s.graph }

// Directed tells whether edges lead from U to V only.
func (s *Source) Directed() bool { return s.graph.Directed }

// NumVertices implements hops.Source.
func (s *Source) NumVertices() hops.Vertex { return s.graph.NumVertices() }

// NumEdges implements hops.Source.
func (s *Source) NumEdges() int64 { return s.edges }

// EdgesAt implements hops.Source.
func (s *Source) EdgesAt(dst []hops.Edge, off int64) (n int, err error) {
	if off < 0 {
		return 0, fmt.Errorf("graph: edge %d: edges are counted from 0", off)
	}
	if off >= s.edges {
		return 0, io.EOF
	}
	entry, skip := off, int64(0)
	if s.before != nil {
		i := sort.Search(len(s.before), func(i int) bool { return s.before[i] > off }) - 1
		entry, skip = int64(i)*stride, off-s.before[i]
	}
	s.each(entry, s.graph.NumEntries(), func(e hops.Edge) bool {
		if skip > 0 {
			skip--
			return true
		}
		if n == len(dst) {
			return false
		}
		dst[n] = e
		n++
		return true
	})
	if n < len(dst) {
		err = io.EOF
	}
	return n, err
}

// count is how many edges are listed from the entries lo up to hi.
func (s *Source) count(lo, hi int64) (n int64) {
	s.each(lo, hi, func(hops.Edge) bool { n++; return true })
	return n
}

// each calls visit with the edges of the entries lo up to hi, until it returns false.
func (s *Source) each(lo, hi int64, visit func(hops.Edge) bool) {
	rows := &s.graph.Out
	v := sort.Search(len(rows.Offsets)-1, func(v int) bool { return rows.Offsets[v+1] > lo })
	for ; lo < hi; v++ {
		for end := min(rows.Offsets[v+1], hi); lo < end; lo++ {
			u := int(rows.Neighbors[lo])
			if s.before != nil && u < v {
				continue
			}
			if !visit(hops.Edge{U: hops.Vertex(v), V: hops.Vertex(u)}) {
				return
			}
		}
	}
}
