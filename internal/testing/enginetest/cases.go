package enginetest

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/gohops/hops"
	"github.com/gohops/hops/edge"
)

func (s *suite) named(t *testing.T) {
	for _, g := range s.some(namedGraphs()) {
		t.Run(g.name, func(t *testing.T) {
			s.probe(t, g.source()).searchSome(t, g.n, s.NamedRoots)
		})
	}
}

// some are the graphs of a variant and of short tests: one of each shape.
func (s *suite) some(graphs []graph) []graph {
	if !s.Variant && !testing.Short() {
		return graphs
	}
	each := []string{"oneVertex", "loopsAndDoubles", "star65", "path129", "complete", "dandelion", "dandelionReversed", "highLabels", "twoWays"}
	return slices.DeleteFunc(graphs, func(g graph) bool { return !slices.Contains(each, g.name) })
}

// searchSome searches from about a dozen of n vertices, or from most if that is not 0.
func (p *probe) searchSome(t *testing.T, n hops.Vertex, most int) {
	searched := 0
	for root := range n {
		if root < 3 || root%(n/8+1) == 0 || root == n-1 {
			p.search(t, root)
			searched++
		}
		if searched == most {
			return
		}
	}
}

// kronecker searches graphs of the benchmark from many roots with one searcher, and
// from the first root again: no state of a search may leak into a later one.
func (s *suite) kronecker(t *testing.T) {
	for scale := 10; scale <= s.MaxScale; scale++ {
		t.Run(fmt.Sprint(scale), func(t *testing.T) {
			src := kronecker(t, scale)
			p := s.probe(t, src)
			r := rand.New(rand.NewPCG(uint64(scale), 1))
			first := hops.Vertex(r.Uint64N(uint64(src.NumVertices())))
			before := p.search(t, first)
			for range s.Roots {
				p.search(t, hops.Vertex(r.Uint64N(uint64(src.NumVertices()))))
			}
			if after := p.search(t, first); !slices.Equal(before, after) {
				t.Error("the same root gives other levels after other searches")
			}
		})
	}
}

func kronecker(t *testing.T, scale int) hops.Source {
	t.Helper()
	src, err := edge.NewKronecker(scale, 16, 2, 3)
	if err != nil {
		t.Fatal(err)
	}
	return src
}

func (s *suite) longPath(t *testing.T) {
	p := s.probe(t, pathGraph(s.MaxPath).source())
	p.search(t, 0)
	p.search(t, hops.Vertex(s.MaxPath/3))
}

// relabelled checks that permuting the labels permutes the levels.
func (s *suite) relabelled(t *testing.T) {
	src := kronecker(t, 10)
	n := int(src.NumVertices())
	label := rand.New(rand.NewPCG(3, 4)).Perm(n)
	edges := edgesOf(t, src)
	for i, e := range edges {
		edges[i] = hops.Edge{U: hops.Vertex(label[e.U]), V: hops.Vertex(label[e.V])}
	}
	plain, permuted := s.probe(t, src), s.probe(t, graph{n: hops.Vertex(n), edges: edges}.source())
	for root := 0; root < n; root += 197 {
		before := slices.Clone(plain.search(t, hops.Vertex(root)))
		after := permuted.search(t, hops.Vertex(label[root]))
		for v, l := range before {
			if after[label[v]] != l {
				t.Fatalf("root %d: vertex %d has level %d, relabelled %d", root, v, l, after[label[v]])
			}
		}
	}
}

// doubled checks that adding the reverse of every edge changes no level.
func (s *suite) doubled(t *testing.T) {
	src := kronecker(t, 10)
	edges := edgesOf(t, src)
	for _, e := range edges[:len(edges):len(edges)] {
		edges = append(edges, hops.Edge{U: e.V, V: e.U})
	}
	once, twice := s.probe(t, src), s.probe(t, graph{n: src.NumVertices(), edges: edges}.source())
	for root := hops.Vertex(0); root < src.NumVertices(); root += 201 {
		if !slices.Equal(once.search(t, root), twice.search(t, root)) {
			t.Fatalf("root %d: doubling the edges changed the levels", root)
		}
	}
}

// cancel cancels searches before they begin and while they run: each must return the
// context's error, and the next search must not notice.
func (s *suite) cancel(t *testing.T) {
	p := s.probe(t, pathGraph(s.MaxPath).source())
	expired, cancel := context.WithTimeout(context.Background(), 0)
	defer cancel()
	p.tree.Reset()
	if _, err := p.searcher.Search(expired, 0, p.tree); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("search after the deadline: error %v", err)
	}
	for look := 1; (look-1)*s.LevelsPerLook < s.MaxPath && look <= 4; look++ {
		p.tree.Reset()
		ctx := &lookingContext{Context: context.Background()}
		ctx.left.Store(int64(look))
		if _, err := p.searcher.Search(ctx, 0, p.tree); !errors.Is(err, context.Canceled) {
			t.Errorf("search cancelled at its look %d at the context, with %d to come: error %v", look, ctx.left.Load(), err)
		}
		p.search(t, hops.Vertex(s.MaxPath/2))
	}
}

// A lookingContext is cancelled when a search has looked at it so many times, which
// is the same level of the search on every machine.
type lookingContext struct {
	context.Context
	left atomic.Int64
}

func (c *lookingContext) Err() error {
	if c.left.Add(-1) <= 0 {
		return context.Canceled
	}
	return nil
}

// refuse hands the engine roots and trees that it cannot accept.
func (s *suite) refuse(t *testing.T) {
	x := s.build(t, pathGraph(100).source())
	wide := treeFor(t, x, 100).Wide != nil
	part := func(bound, first, count hops.Vertex) *hops.Tree {
		if wide {
			bound = hops.NarrowLimit + 1
		}
		return hops.NewTreePart(bound, first, count)
	}
	other := hops.NewTreePart(hops.NarrowLimit+1, 0, 100)
	if wide {
		other = hops.NewTree(100)
	}
	for what, tree := range map[string]*hops.Tree{
		"no tree": nil, "a tree that is too small": part(100, 0, 99), "a tree that is too large": part(101, 0, 101),
		"a tree of other vertices": part(101, 1, 100), "parents of another width": other,
	} {
		if _, err := x.Search(context.Background(), 0, tree); err == nil {
			t.Errorf("%s was accepted", what)
		}
	}
	if _, err := x.Search(context.Background(), 100, part(100, 0, 100)); err == nil {
		t.Error("a root beyond the last vertex was accepted")
	}
	s.refuseSources(t)
	s.refuseEndless(t)
	if _, err := x.Search(context.Background(), 0, part(100, 0, 100)); err != nil {
		t.Errorf("a search after others were refused: %v", err)
	}
}

// together runs searchers side by side, for the race detector.
func (s *suite) together(t *testing.T) {
	src := kronecker(t, 10)
	want := adjacencyOf(t, src).levels(1)
	var wg sync.WaitGroup
	for range 3 {
		x := s.build(t, src)
		tree := treeFor(t, x, src.NumVertices())
		wg.Go(func() {
			if _, err := x.Search(context.Background(), 1, tree); err != nil {
				t.Error(err)
			} else if !slices.Equal(levelsOf(tree), want) {
				t.Error("wrong levels beside other searchers")
			}
		})
	}
	wg.Wait()
}

// closed sees that searches during and after Close end, in an error once it is closed.
func (s *suite) closed(t *testing.T) {
	src := kronecker(t, 8)
	x := s.build(t, src)
	bound := src.NumVertices() // of a graph whose trees are as wide as those of the engine
	if treeFor(t, x, bound).Wide != nil {
		bound = hops.NarrowLimit + 1
	}
	search := func() error {
		_, err := x.Search(context.Background(), 1, hops.NewTreePart(bound, 0, src.NumVertices()))
		return err
	}
	began, ended := make(chan struct{}), make(chan error)
	var closed atomic.Bool
	go func() {
		err := search()
		close(began)
		for err == nil && !closed.Load() {
			err = search()
		}
		ended <- cmp.Or(err, search())
	}()
	<-began
	if err := x.Close(); err != nil {
		t.Errorf("Close: %v", err)
	}
	closed.Store(true)
	for _, err := range []error{<-ended, search()} {
		if err == nil || !strings.Contains(err.Error(), "the searcher is closed") {
			t.Errorf("a search after Close: %v", err)
		}
	}
	full := hops.NewTreePart(bound, 0, src.NumVertices())
	full.Root = 1
	full.SetParent(1, 1)
	mustClear(t, x, full)
}

// directed searches graphs whose edges lead one way, or sees that they are
// refused.
func (s *suite) directed(t *testing.T) {
	if !s.Directed {
		s.refuseDirected(t)
		return
	}
	for _, g := range s.some(directedGraphs()) {
		t.Run(g.name, func(t *testing.T) {
			s.probe(t, hops.Directed(g.source())).searchSome(t, g.n, s.NamedRoots)
		})
	}
	for scale := 10; scale <= min(s.MaxScale, 13); scale++ {
		t.Run(fmt.Sprint(scale), func(t *testing.T) { s.directedKronecker(t, scale) })
	}
}

func (s *suite) refuseDirected(t *testing.T) {
	x, err := s.Build(context.Background(), hops.Directed(pathGraph(100).source()))
	if err == nil {
		_ = x.Close()
		t.Error("a directed graph was accepted: refuse it, or set Directed and search it")
	}
}

// directedGraphs are the named graphs, and shapes that tell rows out of a vertex
// from rows into it.
func directedGraphs() []graph {
	return append(namedGraphs(),
		reversed(star(5000)), reversed(pathGraph(129)), reversed(tree(1000)), reversed(dandelion(400, 700)),
		graph{name: "intoTheRoot", n: 5, edges: pairs(1, 0, 2, 0, 3, 1, 4, 2)},
		graph{name: "twoWays", n: 6, edges: pairs(0, 1, 1, 2, 2, 5, 0, 3, 3, 4, 4, 5, 5, 0, 3, 2)},
	)
}

// reversed turns all edges round.
func reversed(g graph) graph {
	back := graph{name: g.name + "Reversed", n: g.n, edges: slices.Clone(g.edges)}
	for i, e := range back.edges {
		back.edges[i] = hops.Edge{U: e.V, V: e.U}
	}
	return back
}

// directedKronecker searches from vertices that edges lead out of, and from any.
func (s *suite) directedKronecker(t *testing.T, scale int) {
	src := hops.Directed(kronecker(t, scale))
	p := s.probe(t, src)
	edges := edgesOf(t, src)
	r := rand.New(rand.NewPCG(uint64(scale), 2))
	for range s.Roots {
		p.search(t, edges[r.IntN(len(edges))].U)
		p.search(t, hops.Vertex(r.Uint64N(uint64(src.NumVertices()))))
	}
}
