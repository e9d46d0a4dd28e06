package graph500

import (
	"context"
	"fmt"

	"github.com/gohops/hops"
	"github.com/gohops/hops/check"
)

// trees is kernel 2 for trees in one kind of memory: hostTrees are in that of the host,
// deviceTrees in that of a device.
type trees interface {
	// joined tells which candidates have an edge to another vertex.
	joined(ctx context.Context, candidates []hops.Vertex) ([]bool, error)
	// warmUp is a search without a clock, whose tree is validated.
	warmUp(ctx context.Context, root hops.Vertex) error
	// search times a search from each of the roots but those that are done, validates
	// the trees, and passes the searches on in the order of the roots.
	search(ctx context.Context, roots []hops.Vertex, done int, finished func(Search) error) error
	// clear empties the tree for repeat. A slow meter also counts the time of clear.
	clear(slow bool)
	// repeat is a search without a clock, whose tree is not validated.
	repeat(ctx context.Context, root hops.Vertex) error
	close()
}

// trees returns the strategy that the engine asks for.
func (b *bench) trees(graph Searcher, edges hops.Source) (trees, error) {
	if b.engine.TreeOnDevice {
		return b.deviceTrees(graph, edges)
	}
	tree, err := NewTree(graph, edges.NumVertices())
	return &hostTrees{bench: b, graph: graph, edges: edges, tree: tree, rules: b.rules(edges)}, err
}

// hostTrees searches into one tree, which is validated before the next search.
type hostTrees struct {
	*bench
	graph Searcher
	edges hops.Source
	tree  *hops.Tree
	rules rules
}

func (h *hostTrees) joined(ctx context.Context, candidates []hops.Vertex) ([]bool, error) {
	lo, hi := h.mine()
	mine, err := check.Joined(ctx, window{h.edges, lo, hi}, h.engine.Threads, candidates)
	if err != nil {
		return nil, err
	}
	seen := make([]uint64, len(candidates))
	for i, here := range mine {
		if here {
			seen[i] = 1
		}
	}
	err = h.comm.Max(seen)
	for i := range mine {
		mine[i] = seen[i] > 0
	}
	return mine, err
}

func (h *hostTrees) warmUp(ctx context.Context, root hops.Vertex) error {
	_, err := h.one(ctx, root)
	return err
}

func (h *hostTrees) search(ctx context.Context, roots []hops.Vertex, done int, finished func(Search) error) error {
	h.obs.Begin(Searches, int64(len(roots)), "searches")
	for i := done; i < len(roots); i++ {
		s, err := h.one(ctx, roots[i])
		if err == nil {
			err = finished(s)
		}
		if err != nil {
			return fmt.Errorf("search %d of %d: %w", i+1, len(roots), err)
		}
		h.obs.Advance(int64(i) + 1)
	}
	return nil
}

// one is one timed search and the untimed validation of its tree.
func (h *hostTrees) one(ctx context.Context, root hops.Vertex) (Search, error) {
	s, err := timed(ctx, h.graph, root, h.tree, h.stopwatch)
	if err == nil {
		err = h.judge(ctx, h.rules, h.tree, &s)
	}
	return s, err
}

func (h *hostTrees) clear(slow bool) {
	if !slow || !reusesTrees(h.graph) {
		ClearTree(h.graph, h.tree)
	}
}

func (h *hostTrees) repeat(ctx context.Context, root hops.Vertex) error {
	_, err := h.graph.Search(ctx, root, h.tree)
	return err
}

func (h *hostTrees) close() { h.rules.Close() }
