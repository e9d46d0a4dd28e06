package explore

import (
	"context"
	"errors"
	"sync/atomic"

	"github.com/gohops/hops"
	"github.com/gohops/hops/engine/cpu"
	"github.com/gohops/hops/graph"
	"github.com/gohops/hops/internal/page/explore/view"
	"github.com/gohops/hops/query"
)

// A served graph has searchers that requests borrow.
type served struct {
	*graph.Graph
	title     string
	names     *view.Names
	searchers line[*searcher]
	// scans are of all names. They are few, as each reads memory as fast as a core can.
	scans line[struct{}]
	// whole is the one searcher for large questions; it runs on all cores.
	whole line[*wholeSearcher]
}

// A searcher has the memory of one request at a time.
type searcher struct {
	paths  *query.PathFinder
	picker *view.Picker
	path   []hops.Vertex
}

func newServed(g Graph, opts Options) *served {
	s := &served{
		Graph: g.Graph, title: g.Title, names: view.NewNames(g.Graph),
		searchers: newLine[*searcher](opts.searchers()), scans: newLine[struct{}]((opts.searchers() + 1) / 2), whole: newLine[*wholeSearcher](1),
	}
	for range cap(s.scans.free) {
		s.scans.free <- struct{}{}
	}
	for range opts.searchers() {
		s.searchers.free <- &searcher{paths: query.NewPathFinder(g.Graph), picker: view.NewPicker(g.Graph)}
	}
	s.whole.free <- &wholeSearcher{paths: query.NewPathFinder(g.Graph)}
	return s
}

// close ends what searchers have running. All requests have been answered.
func (g *served) close() error {
	select {
	case w := <-g.whole.free:
		if w.searcher != nil {
			return w.searcher.Close()
		}
	default: // a request that was cut off still has it
	}
	return nil
}

// errBusy is the answer to a request for which there is no room.
var errBusy = errors.New("too many requests are waiting: come back later")

// A line is a fixed number of things that requests borrow, and the requests that wait.
type line[T any] struct {
	free    chan T
	waiting *atomic.Int64
}

func newLine[T any](size int) line[T] {
	return line[T]{make(chan T, size), new(atomic.Int64)}
}

// borrow waits for one that is free. It must be put back into free.
func (l line[T]) borrow(ctx context.Context) (T, error) {
	select {
	case one := <-l.free:
		return one, nil
	default:
	}
	var none T
	if l.waiting.Add(1) > queue {
		l.waiting.Add(-1)
		return none, errBusy
	}
	defer l.waiting.Add(-1)
	select {
	case one := <-l.free:
		return one, nil
	case <-ctx.Done():
		return none, ctx.Err()
	}
}

// busy is the number of things that are borrowed.
func (l line[T]) busy() int { return cap(l.free) - len(l.free) }

// A wholeSearcher is for what may touch all of a graph: levels, and all shortest paths. The
// memory for levels is made by the first search.
type wholeSearcher struct {
	paths    *query.PathFinder
	searcher *cpu.Searcher
	tree     *hops.Tree
}

// levels returns the number of vertices at every distance from a root.
func (w *wholeSearcher) levels(ctx context.Context, g *graph.Graph, root hops.Vertex) ([]int64, error) {
	if w.searcher == nil {
		s, err := cpu.New(g, cpu.Options{})
		if err != nil {
			return nil, err
		}
		w.searcher, w.tree = s, hops.NewTree(g.NumVertices())
	}
	w.searcher.Clear(w.tree)
	trace, err := w.searcher.Search(ctx, root, w.tree)
	if err != nil {
		return nil, err
	}
	sizes := []int64{1}
	for _, l := range trace.Levels {
		if l.Found > 0 {
			sizes = append(sizes, l.Found)
		}
	}
	return sizes, nil
}
