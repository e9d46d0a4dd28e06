package format

import (
	"bytes"
	"context"
	"fmt"

	"github.com/gohops/hops"
	"github.com/gohops/hops/graph"
)

// ranged is what formats share whose header says how many vertices and edges
// there are, and which number vertices from 1 on.
type ranged struct {
	line     int64 // lines of the header seen so far
	at       int64 // the one that has the numbers; 0 if none has come
	vertices uint64
	entries  uint64
}

// declare takes the numbers of the header.
func (r *ranged) declare(vertices, entries []byte) string {
	n, wrong := wholeNumber(vertices)
	if wrong != "" {
		return "number of vertices: " + wrong
	}
	m, wrong := wholeNumber(entries)
	if wrong != "" {
		return "number of edges: " + wrong
	}
	if n > uint64(hops.NoVertex)-1 || m > 1<<62 {
		return fmt.Sprintf("impossible size: %d vertices, %d edges", n, m)
	}
	r.vertices, r.entries, r.at = n, m, r.line
	return ""
}

// shift renumbers the edges of a batch from 0 on, and finds the first that names
// a vertex that there is not or that refuse objects to, which may be nil.
func (r *ranged) shift(out *batch, refuse func(hops.Edge) string) (edge int, wrong string) {
	n := hops.Vertex(r.vertices)
	for i := range out.edges {
		e := &out.edges[i]
		e.U--
		e.V--
		if e.U >= n || e.V >= n {
			bad := e.U
			if e.U < n {
				bad = e.V
			}
			return i, fmt.Sprintf("vertex %d is not within 1 … %d", bad+1, n)
		}
		if refuse != nil {
			if wrong := refuse(*e); wrong != "" {
				return i, wrong
			}
		}
	}
	return -1, ""
}

// nthLine returns where the edge of the given number starts in text of which
// those lines are edges that isEdge says are.
func nthLine(text []byte, edge int, isEdge func(line []byte) bool) int {
	pos := 0
	for line := range bytes.Lines(text) {
		if isEdge(line) {
			if edge == 0 {
				return pos
			}
			edge--
		}
		pos += len(line)
	}
	return 0
}

// read reads a file of such a format.
func (r *ranged) read(ctx context.Context, f *file, p parser, opts *Options, what string) (*list, error) {
	if err := f.readHead(p); err != nil {
		return nil, err
	}
	if r.at == 0 {
		return nil, f.wrongLine("the file ends before its header does")
	}
	l, err := f.readBody(ctx, p, opts)
	if err != nil {
		return nil, err
	}
	l.vertices = hops.Vertex(r.vertices)
	if found := uint64(l.NumEdges()); found != r.entries {
		_ = l.close()
		return nil, r.miscounted(f, found, what)
	}
	return l, nil
}

func (r *ranged) miscounted(f *file, found uint64, what string) error {
	return &Error{File: f.name, Line: r.at, What: fmt.Sprintf("the header says %d %s, there are %d", r.entries, what, found)}
}

// names are the numbers from 1 on.
func (r *ranged) names() *graph.Names {
	return namesOf(graph.NameSections{Count: r.vertices, First: 1})
}
