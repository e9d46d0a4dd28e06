package graph

import (
	"errors"
	"fmt"
	"io"
	"runtime"
	"slices"
	"sort"
	"sync"
	"sync/atomic"

	"github.com/gohops/hops"
	"github.com/gohops/hops/internal/base/par"
)

// A Source lists the edges of a finished graph, so that an engine that builds its own
// structure can build it from a graph. An undirected edge is listed once, from its
// lower end. The list is not stored: it is read from the rows, in their order.
type Source struct {
	graph *Graph
	edges int64
	// before[i] is the number of edges listed before entry i·stride of the rows. It is
	// nil in a directed graph, where every entry of Out is an edge, and until the first
	// edge is asked for.
	before []int64
	index  func() error // makes before, the first time
}

// stride is how many entries share an element of the index of a Source: a call of
// EdgesAt passes over half as many in vain, and the index takes 8 bytes for each stride.
const stride = 1024

// Source returns the list of edges, once those of a file are checked. The graph must not be
// closed before the last use of the list.
func (g *Graph) Source() (*Source, error) {
	if err := g.Verify(); err != nil {
		return nil, err
	}
	s := &Source{graph: g, edges: g.NumEdges()}
	s.index = sync.OnceValue(s.makeIndex)
	return s, nil
}

// makeIndex reads all rows of an undirected graph once.
func (s *Source) makeIndex() error {
	g := s.graph
	if g.Directed {
		return nil
	}
	entries := g.NumEntries()
	s.before = make([]int64, entries/stride+2)
	team := par.NewTeam(0, nil)
	defer team.Close()
	err := g.Read(func() error {
		team.For(int64(len(s.before)-1), 64, func(_ int, lo, hi int64) {
			for i := lo; i < hi; i++ {
				s.before[i+1] = s.count(i*stride, min((i+1)*stride, entries))
			}
		})
		return nil
	})
	for i := 1; i < len(s.before); i++ {
		s.before[i] += s.before[i-1]
	}
	return err
}

// Graph is the graph whose edges are listed.
func (s *Source) Graph() *Graph { return s.graph }

// Directed tells whether edges lead from U to V only.
func (s *Source) Directed() bool { return s.graph.Directed }

// NumVertices implements hops.Source.
func (s *Source) NumVertices() hops.Vertex { return s.graph.NumVertices() }

// NumEdges implements hops.Source.
func (s *Source) NumEdges() int64 { return s.edges }

// EdgesAt implements hops.Source. It reads many edges with several goroutines, for
// engines that read from one.
func (s *Source) EdgesAt(dst []hops.Edge, off int64) (n int, err error) {
	if off < 0 {
		return 0, fmt.Errorf("graph: edge %d: edges are counted from 0", off)
	}
	return s.tuplesAt(dst, nil, off)
}

// tuplesAt also reads the weights, unless there is no room for them.
func (s *Source) tuplesAt(dst []hops.Edge, weights []float32, off int64) (n int, err error) {
	if left := s.edges - off; int64(len(dst)) > left {
		dst, err = dst[:max(left, 0)], io.EOF
	}
	if indexErr := s.index(); indexErr != nil {
		return 0, indexErr
	}
	if readErr := s.readParts(dst, weights, off); readErr != nil {
		return 0, readErr
	}
	return len(dst), err
}

// readParts is read with several goroutines, where it pays.
func (s *Source) readParts(dst []hops.Edge, weights []float32, off int64) error {
	read := func(dst []hops.Edge, weights []float32, off int64) error {
		return s.graph.Read(func() error { s.read(dst, weights, off); return nil })
	}
	if len(dst) < 2*readBlock {
		return read(dst, weights, off)
	}
	var wg sync.WaitGroup
	var failed atomic.Pointer[error]
	for part := range slices.Chunk(dst, max(readBlock, len(dst)/runtime.GOMAXPROCS(0)+1)) {
		first, some := off, weights
		off += int64(len(part))
		if weights != nil {
			some, weights = weights[:len(part)], weights[len(part):]
		}
		wg.Go(func() {
			if err := read(part, some, first); err != nil {
				failed.Store(&err)
			}
		})
	}
	wg.Wait()
	if err := failed.Load(); err != nil {
		return *err
	}
	return nil
}

// readBlock is how many edges a goroutine reads at least: some 20 µs, several times what it
// takes to start one.
const readBlock = 1 << 12

// read fills dst with the edges from off on, all of which there are. An entry that is not
// listed is overwritten by the next: half of them are not, in no order that a processor
// could predict.
func (s *Source) read(dst []hops.Edge, weights []float32, off int64) {
	if len(dst) == 0 {
		return
	}
	entry, skip := off, 0
	if s.before != nil {
		i := sort.Search(len(s.before), func(i int) bool { return s.before[i] > off }) - 1
		entry, skip = int64(i)*stride, int(off-s.before[i])
	}
	rows, n := &s.graph.Out, 0
	for v := s.rowOf(entry); ; v++ {
		from := v // the lowest neighbour with which v is listed
		if s.before == nil {
			from = 0
		}
		for i, u := range rows.Neighbors[entry:rows.Offsets[v+1]] {
			listed := 1
			if u < from {
				listed = 0
			}
			if skip > 0 {
				skip -= listed
				continue
			}
			if weights != nil {
				weights[n] = rows.Weights[entry+int64(i)]
			}
			dst[n] = hops.Edge{U: hops.Vertex(v), V: hops.Vertex(u)}
			if n += listed; n == len(dst) {
				return
			}
		}
		entry = rows.Offsets[v+1]
	}
}

// rowOf is the vertex whose row has an entry.
func (s *Source) rowOf(entry int64) uint32 {
	offsets := s.graph.Out.Offsets[1:]
	return uint32(sort.Search(len(offsets), func(v int) bool { return offsets[v] > entry }))
}

// count is how many edges are listed from the entries lo up to hi.
func (s *Source) count(lo, hi int64) (n int64) {
	rows := &s.graph.Out
	for v := s.rowOf(lo); lo < hi; v++ {
		end := min(rows.Offsets[v+1], hi)
		for _, u := range rows.Neighbors[lo:end] {
			if u > v {
				n++
			}
		}
		lo = end
	}
	return n
}

// A WeightedSource lists the edges of a graph with their weights.
type WeightedSource struct{ *Source }

// WeightedSource returns the list of edges with weights, which the graph must have.
func (g *Graph) WeightedSource() (*WeightedSource, error) {
	if !g.Weighted() {
		return nil, errors.New("graph: the edges have no weights")
	}
	s, err := g.Source()
	if err != nil {
		return nil, err
	}
	return &WeightedSource{s}, nil
}

// TuplesAt implements hops.TupleSource.
func (s *WeightedSource) TuplesAt(edges []hops.Edge, weights []float32, off int64) (int, error) {
	if off < 0 {
		return 0, fmt.Errorf("graph: edge %d: edges are counted from 0", off)
	}
	return s.tuplesAt(edges, weights, off)
}

// WeightsAt implements hops.WeightedSource.
func (s *WeightedSource) WeightsAt(dst []float32, off int64) (int, error) {
	return s.TuplesAt(make([]hops.Edge, len(dst)), dst, off)
}
