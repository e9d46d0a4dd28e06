package query

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sort"
	"strconv"

	"github.com/gohops/hops"
	"github.com/gohops/hops/csr"
	"github.com/gohops/hops/graph"
)

// Induced builds a graph of some of the vertices and of the edges between them. Every engine
// and every question takes it as it takes any other graph: none of them knows about vertices
// that are left out.
//
// The rows of the graph are a list of edges with random access, as csr.Build wants it: entry
// i is edge i. An edge that is left out, and the second entry of an undirected edge, is listed as
// a self-loop, which csr.Build drops. So no list of the edges that are kept is stored.
// A filter inside of searches would save the time of building; but each engine would have
// to have it, and test a bit for every edge that it examines.

// ErrNoVertices is the error for a graph of which nothing is left.
var ErrNoVertices = errors.New("query: no vertex is left of the graph")

// Induced returns the graph of the vertices that are kept, with their names and the edges
// between them, and their weights if there are any. Vertices are numbered anew in the same
// order. threads is the number of workers; 0 is one for every CPU.
func Induced(ctx context.Context, g *graph.Graph, keep func(v hops.Vertex) bool, threads int) (*graph.Graph, error) {
	if err := g.Verify(); err != nil {
		return nil, fmt.Errorf("query: %w", err)
	}
	s := inducedSource{graph: g, number: make([]uint32, g.NumVertices())}
	for v := range g.NumVertices() {
		if keep(v) {
			s.kept = append(s.kept, uint32(v))
			s.number[v] = uint32(len(s.kept))
		}
	}
	if len(s.kept) == 0 {
		return nil, ErrNoVertices
	}
	names, err := pickNames(g, s.kept)
	if err != nil {
		return nil, err
	}
	var part *graph.Graph
	if g.Weighted() {
		part, err = csr.BuildWeighted(ctx, weightedInducedSource{s}, threads)
	} else {
		part, err = csr.Build(ctx, s, threads)
	}
	if err != nil {
		return nil, err
	}
	part.Names, part.Loops, part.Duplicates, part.Tuples = names, 0, 0, part.NumEdges()
	return part, nil
}

// pickNames returns the names of some vertices, in ascending order.
func pickNames(g *graph.Graph, kept []uint32) (*graph.Names, error) {
	if g.Names.IsText() {
		var text []byte
		ends := make([]uint64, len(kept))
		for i, v := range kept {
			text = g.AppendName(text, hops.Vertex(v))
			ends[i] = uint64(len(text))
		}
		return graph.TextNames(text, ends)
	}
	numbers := make([]uint64, len(kept))
	for i, v := range kept {
		var err error
		if numbers[i], err = strconv.ParseUint(g.Name(hops.Vertex(v)), 10, 64); err != nil {
			return nil, fmt.Errorf("query: %w", err)
		}
	}
	return graph.NamesFrom(graph.NameSections{Count: uint64(len(numbers)), Wide: numbers})
}

// An inducedSource lists the entries of a graph.
type inducedSource struct {
	graph  *graph.Graph
	kept   []uint32
	number []uint32 // new number of every vertex, plus one; 0 is left out
}

// A weightedInducedSource lists their weights too.
type weightedInducedSource struct{ inducedSource }

func (s inducedSource) NumVertices() hops.Vertex { return hops.Vertex(len(s.kept)) }

func (s inducedSource) NumEdges() int64 { return s.graph.NumEntries() }

// Directed implements hops.DirectedSource.
func (s inducedSource) Directed() bool { return s.graph.Directed }

// EdgesAt implements hops.Source.
func (s inducedSource) EdgesAt(dst []hops.Edge, off int64) (n int, err error) {
	if left := s.NumEdges() - off; int64(len(dst)) > left {
		dst, err = dst[:max(left, 0)], io.EOF
	}
	if readErr := s.graph.Read(func() error { s.read(dst, off); return nil }); readErr != nil {
		return 0, readErr
	}
	return len(dst), err
}

func (s inducedSource) read(dst []hops.Edge, off int64) {
	rows := &s.graph.Out
	v := sort.Search(len(s.number), func(v int) bool { return rows.Offsets[v+1] > off })
	for i := range dst {
		for off+int64(i) >= rows.Offsets[v+1] {
			v++
		}
		u := rows.Neighbors[off+int64(i)]
		from, to := s.number[v], s.number[u]
		if dst[i] = (hops.Edge{}); from > 0 && to > 0 && (s.graph.Directed || from < to) {
			dst[i] = hops.Edge{U: hops.Vertex(from - 1), V: hops.Vertex(to - 1)}
		}
	}
}

// WeightsAt implements hops.WeightedSource.
func (s weightedInducedSource) WeightsAt(dst []float32, off int64) (n int, err error) {
	if left := s.NumEdges() - off; int64(len(dst)) > left {
		dst, err = dst[:max(left, 0)], io.EOF
	}
	if readErr := s.graph.Read(func() error { copy(dst, s.graph.Out.Weights[off:]); return nil }); readErr != nil {
		return 0, readErr
	}
	return len(dst), err
}
