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

// trees returns the strategy that the engine and the kernel ask for.
func (b *bench) trees(graph Searcher, edges hops.Source) (trees, error) {
	if b.engine.TreeOnDevice {
		return b.deviceTrees(graph, edges)
	}
	h := &hostTrees{bench: b, edges: edges, rules: b.rules(edges), reuse: reusesTrees(graph)}
	if b.kernel.name == KernelSSSP {
		return h, h.aimAtPaths(graph)
	}
	tree, err := NewTree(graph, edges.NumVertices())
	h.target = treeOf(graph, tree)
	h.validate = func(ctx context.Context) (check.Result, error) { return h.rules.Tree(ctx, tree) }
	return h, err
}

// A target is what a kernel fills: a tree, or a tree with distances.
type target struct {
	tree   *hops.Tree
	clear  func()
	search func(ctx context.Context, root hops.Vertex) (hops.Trace, error)
}

// treeOf is the target of kernel 2.
func treeOf(graph Searcher, tree *hops.Tree) target {
	return target{
		tree:   tree,
		clear:  func() { ClearTree(graph, tree) },
		search: func(ctx context.Context, root hops.Vertex) (hops.Trace, error) { return graph.Search(ctx, root, tree) },
	}
}

// aimAtPaths sets the target of kernel 3.
func (h *hostTrees) aimAtPaths(graph Searcher) error {
	searcher, ok := graph.(PathSearcher)
	if !ok {
		return fmt.Errorf("graph500: engine %s has no kernel 3", h.engine.Name)
	}
	paths, err := NewPaths(graph, h.edges.NumVertices())
	if err != nil {
		return err
	}
	h.target = target{
		tree:  &paths.Tree,
		clear: func() { ClearPaths(graph, paths) },
		search: func(ctx context.Context, root hops.Vertex) (hops.Trace, error) {
			return searcher.SearchPaths(ctx, root, paths)
		},
	}
	h.reuse = false
	h.validate = func(ctx context.Context) (check.Result, error) { return h.rules.Paths(ctx, paths) }
	return nil
}

// hostTrees searches into one target, which is validated before the next search.
type hostTrees struct {
	*bench
	target
	edges    hops.Source
	rules    rules
	validate func(ctx context.Context) (check.Result, error)
	reuse    bool // searches need no empty target
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
	s, err := h.timed(ctx, root, h.stopwatch)
	if err == nil {
		err = h.judgeBy(ctx, h.rules, h.tree, func() (check.Result, error) { return h.validate(ctx) }, &s)
	}
	s.Kernel = h.kernel.name
	return s, err
}

func (h *hostTrees) clear(slow bool) {
	if !slow || !h.reuse {
		h.target.clear()
	}
}

func (h *hostTrees) repeat(ctx context.Context, root hops.Vertex) error {
	_, err := h.target.search(ctx, root)
	return err
}

func (h *hostTrees) close() { h.rules.Close() }
